import { get, itemsOf, numberOf, stringOf } from '@poolcheck/parsers/yaml/value';
import { groupBy } from '../../group.ts';
import { listensOn } from '../ports.ts';
import type { Container, Endpoint } from '../stack.ts';
import { type Manifest, sameNamespace } from './manifest.ts';
import { type Pods, stringMap } from './workloads.ts';

/** Host names as pods see them. */
export interface Network {
  resolve(host: string, port: number | undefined, from: Pods): Endpoint | undefined;
  /** What gets the requests for a port of a Service, by its number or its name. */
  backend(service: string, port: number | string, namespace: string | undefined): Backend | undefined;
}

export interface Backend {
  readonly service: Manifest;
  readonly port: number;
  readonly endpoint: Endpoint;
}

/** Finds what answers at a name: a Service and the pods it selects, one pod of a StatefulSet, the own pod, what an operator runs. */
export function networkOf(manifests: readonly Manifest[], workloads: readonly Pods[]): Network {
  const services = groupBy(
    manifests.filter(({ kind }) => kind === 'Service'),
    ({ name }) => name,
  );
  const operated = workloads.filter((pods) => pods.services.length > 0);
  const selected = new Map<Manifest, readonly Pods[]>();

  function podsBehind(service: Manifest): readonly Pods[] {
    const pods = selected.get(service) ?? selectedBy(service, workloads);
    selected.set(service, pods);
    return pods;
  }

  return {
    resolve: (host, port, from) => {
      if (host === 'localhost' || host === '127.0.0.1') return inOwnPod(port, from);
      const service = serviceNamed(host, from.namespace, services);
      return service ? behind(service, port, podsBehind(service)) : operatedAs(host, from, operated);
    },
    backend: (name, asked, namespace) => {
      const service = services.get(name)?.find((each) => sameNamespace(each.namespace, namespace));
      const port = service && portNumber(service, asked);
      const endpoint = service && port !== undefined ? behind(service, port, podsBehind(service)) : undefined;
      return service && port !== undefined && endpoint ? { service, port, endpoint } : undefined;
    },
  };
}

function portNumber({ root }: Manifest, port: number | string): number | undefined {
  if (typeof port === 'number') return port;
  return numberOf(
    get(
      itemsOf(get(root, 'spec', 'ports')).find((each) => stringOf(get(each, 'name')) === port),
      'port',
    ),
  );
}

function inOwnPod(port: number | undefined, from: Pods): Endpoint | undefined {
  const listening = from.containers.filter((container) => port !== undefined && listensOn(container, port));
  return only(listening, from);
}

function behind(service: Manifest, port: number | undefined, selected: readonly Pods[]): Endpoint | undefined {
  const [pods, ...others] = selected;
  const target = targetPort(service, port);
  return pods && others.length === 0 && target !== 'closed' ? only(listeners(pods, target), pods) : undefined;
}

/** `service`, `service.namespace`, `service.namespace.svc…`, each perhaps with a StatefulSet's pod before it. */
function serviceNamed(
  host: string,
  namespace: string | undefined,
  services: ReadonlyMap<string, readonly Manifest[]>,
): Manifest | undefined {
  const labels = host.replace(/\.$/, '').split('.');
  const forms = /-\d+$/.test(labels[0] ?? '') ? [labels, labels.slice(1)] : [labels];
  for (const [name = '', inNamespace = namespace, ...rest] of forms) {
    if (rest.length > 0 && rest[0] !== 'svc') continue;
    const found = services.get(name)?.find((service) => sameNamespace(service.namespace, inNamespace));
    if (found) return found;
  }
  return undefined;
}

function operatedAs(host: string, from: Pods, operated: readonly Pods[]): Endpoint | undefined {
  const [name = '', namespace = from.namespace] = host.split('.');
  const pods = operated.find(({ services, namespace: own }) => services.includes(name) && sameNamespace(own, namespace));
  return pods && only(pods.containers, pods);
}

function selectedBy({ root, namespace }: Manifest, workloads: readonly Pods[]): readonly Pods[] {
  const selector = [...stringMap(get(root, 'spec', 'selector'))];
  if (selector.length === 0) return [];
  return workloads.filter(
    (pods) => sameNamespace(namespace, pods.namespace) && selector.every(([label, value]) => pods.labels.get(label) === value),
  );
}

/** The port of the pod behind a port of the Service: a number, or the name of a container's port. */
function targetPort({ root }: Manifest, port: number | undefined): number | string | undefined {
  // A headless Service gives the addresses of the pods: no port is translated.
  if (port === undefined || stringOf(get(root, 'spec', 'clusterIP')) === 'None') return port;
  const entry = itemsOf(get(root, 'spec', 'ports')).find((each) => numberOf(get(each, 'port')) === port);
  if (!entry) return 'closed';
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
