import { get } from '@poolcheck/parsers/yaml/value';
import { albIdleTimeout } from '../../../knowledge/ingress-controllers.ts';
import { agreed, settingsIn, type Told, valueOf } from '../told.ts';
import { answerTime, type Handled, type Handling, idleTime } from './handling.ts';

const prefix = 'alb.ingress.kubernetes.io/';
const name = 'idle_timeout.timeout_seconds';

/** An ALB waits as long for an answer as for the next request. https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-troubleshooting.html */
export const byAwsLoadBalancer: Handling = (handled) => {
  const { annotations, at } = handled;
  const told = idleTimeout(handled);
  const isShared = annotations(`${prefix}group.name`) !== undefined;
  const idle = idleTime(name, told, albIdleTimeout, at, !isShared);
  const answer = answerTime(name, told, albIdleTimeout, at);
  const isHttp1 = /^(http1)?$/i.test(valueOf(annotations(`${prefix}backend-protocol-version`)) ?? '');
  if (!isHttp1 || !idle) return { reuse: { kind: 'unknown' }, answer };
  return { reuse: { kind: 'kept', idle, evidence: [] }, answer };
};

/** Of the Ingress, or of another one for the same load balancer. */
function idleTimeout({ annotations, manifests }: Handled): Told {
  const own = attribute(annotations(`${prefix}load-balancer-attributes`));
  const group = valueOf(annotations(`${prefix}group.name`));
  if (own !== undefined || group === undefined) return own;
  const members = manifests
    .filter(({ kind }) => kind === 'Ingress')
    .map(({ root }) => settingsIn(get(root, 'metadata', 'annotations')))
    .filter((settings) => valueOf(settings(`${prefix}group.name`)) === group)
    .map((settings) => attribute(settings(`${prefix}load-balancer-attributes`)))
    .filter((told) => told !== undefined);
  return agreed(members.map((told) => () => told))(name);
}

/** `idle_timeout.timeout_seconds=120,deletion_protection.enabled=true` */
function attribute(told: Told): Told {
  if (typeof told !== 'object') return told;
  const pair = told.value.split(',').find((each) => each.trim().startsWith(`${name}=`));
  const value = pair?.split('=')[1]?.trim();
  if (value === undefined) return undefined;
  return /^\d+$/.test(value) ? { value, at: told.at } : 'unknown';
}
