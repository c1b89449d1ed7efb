import { named } from '@poolcheck/parsers/nginx/resolve';
import { upstreamsOf, type Upstream } from '@poolcheck/parsers/nginx/upstreams';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import type { Nginx, NginxRoute, RoutedServer } from '../deployment/model.ts';
import { headOf } from '../deployment/proxies/reuse.ts';
import type { Related, Report } from '../finding.ts';
import { balancingMethods, upstreamDefaultsOf } from '../knowledge/nginx.ts';
import { exceeds, product, sum, written, type Known } from '../known.ts';
import { addAfter, remove, replaceWord } from '../nginx/edits.ts';
import { numberIn, workersOf } from '../nginx/workers.ts';
import { nginxRule } from '../rule.ts';
import { evaluate } from '../source/setting.ts';

type MessageId = 'fewer' | 'more' | 'order';

export default nginxRule({
  id: 'upstream-keepalive-size',
  severity: 'warning',
  summary: 'nginx keeps too few connections for the servers behind it, more than they accept, or none because of the order of its lines.',
  messages: {
    fewer:
      'keepalive {size} is fewer than the {servers} servers of {upstream}: asked in turn, each has lost its connection to the others by the time it is asked again, and nearly every request opens a new one.',
    more: '{workers} workers keep up to {size} idle connections each{instances}, {demand} in all, but the servers of {upstream} accept {accepts}: idle connections lock out requests.',
    order:
      'Before nginx 1.29.7, {method} after keepalive replaces it: {upstream} keeps no connection, and nginx only warns of a "load balancing method redefined".',
  },
  *check(nginx) {
    for (const [, upstream] of upstreamsOf(nginx.config)) {
      yield* aboutOrder(upstream, nginx);
      const routes = nginx.routes.filter(({ reached, reuse }) => isTo(reached, upstream) && reuse.kind === 'kept');
      if (routes.length === 0) continue;
      yield* aboutServers(upstream);
      yield* aboutWorkers(upstream, routes, nginx);
    }
  },
});

function isTo(reached: NginxRoute['reached'], upstream: Upstream): boolean {
  return reached.kind === 'upstream' && reached.upstream.directive === upstream.directive;
}

function* aboutOrder({ name, block }: Upstream, { version }: Nginx): Iterable<Report<MessageId>> {
  const [keepalive] = named(block, 'keepalive');
  const defaults = upstreamDefaultsOf(version).map(({ methodCancelsKeepalive }) => methodCancelsKeepalive);
  if (!keepalive || !defaults.includes(true)) return;
  const later = block.directives.slice(block.directives.indexOf(keepalive));
  const method = later.findLast((directive) => balancingMethods.includes(directive.name.value));
  if (!method) return;
  yield {
    at: placeOf(keepalive.text, keepalive.range),
    message: 'order',
    ...(defaults.includes(false) && { severity: 'info' }),
    data: { method: method.name.value, upstream: name },
    related: [{ at: placeOf(method.text, method.range), message: 'this must come first' }],
    fixes: [
      {
        title: `Move keepalive behind ${method.name.value}`,
        safe: false,
        edits: [addAfter(method, [`keepalive ${keepalive.args.map(({ value }) => value).join(' ')};`]), remove(keepalive)],
      },
    ],
    symbol: name,
  };
}

/** Methods that send a client always to the same server need no connection to the others. */
const sticky: ReadonlySet<string> = new Set(['hash', 'ip_hash', 'sticky']);

function* aboutServers({ name, block, servers }: Upstream): Iterable<Report<MessageId>> {
  const [keepalive] = named(block, 'keepalive');
  const [word] = keepalive?.args ?? [];
  const size = numberIn(word);
  const inTurn = servers.filter(({ down, backup }) => !down && !backup);
  if (!keepalive || !word || size === undefined || size >= inTurn.length) return;
  if (block.directives.some((directive) => sticky.has(directive.name.value))) return;
  yield {
    at: placeOf(keepalive.text, keepalive.range),
    message: 'fewer',
    data: { size, servers: inTurn.length, upstream: name },
    related: inTurn.map(({ directive }) => ({ at: placeOf(directive.text, directive.range), message: 'one of them' })),
    fixes: [{ title: `Keep two for each server`, safe: false, edits: [replaceWord(keepalive, word, String(inTurn.length * 2))] }],
    symbol: name,
  };
}

/** What all workers keep, against what the applications say they accept. */
function* aboutWorkers(upstream: Upstream, routes: readonly NginxRoute[], nginx: Nginx): Iterable<Report<MessageId>> {
  const size = sizeOf(upstream, nginx);
  const accepts = acceptedBy(upstream, routes);
  if (!size || !accepts) return;
  const workers = workersOf(nginx.config);
  const demand = product([workers, size, nginx.instances]);
  if (!exceeds(demand, accepts)) return;
  yield {
    at: size.evidence[0]?.place ?? headOf(upstream),
    message: 'more',
    data: {
      workers: workers.low,
      size: size.low,
      instances: nginx.instances.low > 1 ? ` in ${nginx.instances.low} instances` : '',
      demand: demand.low,
      upstream: upstream.name,
      accepts: accepts.high,
    },
    related: [workers, nginx.instances, accepts].flatMap(relatedTo),
    symbol: upstream.name,
  };
}

/** Of one process; what an unknown version keeps unasked does not count. */
function sizeOf(upstream: Upstream, { version }: Nginx): Known | undefined {
  const [keepalive] = named(upstream.block, 'keepalive');
  if (!keepalive) {
    const [defaults, ...others] = upstreamDefaultsOf(version);
    return defaults && others.length === 0
      ? written(defaults.keepalive, `nginx keeps ${defaults.keepalive} unasked`, headOf(upstream))
      : undefined;
  }
  const size = numberIn(keepalive.args[0]);
  return size === undefined ? undefined : written(size, `keepalive ${size}`, placeOf(keepalive.text, keepalive.range));
}

/** undefined unless every server of the upstream is an application that limits its connections. */
function acceptedBy({ servers }: Upstream, routes: readonly NginxRoute[]): Known | undefined {
  const [route] = routes;
  const limits = route?.servers.map(limitOf) ?? [];
  const isWhole = limits.length > 0 && limits.length >= servers.filter(({ down }) => !down).length;
  return isWhole && limits.every((limit) => limit !== undefined) ? sum(limits) : undefined;
}

function limitOf({ server, service }: RoutedServer): Known | undefined {
  const { maxConnections } = server;
  const [outcome, ...others] = (maxConnections && evaluate(maxConnections, service.environment)) ?? [];
  if (!maxConnections || !outcome || others.length > 0 || typeof outcome.value !== 'number') return undefined;
  const limit = written(outcome.value, `maxConnections is ${outcome.value}`, maxConnections.place);
  return product([limit, service.instances, service.processes]);
}

function relatedTo({ evidence }: Known): readonly Related[] {
  const places = new Map<string, Related>();
  for (const { place, says } of evidence) if (place) places.set(keyOf(place), { at: place, message: says });
  return [...places.values()];
}

function keyOf({ text, range }: Place): string {
  return `${text.path}:${range.start}`;
}
