export type ControllerName = 'ingress-nginx' | 'NGINX Ingress Controller' | 'the AWS load balancer' | "Google's load balancer";

/** What carries out the Ingresses of a cluster. */
export interface IngressController {
  readonly name: ControllerName;
  /** Where these facts can be checked. */
  readonly source: string;
  /** `spec.controller` of its IngressClass. */
  readonly controller?: string;
  /** What the names of its annotations begin with. */
  readonly prefixes: readonly string[];
  /** Names of classes that belong to no other. */
  readonly classes: readonly string[];
}

export const ingressNginx: IngressController = {
  name: 'ingress-nginx',
  source: 'https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/',
  controller: 'k8s.io/ingress-nginx',
  prefixes: ['nginx.ingress.kubernetes.io/'],
  classes: [],
};

export const nginxInc: IngressController = {
  name: 'NGINX Ingress Controller',
  source: 'https://docs.nginx.com/nginx-ingress-controller/configuration/ingress-resources/advanced-configuration-with-annotations/',
  controller: 'nginx.org/ingress-controller',
  prefixes: ['nginx.org/', 'nginx.com/'],
  classes: [],
};

export const awsLoadBalancer: IngressController = {
  name: 'the AWS load balancer',
  source: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/',
  controller: 'ingress.k8s.aws/alb',
  prefixes: ['alb.ingress.kubernetes.io/'],
  classes: ['alb'],
};

export const googleLoadBalancer: IngressController = {
  name: "Google's load balancer",
  source: 'https://cloud.google.com/kubernetes-engine/docs/how-to/ingress-configuration',
  prefixes: ['networking.gke.io/', 'ingress.gcp.kubernetes.io/', 'kubernetes.io/ingress.global-static-ip-name'],
  classes: ['gce', 'gce-internal'],
};

export const ingressControllers: readonly IngressController[] = [ingressNginx, nginxInc, awsLoadBalancer, googleLoadBalancer];

/** Classes of other controllers, under which annotations of these may be left over. */
export const otherIngressClasses = /traefik|haproxy|kong|istio|contour|envoy|azure|ambassador|cilium|tailscale|apisix|caddy|openshift/i;

/**
 * What ingress-nginx does unless its ConfigMap says otherwise, the times in seconds: the same in every version that has the settings, from
 * 0.20 on (fewer connections are kept before 0.36).
 *
 * https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/
 */
export const ingressNginxDefaults = {
  'upstream-keepalive-connections': 320,
  'upstream-keepalive-timeout': 60,
  'proxy-read-timeout': 60,
  'proxy-next-upstream': 'error timeout',
  'proxy-next-upstream-tries': 3,
} as const;

/** The ConfigMaps that its chart and its manifests make for it. */
export const ingressNginxConfigMaps: ReadonlySet<string> = new Set([
  'ingress-nginx-controller',
  'nginx-configuration',
  'nginx-load-balancer-microk8s-conf',
]);

/** A key that no other controller has. */
export const ingressNginxKey = /^upstream-keepalive-(connections|timeout|requests|time)$/;

/** The ConfigMaps of the other nginx controller. https://docs.nginx.com/nginx-ingress-controller/configuration/global-configuration/configmap-resource/ */
export const nginxIncConfigMaps: ReadonlySet<string> = new Set(['nginx-config']);

/** Seconds: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-load-balancer-attributes.html */
export const albIdleTimeout = 60;

/** Seconds, `idle` is fixed: https://cloud.google.com/load-balancing/docs/https/http-load-balancing-optimizations#timeout-keepalive-backends */
export const googleTimeouts = { idle: 600, answer: 30 } as const;
