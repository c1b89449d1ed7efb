import type { Directive, Word } from '@poolcheck/parsers/nginx/document';
import { effective, type Scope } from '@poolcheck/parsers/nginx/resolve';
import { outermost, placeOf, slice, type Place } from '@poolcheck/parsers/text';
import { isNginx, type Nginx, type NginxRoute, type Proxy, type ProxyRoute } from '../deployment/model.ts';
import type { Fix, Related, Report } from '../finding.ts';
import { groupBy } from '../group.ts';
import { retriesPostsByDefault } from '../knowledge/nginx.ts';
import { timeAt } from '../nginx/times.ts';
import { numberIn } from '../nginx/workers.ts';
import { projectRule } from '../rule.ts';
import { isBefore } from '../version.ts';

type MessageId = 'twice' | 'again' | 'all';

/** So many servers make a request that hangs at each of them worth a bound. */
const many = 3;

export default projectRule({
  id: 'upstream-retry-non-idempotent',
  severity: 'warning',
  summary: 'A proxy sends a POST to another server after the first may have executed it, or a slow request to all servers in turn.',
  messages: {
    twice:
      'A POST is sent again after {events}, to up to {tries} of the {servers} servers of {upstream}: what the first has done by then — an order, a payment — is done once more.',
    again: 'A POST is sent again to {upstream} after {events}: what the server has done by then — an order, a payment — is done once more.',
    all: 'A request that times out is sent to all {servers} servers of {upstream} in turn, {seconds} s each: its client waits for {total} s, and one slow request takes every server out of use.',
  },
  *check({ proxies }) {
    for (const proxy of proxies) yield* isNginx(proxy) ? byNginx(proxy) : byOther(proxy);
  },
});

function* byNginx(nginx: Nginx): Iterable<Report<MessageId>> {
  const retried = nginx.routes.flatMap((route) => retriedRoute(route) ?? []);
  for (const [directive, routes] of groupBy(retried, ({ directive }) => directive)) {
    const [first] = routes.toSorted((a, b) => b.servers - a.servers);
    const said = first && (aboutPosts(first, nginx) ?? aboutTries(first));
    if (said) yield { ...said, at: placeOf(directive.text, directive.range), related: passedOnAt(routes.map(({ route }) => route)) };
  }
}

/** What is told to the controller of an Ingress. */
function* byOther({ software, routes }: Proxy): Iterable<Report<MessageId>> {
  const told = routes.flatMap((route) => (route.resends ? [{ route, ...route.resends }] : []));
  for (const group of groupBy(told, ({ at }) => placeKey(at)).values()) {
    const [first] = group;
    if (!first) continue;
    const services = group.flatMap(({ route }) => route.servers.map(({ service }) => service.name));
    const data = { events: first.events.join(', '), upstream: services[0] ?? `what ${software} passes it on to` };
    yield { at: first.at, message: 'again', data, related: passedOnAt(group.map(({ route }) => route)) };
  }
}

function placeKey(place: Place): string {
  const { text, range } = outermost(place);
  return `${text.path}:${range.start}`;
}

function passedOnAt(routes: readonly ProxyRoute[]): readonly Related[] {
  return routes.map(({ at }) => ({ at, message: 'requests are passed on here' }));
}

/** A route for which a `proxy_next_upstream` is written. */
interface RetriedRoute {
  readonly route: NginxRoute;
  readonly directive: Directive;
  /** What makes nginx try again. */
  readonly events: readonly string[];
  /** The server group, or the address. */
  readonly name: string;
  /** Those that take turns; more than one may stand behind the name of one. */
  readonly servers: number;
  /** The number that is written; 0: no limit. */
  readonly tries: number;
}

function retriedRoute(route: NginxRoute): RetriedRoute | undefined {
  const { scope, protocol } = route.route;
  const directives = (protocol === 'http' && effective(scope, 'proxy_next_upstream')) || [];
  const directive = directives.find(retriesPosts) ?? directives[0];
  if (!directive || directives.some(({ args }) => args.some(({ hole }) => hole))) return undefined;
  const words = directives.flatMap(({ args }) => args.map(({ value }) => value.toLowerCase()));
  const tries = effective(scope, 'proxy_next_upstream_tries');
  const limit = tries?.length === 0 ? 0 : numberIn(tries?.at(-1)?.args[0]);
  if (limit === undefined) return undefined;
  return { route, directive, events: words.filter(isEvent), ...serversOf(route), tries: limit };
}

function retriesPosts({ args }: Directive): boolean {
  return args.some(isNonIdempotent);
}

function isNonIdempotent({ value }: Word): boolean {
  return value.toLowerCase() === 'non_idempotent';
}

function isEvent(word: string): boolean {
  return word !== 'non_idempotent' && word !== 'off';
}

function serversOf({ reached, route }: NginxRoute): Pick<RetriedRoute, 'name' | 'servers'> {
  if (reached.kind !== 'upstream') return { name: route.pass.args[0]?.value ?? '', servers: 1 };
  return { name: reached.upstream.name, servers: reached.upstream.servers.filter(({ down }) => !down).length };
}

type Said = Omit<Report<MessageId>, 'at'>;

function aboutPosts({ route, directive, events, name, servers, tries }: RetriedRoute, { version }: Nginx): Said | undefined {
  if (!retriesPosts(directive) || events.length === 0 || tries === 1) return undefined;
  if (version && isBefore(version, retriesPostsByDefault)) return undefined;
  if (hasNoOther(route, servers) || isPrepared(route.route.scope)) return undefined;
  return {
    message: servers > 1 ? 'twice' : 'again',
    data: { events: events.join(', '), tries: tries === 0 ? servers : Math.min(tries, servers), servers, upstream: name },
    fixes: [withoutWord(directive)].filter((fix) => fix !== undefined),
    symbol: name,
  };
}

/** A single server whose connections are not kept is asked once; a name may stand for several. */
function hasNoOther({ reached, reuse }: NginxRoute, servers: number): boolean {
  if (servers > 1 || reuse.kind === 'kept') return false;
  const address =
    reached.kind === 'upstream' ? reached.upstream.servers[0]?.address : reached.kind === 'address' ? reached.address : undefined;
  return address?.kind === 'unix' || (address?.kind === 'tcp' && /^[\d.]+$|^\[|^localhost$/.test(address.host));
}

/** Only reads get here, or somebody has thought of what comes twice: a header or a comment speaks of idempotency. */
function isPrepared({ directive, level, outer }: Scope): boolean {
  const { block, text } = directive ?? {};
  if (!block || !text || directive?.name.value === 'http') return false;
  const said = slice(text, block.range).replaceAll(/non_idempotent/gi, '');
  const isReadOnly = level.directives.some(
    ({ name, args }) => name.value === 'limit_except' && args.every(({ value }) => /^(GET|HEAD|OPTIONS)$/i.test(value)),
  );
  return isReadOnly || (directive?.name.value === 'location' && /idempoten/i.test(said)) || (outer !== undefined && isPrepared(outer));
}

function withoutWord({ text, args }: Directive): Fix | undefined {
  const at = args.findIndex(isNonIdempotent);
  const [before, word] = [args[at - 1], args[at]];
  if (!word) return undefined;
  const next = args[at + 1];
  const range = before
    ? { start: before.range.end, end: word.range.end }
    : { start: word.range.start, end: next?.range.start ?? word.range.end };
  return { title: 'Send no POST twice', safe: false, edits: [{ text, range, insert: '' }] };
}

/** Nothing bounds the tries, nor the time for all of them. */
function aboutTries({ route: { route }, events, name, servers, tries }: RetriedRoute): Said | undefined {
  const limit = timeAt(route.scope, 'proxy_next_upstream_timeout', 0);
  const each = timeAt(route.scope, 'proxy_read_timeout', 60_000);
  if (!events.includes('timeout') || servers < many || tries !== 0 || limit !== 0 || !each) return undefined;
  const seconds = each / 1000;
  return { message: 'all', severity: 'info', data: { servers, upstream: name, seconds, total: seconds * servers }, symbol: name };
}
