import type { Word } from '@poolcheck/parsers/shell/words';
import { placeOf } from '@poolcheck/parsers/text';
import { booleanOf, entriesOf, get, isAbsent, itemsOf, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { parseImage } from '../../knowledge/images.ts';
import type { Environment } from '../../source/setting.ts';
import type { GivenName } from '../model.ts';
import type { Container, Workload } from '../stack.ts';
import { type Autoscalers, autoscalersIn, scaleOf } from './instances.ts';
import type { Manifest } from './manifest.ts';
import { operatedPods } from './operators.ts';
import { serviceLinks } from './service-links.ts';
import { referencesIn } from './workload-references.ts';
import { type Configs, configLookups, environmentOf, expand } from './variables.ts';
import { mountsOf } from './volumes.ts';

/** A workload with what a Service needs to find it. */
export interface Pods extends Workload {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
  /** Names that an operator gives it on the network, besides those of Services. */
  readonly services: readonly string[];
}

/** Where a workload keeps the pod that it starts. */
const podPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  Deployment: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Rollout: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
  ScaledJob: ['spec', 'jobTargetRef', 'template'],
  KnativeService: ['spec', 'template'],
};

export function isWorkload(kind: string): boolean {
  return Object.hasOwn(podPaths, kind);
}

export function workloadsOf(manifests: readonly Manifest[]): readonly Pods[] {
  const configs = configsOf(manifests);
  const scalers = autoscalersIn(manifests);
  const references = referencesIn(manifests);
  return manifests.flatMap((manifest) => {
    const path = podPaths[manifest.kind];
    if (!path) return operatedPods(manifest);
    const { root, namespace } = references.templateOf(manifest);
    const pods = podsOf(manifest, get(root, ...path), scalers, configs(namespace));
    const remaining = references.beside(manifest, pods);
    return remaining === 'none' ? [] : [{ ...pods, ...remaining }];
  });
}

/** What the pods of a namespace can read; each namespace is looked at once. */
function configsOf(manifests: readonly Manifest[]): (namespace: string | undefined) => Configs {
  const lookups = configLookups(manifests);
  const known = new Map<string | undefined, Configs>();
  return (namespace) => {
    const configs = known.get(namespace) ?? { lookup: lookups(namespace), links: serviceLinks(manifests, namespace) };
    known.set(namespace, configs);
    return configs;
  };
}

function podsOf(manifest: Manifest, template: YamlValue | undefined, scalers: Autoscalers, configs: Configs): Pods {
  const { kind, name, namespace, at } = manifest;
  const pod = get(template, 'spec');
  const linked = get(pod, 'enableServiceLinks');
  const read = linked && booleanOf(linked) === false ? { ...configs, links: new Map() } : configs;
  const before = itemsOf(get(pod, 'initContainers'));
  const containers = [...itemsOf(get(pod, 'containers')), ...before.filter(isSidecar)];
  return {
    kind,
    name,
    namespace,
    at,
    labels: stringMap(get(template, 'metadata', 'labels')),
    services: [],
    ...scaleOf(manifest, scalers),
    containers: containers.map((container) => containerOf(container, pod, read)),
    initContainers: before.filter((each) => !isSidecar(each)).map((container) => containerOf(container, pod, read)),
  };
}

/** An init container that is restarted always runs beside the others. */
function isSidecar(container: YamlValue): boolean {
  return stringOf(get(container, 'restartPolicy')) === 'Always';
}

function containerOf(container: YamlValue, pod: YamlValue | undefined, configs: Configs): Container {
  const image = get(container, 'image');
  const reference = stringOf(image);
  const environment = environmentOf(container, configs);
  return {
    name: stringOf(get(container, 'name')) ?? '',
    at: placeOf(container.text, (get(container, 'name') ?? container).range),
    image: image && reference !== undefined ? { ...placeOf(image.text, image.range), reference: parseImage(reference) } : undefined,
    build: undefined,
    entrypoint: wordsOf(get(container, 'command'), environment),
    command: wordsOf(get(container, 'args'), environment),
    workdir: stringOf(get(container, 'workingDir')),
    environment,
    variables: itemsOf(get(container, 'env')).flatMap((entry) => namedBy(get(entry, 'name')) ?? []),
    ports: itemsOf(get(container, 'ports')).flatMap((port) => {
      const number = numberOf(get(port, 'containerPort'));
      return number === undefined ? [] : [{ number, name: stringOf(get(port, 'name')) }];
    }),
    mounts: mountsOf(container, pod, configs.lookup),
    endsBySigterm: isAbsent(get(container, 'lifecycle')),
  };
}

function namedBy(name: YamlValue | undefined): GivenName | undefined {
  const value = stringOf(name);
  return name && value !== undefined ? { name: value, at: placeOf(name.text, name.range) } : undefined;
}

function wordsOf(value: YamlValue | undefined, environment: Environment): readonly Word[] | undefined {
  if (isAbsent(value)) return undefined;
  return itemsOf(value).map((item) => ({
    text: item.text,
    range: item.range,
    value: expand(stringOf(item) ?? '', environment),
    expands: item.kind !== 'scalar',
  }));
}

export function stringMap(value: YamlValue | undefined): ReadonlyMap<string, string> {
  return new Map(
    entriesOf(value).flatMap((entry) => {
      const text = stringOf(entry.value);
      return text === undefined ? [] : [[entry.key.value, text]];
    }),
  );
}
