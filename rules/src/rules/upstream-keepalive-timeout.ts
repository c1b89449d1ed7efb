import type { Place } from '@poolcheck/parsers/text';
import type { Kept, Proxy, ProxyRoute } from '../deployment/model.ts';
import { asRelated, type Related } from '../finding.ts';
import type { Known } from '../known.ts';
import { deploymentRule } from '../rule.ts';
import { showVersion, type Version } from '../version.ts';
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
    unsetSince:
      "{setting} is left at {owner}'s {closes}, but from version {since} on {proxy} ({file}) keeps idle connections for {keeps}: {request} sent on a connection that this server is just closing fails with 502. {advice} would outlast {proxy}.",
    short:
      '{setting} is {closes}, but {proxy} ({file}) keeps idle connections for {keeps}: {request} sent on a connection that this server is just closing fails with 502. {advice} would outlast {proxy}.',
    shortSince:
      '{setting} is {closes}, but from version {since} on {proxy} ({file}) keeps idle connections for {keeps}: {request} sent on a connection that this server is just closing fails with 502. {advice} would outlast {proxy}.',
  },
  *check({ proxies }) {
    for (const hop of longestHops(proxies)) {
      const { keeper, proxy, route, idle, since } = hop;
      const { closes } = keeper;
      const advice = idle.low + margin;
      yield {
        at: keeper.at,
        message: `${keeper.isSet ? 'short' : 'unset'}${since ? 'Since' : ''}`,
        ...(since ? { severity: 'info' } : idle.source === 'assumed' ? { severity: 'warning' } : {}),
        data: {
          setting: keeper.setting,
          owner: keeper.owner,
          closes: (closes.low < closes.high ? 'at most ' : '') + duration(closes.high),
          keeps: (idle.low < idle.high ? 'at least ' : '') + duration(idle.low),
          proxy: proxy.software,
          since: since ? showVersion(since) : '',
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
  /** The version of the proxy from which on it keeps connections, when it is not known which one runs. */
  readonly since: Version | undefined;
}

/** Of the hops to a server, the one that the proxy keeps longest; one that a version decides only where there is no other. */
function longestHops(proxies: readonly Proxy[]): Iterable<Hop> {
  const hops = proxies.flatMap((proxy) =>
    proxy.routes.flatMap((route) => keepersAt(route).flatMap((keeper) => hopTo(keeper, route, proxy) ?? [])),
  );
  const inAnyVersion = hops.filter(({ since }) => since === undefined);
  return new Map([...longestByServer(hops), ...longestByServer(inAnyVersion)]).values();
}

function longestByServer(hops: readonly Hop[]): ReadonlyMap<object, Hop> {
  const ascending = hops.toSorted((a, b) => a.idle.low - b.idle.low);
  return new Map(ascending.map((hop) => [hop.keeper.is, hop]));
}

function keepersAt({ servers, programs, nginx }: ProxyRoute): readonly Keeper[] {
  const keeper = nginx && nginxKeeper(nginx);
  return [...servers.flatMap((server) => nodeKeeper(server) ?? []), ...programs.map(programKeeper), ...(keeper ? [keeper] : [])];
}

function hopTo(keeper: Keeper, route: ProxyRoute, proxy: Proxy): Hop | undefined {
  const { idle } = keptBy(route) ?? {};
  if (!idle || idle.low === Infinity || idle.low < keeper.closes.high + keeper.buffer) return undefined;
  return { proxy, route, keeper, idle, since: route.reuse.kind === 'depends' ? route.reuse.since : undefined };
}

function keptBy({ reuse }: ProxyRoute): Kept | undefined {
  const certain = reuse.kind === 'depends' ? reuse.after : reuse;
  return certain.kind === 'kept' ? certain : undefined;
}

/** Where the numbers stand, from the server to the place that passes requests on. */
function relatedTo({ keeper, route, idle }: Hop): readonly Related[] {
  const kept = keptBy(route)?.evidence ?? [];
  const ofServer = keeper.evidence.filter(({ place }) => place && !isSame(place, keeper.at));
  return asRelated([...ofServer, ...kept, ...idle.evidence, { place: route.at, says: 'requests are passed on here' }]);
}

function isSame(a: Place, b: Place): boolean {
  return a.text.path === b.text.path && a.range.start === b.range.start && a.range.end === b.range.end;
}

function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}
