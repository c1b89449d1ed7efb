import type { Directive } from '@poolcheck/parsers/nginx/document';
import { effective, named, type Scope } from '@poolcheck/parsers/nginx/resolve';
import type { Reached, Route } from '@poolcheck/parsers/nginx/routes';
import { parseTime } from '@poolcheck/parsers/nginx/time';
import type { Upstream } from '@poolcheck/parsers/nginx/upstreams';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import { numberIn } from '../../nginx/workers.ts';
import { balancingMethods, upstreamDefaultsOf, type NginxUpstreamDefaults } from '../../knowledge/nginx.ts';
import { defaulted, weakest, written, type Evidence, type Known } from '../../known.ts';
import type { Version } from '../../version.ts';
import type { CertainReuse, CloseCause, Reuse } from '../model.ts';
import { closingPair, connectionHeader, lostConnection } from './connection-header.ts';

/** Whether nginx sends the next request on the same connection. When the version is not known: what holds for every one, or what decides. */
export function reuseOf(route: Route, reached: Reached, version: Version | undefined): Reuse {
  if (reached.kind !== 'upstream') return { kind: 'closed', causes: [noGroup(route.pass)] };
  const { upstream } = reached;
  return together(upstreamDefaultsOf(version).map((defaults) => ({ since: defaults.since, reuse: reuseWith(defaults, route, upstream) })));
}

function noGroup(pass: Directive): CloseCause {
  return cause('address', pass, 'without an upstream block each request gets a connection of its own');
}

function reuseWith(defaults: NginxUpstreamDefaults, route: Route, upstream: Upstream): CertainReuse {
  const answers = [cache(upstream, defaults), ...conditions(route, defaults)];
  const idle = idleTimeout(upstream, defaults);
  const causes = [
    ...answers.flatMap((answer) => (answer.keeps === 'no' ? answer.causes : [])),
    ...(idle?.high === 0 ? noIdleTime(upstream) : []),
  ];
  if (causes.length > 0) return { kind: 'closed', causes };
  if (!idle || answers.some(({ keeps }) => keeps === 'unknown')) return { kind: 'unknown' };
  return { kind: 'kept', idle, evidence: answers.flatMap((answer) => (answer.keeps === 'yes' ? answer.evidence : [])) };
}

/** What else reuse needs, by what is spoken. */
function conditions({ protocol, scope, pass }: Route, defaults: NginxUpstreamDefaults): readonly Answer[] {
  switch (protocol) {
    case 'http':
      return [httpVersion(scope, pass, defaults), connection(scope, pass, defaults)];
    case 'fastcgi':
      return [keepConn(scope, pass)];
    case 'uwsgi':
    case 'scgi':
      return [no(cause('protocol', pass, `nginx never keeps connections of ${protocol}`))];
    case 'grpc':
    case 'memcached':
      return [];
  }
}

/** What one of the conditions for reuse says. */
type Answer =
  | { readonly keeps: 'yes'; readonly evidence: readonly Evidence[] }
  | { readonly keeps: 'no'; readonly causes: readonly CloseCause[] }
  | { readonly keeps: 'unknown' };

function cache(upstream: Upstream, defaults: NginxUpstreamDefaults): Answer {
  const { block, directive } = upstream;
  const [keepalive] = named(block, 'keepalive');
  if (keepalive) return cacheOf(keepalive, upstream, defaults);
  if (!block.complete) return unknown;
  if (defaults.keepalive === 0) {
    return no({ kind: 'noKeepalive', by: directive, place: headOf(upstream), says: 'there is no keepalive in this upstream' });
  }
  return yes({
    place: headOf(upstream),
    says: `nginx keeps ${defaults.keepalive} idle connections to this upstream unless it is told otherwise`,
  });
}

function cacheOf(keepalive: Directive, { block }: Upstream, { methodCancelsKeepalive }: NginxUpstreamDefaults): Answer {
  const size = numberIn(keepalive.args[0]);
  if (size === undefined) return unknown;
  if (size === 0) return no(cause('keepaliveOff', keepalive, 'keepalive 0 closes them'));
  const later = block.directives.slice(block.directives.indexOf(keepalive));
  const method = later.find(({ name }) => balancingMethods.includes(name.value));
  if (method && methodCancelsKeepalive) return no(cause('order', method, `${method.name.value} after keepalive turns it off`));
  return yes(evidence(keepalive, `keepalive ${size} keeps idle connections open`));
}

function httpVersion(scope: Scope, pass: Directive, defaults: NginxUpstreamDefaults): Answer {
  const found = effective(scope, 'proxy_http_version');
  const directive = found?.at(-1);
  if (!found) return unknown;
  if (!directive) return defaults.httpVersion === '1.1' ? yes() : no(cause('http10', pass, 'nothing asks for HTTP/1.1 here'));
  const [version] = directive.args;
  if (version?.value === '1.0') return no(cause('http10', directive, 'HTTP/1.0 closes the connection after each response'));
  return version?.value === '1.1' ? yes() : unknown;
}

function connection(scope: Scope, pass: Directive, defaults: NginxUpstreamDefaults): Answer {
  const { says, by } = connectionHeader(scope);
  if (says === 'default') return defaults.connection === undefined ? yes() : no(closedByDefault(scope, pass));
  if (says === 'open') return yes();
  if (says === 'unknown' || !by) return unknown;
  const pair = closingPair(by, scope);
  if (pair) return no(cause('closeMap', pair, 'a plain request is sent with Connection: close'));
  return no(cause('close', by, 'every request is sent with Connection: close'));
}

function closedByDefault(scope: Scope, pass: Directive): CloseCause {
  const lost = lostConnection(scope);
  if (!lost) return cause('closeByDefault', pass, 'nothing takes Connection: close away here');
  return { ...cause('lost', lost.header, 'a block further in has headers of its own, and so none of these'), lost: lost.names };
}

function keepConn(scope: Scope, pass: Directive): Answer {
  const found = effective(scope, 'fastcgi_keep_conn');
  const directive = found?.at(-1);
  if (!found) return unknown;
  if (directive && directive.args[0]?.hole) return unknown;
  const isOn = directive?.args[0]?.value.toLowerCase() === 'on';
  return isOn ? yes() : no(cause('keepConn', directive ?? pass, 'fastcgi_keep_conn is off'));
}

function noIdleTime({ block }: Upstream): readonly CloseCause[] {
  return named(block, 'keepalive_timeout').map((directive) => cause('noIdleTime', directive, 'keepalive_timeout 0 closes them at once'));
}

/** Milliseconds; undefined when it cannot be told. */
function idleTimeout(upstream: Upstream, { keepaliveTimeout }: NginxUpstreamDefaults): Known | undefined {
  const [directive] = named(upstream.block, 'keepalive_timeout');
  if (directive) {
    const [time] = directive.args;
    const milliseconds = time && !time.hole ? parseTime(time.value) : undefined;
    return milliseconds === undefined
      ? undefined
      : written(milliseconds, `keepalive_timeout ${time?.value}`, placeOf(directive.text, directive.range));
  }
  if (!upstream.block.complete) return undefined;
  const says = keepaliveTimeout === Infinity ? 'for ever' : `for ${keepaliveTimeout / 1000} s`;
  return defaulted(keepaliveTimeout, `keepalive_timeout is not set: idle connections are kept ${says}`, headOf(upstream));
}

interface ByVersion {
  readonly since: Version;
  readonly reuse: CertainReuse;
}

/** What ascending versions of nginx have in common, or where they part. */
function together(all: readonly ByVersion[]): Reuse {
  const firstOpen = all.findIndex(({ reuse }) => reuse.kind !== 'closed');
  const closed = firstOpen < 0 ? all : all.slice(0, firstOpen);
  const [open, ...later] = all.slice(closed.length);
  const before = closed.at(-1)?.reuse;
  if (!open) return before ?? { kind: 'unknown' };
  const after = later.map(({ reuse }) => reuse).reduce(inBoth, open.reuse);
  return before?.kind === 'closed' ? { kind: 'depends', since: open.since, before, after } : after;
}

function inBoth(a: CertainReuse, b: CertainReuse): CertainReuse {
  return a.kind === 'kept' && b.kind === 'kept' ? { ...b, idle: either(a.idle, b.idle) } : { kind: 'unknown' };
}

function either(a: Known, b: Known): Known {
  const { evidence } = a.low < b.low ? a : b;
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), source: weakest([a.source, b.source]), evidence };
}

const unknown: Answer = { keeps: 'unknown' };

function yes(...evidence: readonly Evidence[]): Answer {
  return { keeps: 'yes', evidence };
}

function no(...causes: readonly CloseCause[]): Answer {
  return { keeps: 'no', causes };
}

function cause(kind: CloseCause['kind'], by: Directive, says: string): CloseCause {
  return { kind, by, ...evidence(by, says) };
}

function evidence({ text, range }: Directive, says: string): Evidence {
  return { place: placeOf(text, range), says };
}

/** `upstream NAME` */
export function headOf({ directive }: Upstream): Place {
  const end = directive.args[0]?.range.end ?? directive.name.range.end;
  return placeOf(directive.text, { start: directive.range.start, end });
}
