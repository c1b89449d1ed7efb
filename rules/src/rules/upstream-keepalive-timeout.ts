import type { Place } from '@poolcheck/parsers/text';
import type { Proxy, ProxyRoute } from '../deployment/model.ts';
import { asRelated, type Related } from '../finding.ts';
import type { Known } from '../known.ts';
import { deploymentRule } from '../rule.ts';
import type { Keeper } from './upstream-keepalive-timeout/keeper.ts';
import { nginxKeeper } from './upstream-keepalive-timeout/nginx.ts';
import { nodeKeeper } from './upstream-keepalive-timeout/node.ts';
import { programKeeper } from './upstream-keepalive-timeout/program.ts';

/** How much longer than the proxy the server is told to wait, ms. */
const margin = 5_000;

export default deploymentRule({
  id: 'upstream-keepalive-timeout',
  severity: 'error',
  summary: 'The application closes idle connections before the proxy does, so requests are sent on connections that are being closed.',
  messages: {
    unset:
      "{setting} is left at {owner}'s {closes}, but {proxy} ({file}) keeps idle connections for {keeps}: {request} sent on a connection that this server is just closing fails with 502. {advice} would outlast {proxy}.",
    short:
      '{setting} is {closes}, but {proxy} ({file}) keeps idle connections for {keeps}: {request} sent on a connection that this server is just closing fails with 502. {advice} would outlast {proxy}.',
  },
  *check({ proxies }) {
    for (const hop of longestHops(proxies)) {
      const { keeper, proxy, route, idle } = hop;
      const { closes } = keeper;
      const advice = idle.low + margin;
      yield {
        at: keeper.at,
        message: keeper.isSet ? 'short' : 'unset',
        ...(idle.source === 'assumed' ? { severity: 'warning' } : {}),
        data: {
          setting: keeper.setting,
          owner: keeper.owner,
          closes: (closes.low < closes.high ? 'at most ' : '') + duration(closes.high),
          keeps: (idle.low < idle.high ? 'at least ' : '') + duration(idle.low),
          proxy: proxy.software,
          request: route.givesUp ? 'a request' : 'a POST',
          file: route.at.text.path,
          advice: keeper.show(advice),
        },
        related: relatedTo(hop),
        fixes: keeper.fixes(advice),
      };
    }
  },
});

/** A connection that a proxy keeps to a server between requests, and that the server is the first to give up. */
interface Hop {
  readonly proxy: Proxy;
  readonly route: ProxyRoute;
  readonly keeper: Keeper;
  /** How long the proxy keeps it, ms. */
  readonly idle: Known;
}

/** Of the hops to a server, the one that the proxy keeps longest. */
function longestHops(proxies: readonly Proxy[]): Iterable<Hop> {
  const longest = new Map<object, Hop>();
  const hops = proxies.flatMap((proxy) =>
    proxy.routes.flatMap((route) => keepersAt(route).flatMap((keeper) => hopTo(keeper, route, proxy) ?? [])),
  );
  for (const hop of hops) {
    const { is } = hop.keeper;
    if (hop.idle.low > (longest.get(is)?.idle.low ?? 0)) longest.set(is, hop);
  }
  return longest.values();
}

function keepersAt({ servers, programs, nginx }: ProxyRoute): readonly Keeper[] {
  const keeper = nginx && nginxKeeper(nginx);
  return [...servers.flatMap((server) => nodeKeeper(server) ?? []), ...programs.map(programKeeper), ...(keeper ? [keeper] : [])];
}

function hopTo(keeper: Keeper, route: ProxyRoute, proxy: Proxy): Hop | undefined {
  if (route.reuse.kind !== 'kept' || route.reuse.idle.low === Infinity) return undefined;
  const { idle } = route.reuse;
  return idle.low >= keeper.closes.high + keeper.buffer ? { proxy, route, keeper, idle } : undefined;
}

/** Where the numbers stand, from the server to the place that passes requests on. */
function relatedTo({ keeper, route, idle }: Hop): readonly Related[] {
  const kept = route.reuse.kind === 'kept' ? route.reuse.evidence : [];
  const ofServer = keeper.evidence.filter(({ place }) => place && !isSame(place, keeper.at));
  return asRelated([...ofServer, ...kept, ...idle.evidence, { place: route.at, says: 'requests are passed on here' }]);
}

function isSame(a: Place, b: Place): boolean {
  return a.text.path === b.text.path && a.range.start === b.range.start && a.range.end === b.range.end;
}

function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}
