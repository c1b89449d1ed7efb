import type { Place } from '@poolcheck/parsers/text';
import { booleanOf, get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { groupBy } from '../../group.ts';
import { assumed, defaulted, type Known, smallest, written } from '../../known.ts';
import { countOf } from '../count.ts';
import type { Scale } from '../model.ts';
import { type Manifest, sameNamespace } from './manifest.ts';
import { surgeOf } from './rollout.ts';

/** How many pods of a workload run at once: the autoscaler's maximum counts, not the number it starts with. */
export function scaleOf(workload: Manifest, scalers: Autoscalers): Scale {
  const { kind, root, at } = workload;
  const spec = get(root, 'spec');
  const written = (counts[kind] ?? replicas)(spec, at);
  const scaled = scaledTo(workload, scalers);
  const instances = scaled?.most ?? written;
  const surge = surgeOf(kind, spec, at);
  return { instances, ...(scaled && { started: isAbsent(get(spec, 'replicas')) ? scaled.least : written }), ...(surge && { surge }) };
}

type Count = (spec: YamlValue | undefined, owner: Place) => Known;

const replicas: Count = (spec, owner) => countOf(get(spec, 'replicas'), 'replicas', 1, owner);

/** https://kubernetes.io/docs/concepts/workloads/controllers/; Deployment, StatefulSet and their like have `replicas`. */
const counts: Readonly<Record<string, Count>> = {
  Pod: (_, owner) => defaulted(1, 'one Pod', owner),
  DaemonSet: (_, owner) => assumed(1, Infinity, 'a DaemonSet runs one on each node', owner),
  // A Job that is done holds nothing.
  Job: (spec, owner) => ({ ...parallelPods(spec, owner), low: 0 }),
  CronJob: cronJobs,
};

function parallelPods(spec: YamlValue | undefined, owner: Place): Known {
  const suspend = get(spec, 'suspend');
  if (suspend && booleanOf(suspend) === true) return written(0, 'suspend: true', suspend);
  const parallelism = countOf(get(spec, 'parallelism'), 'parallelism', 1, owner);
  const completions = get(spec, 'completions');
  return isAbsent(completions) ? parallelism : smallest(parallelism, countOf(completions, 'completions', 1, owner));
}

/** With `Allow`, runs that last longer than the time to the next one pile up. */
function cronJobs(spec: YamlValue | undefined, owner: Place): Known {
  const suspend = get(spec, 'suspend');
  if (suspend && booleanOf(suspend) === true) return written(0, 'suspend: true', suspend);
  const pods = parallelPods(get(spec, 'jobTemplate', 'spec'), owner);
  return (stringOf(get(spec, 'concurrencyPolicy')) ?? 'Allow') === 'Allow' ? { ...pods, high: Infinity } : pods;
}

interface Autoscaler {
  readonly min: string;
  readonly minByDefault: number;
  readonly max: string;
  /** Without the field; undefined: the field is required. */
  readonly byDefault: number | undefined;
  /** The kind that is scaled when none is named. */
  readonly targetKind: string;
}

/** https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/, https://keda.sh/docs/latest/reference/scaledobject-spec/ */
const autoscalers: Readonly<Record<string, Autoscaler>> = {
  HorizontalPodAutoscaler: { min: 'minReplicas', minByDefault: 1, max: 'maxReplicas', byDefault: undefined, targetKind: '' },
  ScaledObject: { min: 'minReplicaCount', minByDefault: 0, max: 'maxReplicaCount', byDefault: 100, targetKind: 'Deployment' },
};

/** The autoscalers of a stack by the kind and name of what they scale. */
export type Autoscalers = ReadonlyMap<string, readonly Manifest[]>;

export function autoscalersIn(manifests: readonly Manifest[]): Autoscalers {
  const scalers = manifests.filter(({ kind }) => Object.hasOwn(autoscalers, kind));
  return groupBy(scalers, ({ kind, root }) => {
    const target = get(root, 'spec', 'scaleTargetRef');
    return `${stringOf(get(target, 'kind')) ?? autoscalers[kind]?.targetKind}/${stringOf(get(target, 'name'))}`;
  });
}

interface Scaled {
  readonly least: Known;
  readonly most: Known;
}

function scaledTo({ kind, name, namespace }: Manifest, scalers: Autoscalers): Scaled | undefined {
  const scaler = scalers.get(`${kind}/${name}`)?.find((each) => sameNamespace(each.namespace, namespace));
  const facts = scaler && autoscalers[scaler.kind];
  if (!scaler || !facts) return undefined;
  const least = countOf(get(scaler.root, 'spec', facts.min), facts.min, facts.minByDefault, scaler.at);
  return { least, most: mostOf(scaler, facts) };
}

function mostOf(scaler: Manifest, facts: Autoscaler): Known {
  const max = get(scaler.root, 'spec', facts.max);
  if (!isAbsent(max)) return countOf(max, facts.max, 1, scaler.at);
  return facts.byDefault === undefined
    ? assumed(1, Infinity, `${facts.max} is not set`, scaler.at)
    : defaulted(facts.byDefault, `${facts.max} is not set: ${facts.byDefault}`, scaler.at);
}
