import { effective } from '@poolcheck/parsers/nginx/resolve';
import type { Upstream } from '@poolcheck/parsers/nginx/upstreams';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import type { CloseCause, Nginx, NginxRoute } from '../deployment/model.ts';
import { isForWebSockets } from '../deployment/proxies/connection-header.ts';
import { headOf } from '../deployment/proxies/reuse.ts';
import type { Related, Report } from '../finding.ts';
import { groupBy } from '../group.ts';
import { closesItself, isWorthKeeping, showAddress } from '../nginx/addresses.ts';
import { declareUpstreams, serverAround } from '../nginx/declare-upstream.ts';
import { keepConnections } from '../nginx/keep-fixes.ts';
import { nginxRule } from '../rule.ts';
import { showVersion, type Version } from '../version.ts';

type MessageId = 'never' | 'neverBefore' | 'ineffective' | 'ineffectiveBefore' | 'address' | 'addressWithLines';

export default nginxRule({
  id: 'upstream-keepalive',
  severity: 'warning',
  summary: 'nginx opens a new connection to the application for every request.',
  messages: {
    never: 'Each request to {upstream} opens a connection of its own: {because}.',
    neverBefore: 'Before nginx {since}, each request to {upstream} opens a connection of its own: {because}.',
    ineffective: 'keepalive {size} of {upstream} has no effect here, each request opens a connection of its own: {because}.',
    ineffectiveBefore:
      'Before nginx {since}, keepalive {size} of {upstream} has no effect here, each request opens a connection of its own: {because}.',
    address: 'Each request to {address} opens a connection of its own: nginx keeps connections only to the servers of an upstream block.',
    addressWithLines:
      'Each request to {address} opens a connection of its own: nginx keeps connections only to the servers of an upstream block. HTTP/1.1 without Connection: close only makes nginx the side that closes: its 28,232 ports, each taken for 60 s, last for 470 requests a second.',
  },
  *check(nginx) {
    yield* aboutUpstreams(nginx);
    yield* aboutAddresses(nginx);
  },
});

/** A route whose connections to a group are closed for reasons that nobody meant. */
interface ClosedRoute {
  readonly route: NginxRoute;
  readonly upstream: Upstream;
  readonly causes: readonly CloseCause[];
  /** The version from which on they are kept, when it is not known which one runs. */
  readonly since: Version | undefined;
}

function* aboutUpstreams({ routes }: Nginx): Iterable<Report<MessageId>> {
  const closed = routes.flatMap((route) => closedRoute(route) ?? []);
  for (const [, group] of groupBy(closed, keyOf)) {
    const [first] = group;
    if (first) yield reportOf(first, group);
  }
}

function closedRoute(route: NginxRoute): ClosedRoute | undefined {
  const { reuse, reached } = route;
  if (reached.kind !== 'upstream' || isForWebSockets(route.route.scope)) return undefined;
  const closed = reuse.kind === 'depends' ? reuse.before : reuse;
  if (closed.kind !== 'closed' || isMeant(closed.causes, route, reached.upstream)) return undefined;
  // What a balancing method does to keepalive is said by upstream-keepalive-size.
  const causes = closed.causes.filter(({ kind }) => kind !== 'order');
  if (causes.length === 0) return undefined;
  return { route, upstream: reached.upstream, causes, since: reuse.kind === 'depends' ? reuse.since : undefined };
}

/** Connections are closed on purpose, or need not be kept: to sockets, and to servers that speak FastCGI and its like. */
function isMeant(causes: readonly CloseCause[], { route }: NginxRoute, { block, servers }: Upstream): boolean {
  if (causes.some(({ kind }) => kind === 'keepaliveOff')) return true;
  if (block.directives.some(({ name }) => name.value === 'keepalive')) return false;
  const isLocal = servers.every(({ address }) => address?.kind === 'unix');
  const isWeb = route.protocol === 'http' || route.protocol === 'grpc' || route.protocol === 'memcached';
  return isLocal || !isWeb || causes.some(({ kind }) => kind === 'close');
}

/** What has the same remedy is one fault. */
function keyOf({ route, upstream, causes }: ClosedRoute): string {
  const at = pointOf(route, upstream, causes);
  return isSame(at, route.at) ? [upstream.name, ...causes.map(({ kind }) => kind)].join() : `${at.text.path}:${at.range.start}`;
}

/** The block that lacks keepalive, the line that closes, or the place that passes on. */
function pointOf(route: NginxRoute, upstream: Upstream, causes: readonly CloseCause[]): Place {
  if (causes.some(({ kind }) => kind === 'noKeepalive')) return headOf(upstream);
  const written = causes.find(({ kind, by }) => kind !== 'lost' && by !== route.route.pass);
  return written ? placeOf(written.by.text, written.by.range) : route.at;
}

function reportOf({ route, upstream, causes, since }: ClosedRoute, group: readonly ClosedRoute[]): Report<MessageId> {
  const keepalive = upstream.block.directives.find(({ name }) => name.value === 'keepalive');
  const at = pointOf(route, upstream, causes);
  const edits = keepConnections(
    group.map((each) => each.route),
    (each) => group.find((one) => one.route === each)?.causes ?? [],
  );
  return {
    at,
    message: keepalive ? (since ? 'ineffectiveBefore' : 'ineffective') : since ? 'neverBefore' : 'never',
    ...(since && { severity: 'info' }),
    data: {
      upstream: upstream.name,
      size: keepalive?.args[0]?.value ?? '',
      because: because(causes),
      since: since ? showVersion(since) : '',
    },
    related: [
      ...causes.flatMap(({ place, says }) => (place ? [{ at: place, message: says }] : [])),
      ...(keepalive ? [{ at: placeOf(keepalive.text, keepalive.range), message: 'this would keep them' }] : []),
      ...probesOf(route),
      ...group.map((each): Related => ({ at: each.route.at, message: 'requests are passed on here' })),
    ].filter((related, index, all) => !isSame(related.at, at) && all.findIndex((each) => isSame(each.at, related.at)) === index),
    fixes: edits.length > 0 ? [{ title: 'Let nginx keep the connections', safe: false, edits }] : [],
    symbol: upstream.name,
  };
}

/** https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_socket_keepalive */
function probesOf({ route }: NginxRoute): readonly Related[] {
  const [probes] = effective(route.scope, 'proxy_socket_keepalive') ?? [];
  if (probes?.args[0]?.value !== 'on') return [];
  return [{ at: placeOf(probes.text, probes.range), message: 'this sends TCP probes, and keeps no connection for the next request' }];
}

function isSame(a: Place, b: Place): boolean {
  return a.text.path === b.text.path && a.range.start === b.range.start;
}

/** An upstream without keepalive needs the rest only afterwards. */
function because(causes: readonly CloseCause[]): string {
  const decisive = causes.filter(({ kind }) => kind === 'noKeepalive');
  return (decisive.length > 0 ? decisive : causes).map(reasonOf).join(', and ');
}

function reasonOf({ kind, by, lost = [], says }: CloseCause): string {
  switch (kind) {
    case 'http10':
      return 'nginx speaks HTTP/1.0';
    case 'closeByDefault':
    case 'close':
      return 'nginx sends Connection: close';
    case 'lost':
      return `this block has proxy_set_header lines of its own, so that nginx drops those around it (${lost.map(headerName).join(', ')}) and sends Connection: close`;
    case 'closeMap':
      return `requests that do not become WebSockets are sent with Connection: ${by.args[0]?.value}`;
    default:
      return says;
  }
}

function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** One finding for the addresses of a server block, which are mended in one place. */
function* aboutAddresses(nginx: Nginx): Iterable<Report<MessageId>> {
  const routes = nginx.routes.filter((route) => isWorthKeeping(route) && !isForWebSockets(route.route.scope));
  const addresses = [...groupBy(routes, showAddress).values()];
  for (const message of ['address', 'addressWithLines'] as const) {
    const alike = addresses.filter((group) => message === messageOf(group, nginx));
    for (const [, groups] of groupBy(alike, ([first]) => first && serverAround(first.route.scope))) {
      const [first, ...others] = groups.flat();
      if (!first) continue;
      yield {
        at: first.at,
        message,
        severity: 'info',
        data: { address: groups.flatMap(([each]) => (each ? showAddress(each) : [])).join(', ') },
        related: [...others.map(({ at }) => ({ at, message: 'so does this' })), ...probesOf(first)],
        fixes: declareUpstreams(groups, nginx),
      };
    }
  }
}

function messageOf(routes: readonly NginxRoute[], { version }: Nginx): 'address' | 'addressWithLines' {
  return routes.some((route) => closesItself(route, version)) ? 'addressWithLines' : 'address';
}
