import { looksLikeNginx, mayBeNginx } from '@poolcheck/parsers/nginx/detect';
import { looksLikePgbouncer } from '@poolcheck/parsers/pgbouncer/recognise';
import type { ConfigKind } from '../documents.ts';

/** What kind of configuration a file is. Its content is only asked for when its name leaves that open. */
export function kindOf(path: string, content: () => string): ConfigKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const named = byName.find(([pattern]) => pattern.test(name))?.[1];
  if (named) return named;
  if (/\.ya?ml$/i.test(name)) return kindOfYaml(name, content());
  if (/\.(ini|conf|cfg)\b|pgbouncer/i.test(name) && looksLikePgbouncer(path, content())) return 'pgbouncer';
  return mayBeNginx(path) && looksLikeNginx(path, content()) ? 'nginx' : undefined;
}

const byName: readonly (readonly [RegExp, ConfigKind])[] = [
  [/^package\.json$/, 'package'],
  [/^(Dockerfile|Containerfile)(\..+)?$|\.Dockerfile$/i, 'dockerfile'],
  [/^\.env(\..+)?$|^[\w.-]+\.env$/, 'env'],
  [/\.prisma$/, 'prisma'],
  [/^serverless\.ya?ml$/, 'serverless'],
  [/^kustomization\.ya?ml$|^Kustomization$/, 'kustomize'],
  [/^postgresql(\.auto)?\.conf$/, 'postgresql-conf'],
];

/** The kinds of manifests that say something of pools, and what a stream of them may be wrapped in. */
const relevantKind =
  /^[ \t-]{0,20}["']?kind["']?\s*:\s*["']?(Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Pod|Job|CronJob|Rollout|HorizontalPodAutoscaler|ScaledObject|ScaledJob|Service|ConfigMap|Secret|Ingress|IngressClass|VirtualServer|VirtualServerRoute|BackendConfig|HelmRelease|Application|Cluster|Pooler|PostgresCluster|postgresql|List)\b/m;
/** What the values of the chart of ingress-nginx set for all Ingresses. */
const ingressConfig = /^[ \t]{1,20}["']?(upstream-keepalive|proxy-read-timeout|proxy-next-upstream|retry-non-idempotent)/m;
const composeName = /^(docker-)?compose([.-].+)?\.ya?ml$/i;

function kindOfYaml(name: string, content: string): ConfigKind | undefined {
  if (/^[ \t-]{0,20}["']?apiVersion["']?\s*:/m.test(content) && relevantKind.test(content)) return 'kubernetes';
  if (/^[ \t]{0,8}controller[ \t]*:/m.test(content) && ingressConfig.test(content)) return 'helm-values';
  if (/^["']?Transform["']?[ \t]*:/m.test(content) && content.includes('AWS::Serverless::Function')) return 'sam';
  if (/^["']?Resources["']?[ \t]*:/m.test(content) && /AWS::ECS::Service/.test(content)) return 'cloudformation';
  if (!/^["']?services["']?\s*:/m.test(content)) return undefined;
  return composeName.test(name) || /(^|[\s{,])(image|build)\s*:/m.test(content) ? 'compose' : undefined;
}
