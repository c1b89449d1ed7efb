import { parseTime } from '@poolcheck/parsers/nginx/time';
import { defaulted } from '../../../known.ts';
import type { TimeLimit } from '../../../source/limits/time-limit.ts';
import type { Resending, Reuse } from '../../model.ts';
import { firstOf, type Settings, type Told } from '../told.ts';
import { type Handled, type Handling, numberIn } from './handling.ts';

/** Seconds: what nginx has where the controller sets nothing, and what the controller sets. */
const [idleByDefault, readByDefault] = [60, 60];

/** https://docs.nginx.com/nginx-ingress-controller/configuration/ingress-resources/advanced-configuration-with-annotations/ */
export const byNginxInc: Handling = (handled) => ({ reuse: reuse(handled), answer: answer(handled), resends: resends(handled) });

/** The fields of an upstream of a VirtualServer by the annotations that say the same: `read-timeout` is `nginx.org/proxy-read-timeout`. */
export function asAnnotations(upstream: Settings): Settings {
  return (key) => upstream(key.replace(/^nginx\.org\/(?:proxy-)?/, ''));
}

function told(key: string, { annotations, config }: Handled): Told {
  return firstOf(annotations(`nginx.org/${key}`), config(key));
}

/** Without `keepalive` the version of the nginx inside decides. */
function reuse(handled: Handled): Reuse {
  const keepalive = told('keepalive', handled);
  const isSpecial = ['grpc-services', 'websocket-services'].some((key) => handled.annotations(`nginx.org/${key}`) !== undefined);
  if (typeof keepalive !== 'object' || !/^[1-9]\d*$/.test(keepalive.value) || isSpecial) return { kind: 'unknown' };
  const says = `keepalive ${keepalive.value} keeps idle connections open, for nginx's ${idleByDefault} s`;
  return { kind: 'kept', idle: defaulted(idleByDefault * 1000, says, keepalive.at), evidence: [] };
}

function answer(handled: Handled): TimeLimit | undefined {
  const time = told('proxy-read-timeout', handled);
  if (time === 'unknown') return undefined;
  const milliseconds = time ? parseTime(time.value) : readByDefault * 1000;
  const place = time?.at ?? handled.at;
  const number = time && numberIn(time.at, time.value, 's');
  return milliseconds === undefined ? undefined : { milliseconds, of: 'proxy-read-timeout', place, number };
}

function resends(handled: Handled): Resending | undefined {
  const events = told('proxy-next-upstream', handled);
  const words = typeof events === 'object' ? events.value.split(' ') : [];
  return typeof events === 'object' && words.includes('non_idempotent')
    ? { at: events.at, events: words.filter((word) => word !== 'non_idempotent') }
    : undefined;
}
