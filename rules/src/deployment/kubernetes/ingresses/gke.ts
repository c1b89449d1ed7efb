import { placeOf } from '@poolcheck/parsers/text';
import { get, numberOf } from '@poolcheck/parsers/yaml/value';
import { googleTimeouts } from '../../../knowledge/ingress-controllers.ts';
import { defaulted } from '../../../known.ts';
import type { Told } from '../told.ts';
import { answerTime, type Handled, type Handling } from './handling.ts';

/** https://cloud.google.com/kubernetes-engine/docs/how-to/ingress-configuration */
export const byGoogleLoadBalancer: Handling = (handled) => {
  const { ofService, at } = handled;
  const says = `Google's load balancer keeps idle connections for ${googleTimeouts.idle} s, which cannot be changed`;
  const idle = defaulted(googleTimeouts.idle * 1000, says, at);
  const isHttp1 = !['cloud.google.com/app-protocols', 'service.alpha.kubernetes.io/app-protocols'].some((key) => ofService(key));
  return {
    reuse: isHttp1 ? { kind: 'kept', idle, evidence: [] } : { kind: 'unknown' },
    answer: answerTime('timeoutSec', timeout(handled), googleTimeouts.answer, at),
  };
};

/** `timeoutSec` of the BackendConfig that the service names for the port. */
function timeout({ ofService, port, manifests }: Handled): Told {
  const annotation = ofService('cloud.google.com/backend-config') ?? ofService('beta.cloud.google.com/backend-config');
  if (typeof annotation !== 'object') return annotation;
  const name = configNamed(annotation.value, port);
  if (name === undefined) return 'unknown';
  const config = manifests.find((each) => each.kind === 'BackendConfig' && each.name === name);
  if (!config) return 'unknown';
  const value = get(config.root, 'spec', 'timeoutSec');
  const seconds = numberOf(value);
  if (!value) return undefined;
  return seconds === undefined ? 'unknown' : { value: String(seconds), at: placeOf(value.text, value.range) };
}

/** `{"default": "a"}`, `{"ports": {"8080": "a"}}` */
function configNamed(json: string, port: number): string | undefined {
  const ports = /"ports"\s*:\s*\{([^{}]*)\}/.exec(json)?.[1] ?? '';
  const pairs = [...ports.matchAll(/"([^"]*)"\s*:\s*"([^"]*)"/g)];
  return pairs.find(([, key]) => key === String(port))?.[2] ?? /"default"\s*:\s*"([^"]*)"/.exec(json)?.[1];
}
