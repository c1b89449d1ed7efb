import { get, itemsOf, numberOf, stringOf } from '@poolcheck/parsers/yaml/value';
import type { Container, Endpoint } from '../stack.ts';
import { listensOn } from '../ports.ts';
import { type Manifest, sameNamespace } from './manifest.ts';
import { type Pods, stringMap } from './workloads.ts';

/** Finds what answers at a host name as pods see it: a Service and the pods it selects, one pod of a StatefulSet, or the own pod. */
export function resolveHost(
  host: string,
  port: number | undefined,
  from: Pods,
  manifests: readonly Manifest[],
  workloads: readonly Pods[],
): Endpoint | undefined {
  if (host === 'localhost' || host === '127.0.0.1')
    return only(
      from.containers.filter((each) => port !== undefined && listensOn(each, port)),
      from,
    );
  const service = serviceNamed(host, from.namespace, manifests);
  if (!service) return operated(host, from, workloads);
  const target = targetPort(service, port);
  const selected = workloads.filter((pods) => isSelectedBy(service, pods));
  const [pods] = selected;
  if (!pods || selected.length > 1 || target === null) return undefined;
  return only(listeners(pods, target), pods);
}

/** `service`, `service.namespace`, `service.namespace.svc…`, each perhaps with a StatefulSet's pod before it. */
function serviceNamed(host: string, namespace: string | undefined, manifests: readonly Manifest[]): Manifest | undefined {
  const labels = host.replace(/\.$/, '').split('.');
  const forms = /-\d+$/.test(labels[0] ?? '') ? [labels, labels.slice(1)] : [labels];
  for (const [name, inNamespace, ...rest] of forms) {
    if (name === undefined || (rest.length > 0 && rest[0] !== 'svc')) continue;
    const found = manifests.find(
      (each) => each.kind === 'Service' && each.name === name && sameNamespace(each.namespace, inNamespace ?? namespace),
    );
    if (found) return found;
  }
  return undefined;
}

function operated(host: string, from: Pods, workloads: readonly Pods[]): Endpoint | undefined {
  const [name = '', namespace = from.namespace] = host.split('.');
  const pods = workloads.find(({ services, namespace: own }) => services.includes(name) && sameNamespace(own, namespace));
  return pods && only(pods.containers, pods);
}

function isSelectedBy({ root, namespace }: Manifest, pods: Pods): boolean {
  const selector = stringMap(get(root, 'spec', 'selector'));
  if (selector.size === 0 || !sameNamespace(namespace, pods.namespace)) return false;
  return [...selector].every(([label, value]) => pods.labels.get(label) === value);
}

/** The port of the pod behind a port of the Service: a number, or the name of a container's port; null when the Service has no such port. */
function targetPort({ root }: Manifest, port: number | undefined): number | string | null | undefined {
  // A headless Service gives the addresses of the pods: no port is translated.
  if (port === undefined || stringOf(get(root, 'spec', 'clusterIP')) === 'None') return port;
  const entry = itemsOf(get(root, 'spec', 'ports')).find((each) => numberOf(get(each, 'port')) === port);
  if (!entry) return null;
  return numberOf(get(entry, 'targetPort')) ?? stringOf(get(entry, 'targetPort')) ?? port;
}

/** The containers of a pod that listen on a port; one that is alone needs not say so. */
function listeners(pods: Pods, target: number | string | undefined): readonly Container[] {
  const named = typeof target === 'string' ? pods.containers.filter(({ ports }) => ports.some(({ name }) => name === target)) : [];
  const numbered = typeof target === 'number' ? pods.containers.filter((each) => listensOn(each, target)) : [];
  const found = [...named, ...numbered];
  return found.length > 0 ? found : pods.containers;
}

function only(containers: readonly Container[], workload: Pods): Endpoint | undefined {
  const [container] = containers;
  return container && containers.length === 1 ? { workload, container } : undefined;
}
