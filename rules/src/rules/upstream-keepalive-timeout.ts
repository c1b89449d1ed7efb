import { slice, type Place } from '@poolcheck/parsers/text';
import type { Proxy, ProxyRoute, RoutedServer } from '../deployment/model.ts';
import { asRelated, type Fix, type Related } from '../finding.ts';
import { httpServerDefault, keepAliveTimeoutBuffer } from '../knowledge/node-http.ts';
import type { Evidence, Known } from '../known.ts';
import { deploymentRule } from '../rule.ts';
import { keepAliveTimeoutOf } from '../source/idle-timeout.ts';
import type { HttpServer } from '../source/servers.ts';

/** How much longer than the proxy the server is told to wait, ms. */
const margin = 5_000;

export default deploymentRule({
  id: 'upstream-keepalive-timeout',
  severity: 'error',
  summary: 'The application closes idle connections before the proxy does, so requests are sent on connections that are being closed.',
  messages: {
    unset:
      "keepAliveTimeout is left at {owner}'s {closes}, but {proxy} ({file}) keeps idle connections for {keeps}: a POST sent on a connection that this server is just closing fails with 502. {advice} ms would outlast {proxy}.",
    short:
      'keepAliveTimeout is {closes}, but {proxy} ({file}) keeps idle connections for {keeps}: a POST sent on a connection that this server is just closing fails with 502. {advice} ms would outlast {proxy}.',
  },
  *check({ proxies }) {
    for (const [server, { proxy, route, idle, closes }] of longestHops(proxies)) {
      const advice = idle.low + margin;
      yield {
        at: server.keepAliveTimeout?.place ?? server.place,
        message: server.keepAliveTimeout ? 'short' : 'unset',
        ...(idle.source === 'assumed' ? { severity: 'warning' } : {}),
        data: {
          owner: httpServerDefault(server.framework)?.owner ?? server.framework,
          closes: (closes.low < closes.high ? 'at most ' : '') + duration(closes.high),
          keeps: (idle.low < idle.high ? 'at least ' : '') + duration(idle.low),
          proxy: proxy.software,
          file: route.at.text.path,
          advice,
        },
        related: relatedTo(server, { proxy, route, idle, closes }),
        fixes: fixesFor(server, advice),
      };
    }
  },
});

/** A connection that a proxy keeps to a server between requests, and that the server is the first to give up. */
interface Hop {
  readonly proxy: Proxy;
  readonly route: ProxyRoute;
  /** How long the proxy keeps it, ms. */
  readonly idle: Known;
  /** How long the server keeps it, ms. */
  readonly closes: Known;
}

/** Of the hops to a server, the one that the proxy keeps longest. */
function longestHops(proxies: readonly Proxy[]): ReadonlyMap<HttpServer, Hop> {
  const longest = new Map<HttpServer, Hop>();
  const routed = proxies.flatMap((proxy) => proxy.routes.flatMap((route) => route.servers.map((each) => ({ proxy, route, ...each }))));
  for (const { proxy, route, server, service } of routed) {
    const hop = hopTo({ server, service }, route, proxy);
    if (hop && hop.idle.low > (longest.get(server)?.idle.low ?? 0)) longest.set(server, hop);
  }
  return longest;
}

function hopTo({ server, service }: RoutedServer, route: ProxyRoute, proxy: Proxy): Hop | undefined {
  if (route.reuse.kind !== 'kept' || route.reuse.idle.low === Infinity) return undefined;
  const { idle } = route.reuse;
  const closes = keepAliveTimeoutOf(server, service.environment);
  return closes && idle.low >= closes.high + keepAliveTimeoutBuffer ? { proxy, route, idle, closes } : undefined;
}

/** Where the numbers stand, from the server to the place that passes requests on. */
function relatedTo(server: HttpServer, { route, idle, closes }: Hop): readonly Related[] {
  const kept = route.reuse.kind === 'kept' ? route.reuse.evidence : [];
  const set = server.keepAliveTimeout;
  const evidence: readonly Evidence[] = [
    ...(set ? [{ place: server.place, says: 'the server is made here' }] : []),
    ...closes.evidence.filter(({ place }) => place && !isSame(place, set?.place ?? server.place)),
    ...kept,
    ...idle.evidence,
    { place: route.at, says: 'requests are passed on here' },
  ];
  return asRelated(evidence);
}

function isSame(a: Place, b: Place): boolean {
  return a.text.path === b.text.path && a.range.start === b.range.start && a.range.end === b.range.end;
}

function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

function fixesFor({ keepAliveTimeout, variable }: HttpServer, milliseconds: number): readonly Fix[] {
  const number = String(milliseconds).replace(/\B(?=(?:\d{3})+$)/g, '_');
  if (keepAliveTimeout) {
    return keepAliveTimeout.kind === 'literal' ? [fix(`Raise it to ${number} ms`, keepAliveTimeout.place, number)] : [];
  }
  return variable ? [fix(`Set keepAliveTimeout to ${number} ms`, after(variable.declaration), assignment(variable, number))] : [];
}

function fix(title: string, { text, range }: Place, insert: string): Fix {
  return { title, safe: false, edits: [{ text, range, insert }] };
}

function after({ text, range }: Place): Place {
  return { text, range: { start: range.end, end: range.end } };
}

/** On a line of its own, as the declaration is indented and ended. */
function assignment({ name, declaration }: NonNullable<HttpServer['variable']>, number: string): string {
  const { text, range } = declaration;
  const line = text.content.slice(text.content.lastIndexOf('\n', range.start - 1) + 1, range.start);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return `\n${indent}${name}.keepAliveTimeout = ${number}${slice(text, range).endsWith(';') ? ';' : ''}`;
}
