import type { Directive } from '@poolcheck/parsers/nginx/document';
import { effective, named, type Scope } from '@poolcheck/parsers/nginx/resolve';
import type { Reached, Route } from '@poolcheck/parsers/nginx/routes';
import { parseTime } from '@poolcheck/parsers/nginx/time';
import type { Upstream } from '@poolcheck/parsers/nginx/upstreams';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import { balancingMethods, upstreamDefaultsOf, type NginxUpstreamDefaults } from '../../knowledge/nginx.ts';
import { defaulted, weakest, written, type Evidence, type Known } from '../../known.ts';
import type { Version } from '../../version.ts';
import type { Reuse } from '../model.ts';
import { connectionHeader } from './connection-header.ts';

/** Whether nginx sends the next request on the same connection. When the version is not known: only what holds for every one. */
export function reuseOf({ scope, proxyPass }: Route, reached: Reached, version: Version | undefined): Reuse {
  if (reached.kind === 'address') return closed(evidence(proxyPass, 'without an upstream block each request gets a connection of its own'));
  return upstreamDefaultsOf(version)
    .map((defaults) => reuseWith(defaults, scope, reached.upstream))
    .reduce(bothSay);
}

function reuseWith(defaults: NginxUpstreamDefaults, scope: Scope, upstream: Upstream): Reuse {
  const answers = [cache(upstream, defaults), httpVersion(scope, defaults), connection(scope, defaults)];
  const refusal = answers.find(({ keeps }) => keeps === 'no');
  if (refusal) return closed(...refusal.evidence);
  const idle = idleTimeout(upstream, defaults);
  if (!idle || answers.some(({ keeps }) => keeps === 'unknown')) return { kind: 'unknown' };
  return idle.high === 0 ? closed(...idle.evidence) : { kind: 'kept', idle, evidence: answers.flatMap((answer) => answer.evidence) };
}

/** What one of the conditions for reuse says. */
interface Answer {
  readonly keeps: 'yes' | 'no' | 'unknown';
  readonly evidence: readonly Evidence[];
}

function cache(upstream: Upstream, defaults: NginxUpstreamDefaults): Answer {
  const { block } = upstream;
  const [keepalive] = named(block, 'keepalive');
  if (keepalive) return cacheOf(keepalive, upstream, defaults);
  if (!block.complete) return unknown;
  if (defaults.keepalive === 0) return no({ place: head(upstream), says: 'there is no keepalive in this upstream' });
  return yes({
    place: head(upstream),
    says: `nginx keeps ${defaults.keepalive} idle connections to this upstream unless it is told otherwise`,
  });
}

function cacheOf(keepalive: Directive, { block }: Upstream, { methodCancelsKeepalive }: NginxUpstreamDefaults): Answer {
  const size = numberIn(keepalive);
  if (size === undefined) return unknown;
  if (size === 0) return no(evidence(keepalive, 'keepalive 0 closes them'));
  const later = block.directives.slice(block.directives.indexOf(keepalive));
  const method = later.find(({ name }) => balancingMethods.includes(name.value));
  if (method && methodCancelsKeepalive) return no(evidence(method, `${method.name.value} after keepalive turns it off`));
  return yes(evidence(keepalive, `keepalive ${size} keeps idle connections open`));
}

function httpVersion(scope: Scope, defaults: NginxUpstreamDefaults): Answer {
  const found = effective(scope, 'proxy_http_version');
  const directive = found?.at(-1);
  if (!directive) return found ? answer(defaults.httpVersion === '1.1') : unknown;
  const [version] = directive.args;
  if (version?.value === '1.0') return no(evidence(directive, 'HTTP/1.0 closes the connection after each response'));
  return version?.value === '1.1' ? yes() : unknown;
}

function connection(scope: Scope, defaults: NginxUpstreamDefaults): Answer {
  const { says, by } = connectionHeader(scope);
  if (says === 'default') return answer(defaults.connection === undefined);
  if (says === 'close') return no(...(by ? [evidence(by, 'a plain request is sent with Connection: close')] : []));
  return says === 'open' ? yes() : unknown;
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
  return defaulted(keepaliveTimeout, `keepalive_timeout is not set: idle connections are kept ${says}`, head(upstream));
}

/** What two versions of nginx have in common. */
function bothSay(a: Reuse, b: Reuse): Reuse {
  if (a.kind === 'closed' && b.kind === 'closed') return b;
  return a.kind === 'kept' && b.kind === 'kept' ? { ...b, idle: either(a.idle, b.idle) } : { kind: 'unknown' };
}

function either(a: Known, b: Known): Known {
  const { evidence } = a.low < b.low ? a : b;
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), source: weakest([a.source, b.source]), evidence };
}

const unknown: Answer = { keeps: 'unknown', evidence: [] };

function yes(...evidence: readonly Evidence[]): Answer {
  return { keeps: 'yes', evidence };
}

function no(...evidence: readonly Evidence[]): Answer {
  return { keeps: 'no', evidence };
}

function answer(keeps: boolean): Answer {
  return keeps ? yes() : no();
}

function closed(...evidence: readonly Evidence[]): Reuse {
  return { kind: 'closed', evidence };
}

function evidence({ text, range }: Directive, says: string): Evidence {
  return { place: placeOf(text, range), says };
}

function numberIn({ args }: Directive): number | undefined {
  const [word] = args;
  return word && !word.hole && /^\d+$/.test(word.value) ? Number(word.value) : undefined;
}

/** `upstream NAME` */
function head({ directive }: Upstream): Place {
  const end = directive.args[0]?.range.end ?? directive.name.range.end;
  return placeOf(directive.text, { start: directive.range.start, end });
}
