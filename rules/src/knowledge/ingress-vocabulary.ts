import type { Misnomer } from './vocabulary.ts';

/** Who reads annotations of an Ingress, or a ConfigMap, and what is wrong with some of them. */
export interface IngressVocabulary {
  /** Where these facts can be checked. */
  readonly source: string;
  /** At the head of a sentence. */
  readonly reader: string;
  /** undefined: nothing is known against it. */
  judge(name: string, value: string | undefined): Misnomer | undefined;
}

const prefix = 'nginx.ingress.kubernetes.io/';

/** Whole seconds, or how often. */
const ofAnnotations = /^(proxy-(connect|send|read|next-upstream)-timeout|proxy-next-upstream-tries)$/;
const ofConfigMap =
  /^(keep-alive|keep-alive-requests|upstream-keepalive-(connections|timeout|requests)|proxy-(connect|send|read|next-upstream)-timeout|proxy-next-upstream-tries)$/;
const onlyInConfigMap = /^(keep-alive|keep-alive-requests|upstream-keepalive-(connections|timeout|requests|time)|retry-non-idempotent)$/;

export const ingressNginxAnnotations: IngressVocabulary = {
  source: 'https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/',
  reader: 'ingress-nginx',
  judge: (name, value) => {
    if (!name.startsWith(prefix)) return undefined;
    const key = name.slice(prefix.length);
    if (onlyInConfigMap.test(key))
      return { fate: 'ignored', instead: ` It holds for all Ingresses: set ${key} in the ConfigMap of the controller.` };
    return ofAnnotations.test(key) ? notWhole(value) : undefined;
  },
};

export const ingressNginxConfigMap: IngressVocabulary = {
  source: 'https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/',
  reader: 'ingress-nginx',
  judge: (name, value) => (ofConfigMap.test(name) ? notWhole(value) : undefined),
};

export const awsAnnotations: IngressVocabulary = {
  source: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/',
  reader: 'The AWS Load Balancer Controller',
  judge: (name) =>
    name === 'alb.ingress.kubernetes.io/connection-idle-timeout'
      ? { fate: 'ignored', instead: ' Since its second version it is idle_timeout.timeout_seconds in load-balancer-attributes.' }
      : undefined,
};

function notWhole(value: string | undefined): Misnomer | undefined {
  if (value === undefined || /^\s*\d+\s*$/.test(value)) return undefined;
  const seconds = /^(\d+)s$/.exec(value)?.[1];
  const instead = seconds === undefined ? ' It takes a whole number.' : ` It takes a whole number, without a unit: ${seconds}.`;
  return { fate: 'ignored', instead };
}
