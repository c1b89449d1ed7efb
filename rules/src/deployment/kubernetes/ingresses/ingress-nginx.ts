import { ingressNginxDefaults } from '../../../knowledge/ingress-controllers.ts';
import type { Resending, Reuse } from '../../model.ts';
import { firstOf, type Told, valueOf } from '../told.ts';
import { answerTime, type Handled, type Handling, idleTime } from './handling.ts';

const prefix = 'nginx.ingress.kubernetes.io/';

/** https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/ */
export const byIngressNginx: Handling = (handled) => ({
  reuse: reuse(handled),
  answer: answerTime('proxy-read-timeout', number('proxy-read-timeout', handled), ingressNginxDefaults['proxy-read-timeout'], handled.at),
  resends: resends(handled),
  givesUp: eventsOf(handled)?.includes('off') === true,
});

/** An annotation, or else what is set for all. What is not a whole number is passed over. */
function number(key: keyof typeof ingressNginxDefaults, { annotations, config }: Handled): Told {
  return firstOf(wholeNumber(annotations(prefix + key)), wholeNumber(config(key)));
}

function wholeNumber(told: Told): Told {
  return typeof told === 'object' && !/^\d+$/.test(told.value) ? undefined : told;
}

function reuse(handled: Handled): Reuse {
  const { annotations, config, at, isConfigured } = handled;
  if (isPassedThrough(handled)) return { kind: 'closed', causes: [] };
  const connections = wholeNumber(config('upstream-keepalive-connections'));
  const idle = idleTime(
    'upstream-keepalive-timeout',
    wholeNumber(config('upstream-keepalive-timeout')),
    ingressNginxDefaults['upstream-keepalive-timeout'],
    at,
    isConfigured,
  );
  if (valueOf(connections) === '0' || idle?.high === 0) return { kind: 'closed', causes: [] };
  if (!idle || connections === 'unknown' || setsConnectionItself(annotations(`${prefix}configuration-snippet`))) return { kind: 'unknown' };
  const size = connections?.value ?? ingressNginxDefaults['upstream-keepalive-connections'];
  const says = `ingress-nginx keeps up to ${size} idle connections for each of its workers`;
  return { kind: 'kept', idle, evidence: connections ? [{ place: connections.at, says }] : [] };
}

/** Another protocol than HTTP/1.1 is spoken, or one connection a request. */
function isPassedThrough({ annotations }: Handled): boolean {
  const says = (key: string) => valueOf(annotations(prefix + key))?.toLowerCase();
  return (
    says('ssl-passthrough') === 'true' ||
    says('connection-proxy-header') === 'close' ||
    says('proxy-http-version') === '1.0' ||
    /^(grpcs?|fcgi|ajp)$/.test(says('backend-protocol') ?? '')
  );
}

function setsConnectionItself(snippet: Told): boolean {
  return snippet === 'unknown' || /connection/i.test(snippet?.value ?? '');
}

/** What makes it try again; undefined when that cannot be told. */
function eventsOf({ annotations, config }: Handled): readonly string[] | undefined {
  const told = firstOf(annotations(`${prefix}proxy-next-upstream`), config('proxy-next-upstream'));
  if (told === 'unknown') return undefined;
  return (told?.value ?? ingressNginxDefaults['proxy-next-upstream']).split(' ').filter((word) => word !== '');
}

/** `non_idempotent` among the events, or `retry-non-idempotent` for all. */
function resends(handled: Handled): Resending | undefined {
  const { annotations, config } = handled;
  const told = firstOf(annotations(`${prefix}proxy-next-upstream`), config('proxy-next-upstream'));
  const tries = number('proxy-next-upstream-tries', handled);
  const forAll = config('retry-non-idempotent');
  if (told === 'unknown' || tries === 'unknown' || tries?.value === '1') return undefined;
  const words = eventsOf(handled) ?? [];
  const events = words.filter((word) => word !== 'non_idempotent');
  const source = words.includes('non_idempotent') ? told : valueOf(forAll)?.toLowerCase() === 'true' ? forAll : undefined;
  return typeof source === 'object' && events.length > 0 && !events.includes('off') ? { at: source.at, events } : undefined;
}
