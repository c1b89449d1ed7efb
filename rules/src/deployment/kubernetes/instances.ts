import { type Place, placeOf } from '@poolcheck/parsers/text';
import { booleanOf, entriesOf, get, isAbsent, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { groupBy } from '../../group.ts';
import { assumed, defaulted, type Known, product, smallest, written } from '../../known.ts';
import { countOf } from '../count.ts';
import type { Scale } from '../model.ts';
import { type Manifest, sameNamespace } from './manifest.ts';
import { surgeOf } from './rollout.ts';
import { startsWithin } from './schedule.ts';

/** How many pods of a workload run at once: the autoscaler's maximum counts, not the number it starts with. */
export function scaleOf(workload: Manifest, scalers: Autoscalers): Scale {
  const { kind, root, at } = workload;
  if (kind === 'KnativeService') return scaleOfKnative(workload);
  if (kind === 'ScaledJob') return scaleOfScaledJob(workload);
  const spec = get(root, 'spec');
  const written = (counts[kind] ?? replicas)(spec, at);
  const scaled = scaledTo(workload, scalers);
  const instances = scaled?.most ?? written;
  const surge = surgeOf(kind, spec, at);
  const started = scaled && (isAbsent(get(spec, 'replicas')) || scaled.least === scaled.most ? scaled.least : written);
  return { instances, ...(started && { started }), ...(surge && { surge }) };
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

/** With `Allow`, runs that last longer than the time to the next one pile up, as many as start before a deadline ends the first. */
function cronJobs(spec: YamlValue | undefined, owner: Place): Known {
  const suspend = get(spec, 'suspend');
  if (suspend && booleanOf(suspend) === true) return written(0, 'suspend: true', suspend);
  const pods = parallelPods(get(spec, 'jobTemplate', 'spec'), owner);
  if ((stringOf(get(spec, 'concurrencyPolicy')) ?? 'Allow') !== 'Allow') return pods;
  const deadline = get(spec, 'jobTemplate', 'spec', 'activeDeadlineSeconds');
  const seconds = numberOf(deadline);
  const runs = seconds === undefined ? undefined : startsWithin(stringOf(get(spec, 'schedule')) ?? '', seconds);
  if (!deadline || runs === undefined) return { ...pods, high: Infinity };
  const says = `activeDeadlineSeconds: ${seconds}: up to ${runs} runs at once`;
  return { ...pods, high: pods.high * runs, evidence: [...pods.evidence, { place: placeOf(deadline.text, deadline.range), says }] };
}

/** https://knative.dev/docs/serving/autoscaling/scale-bounds/, https://docs.cloud.google.com/run/docs/reference/rest/v1/ObjectMeta */
function scaleOfKnative({ root, at }: Manifest): Scale {
  const annotations = get(root, 'spec', 'template', 'metadata', 'annotations');
  const bound = (...names: readonly string[]) =>
    names.map((name) => get(annotations, `${knative}/${name}`)).find((each) => !isAbsent(each));
  const max = bound('max-scale', 'maxScale');
  const min = bound('min-scale', 'minScale');
  const most = max && numberOf(max) !== 0 ? countOf(max, 'max-scale', 1, at) : unlimitedKnative(root, at);
  return { instances: most, started: smallest(most, countOf(min, 'min-scale', 0, at)) };
}

const knative = 'autoscaling.knative.dev';
const cloudRunInstances = 100;

function unlimitedKnative(root: YamlValue, at: Place): Known {
  const written = [get(root, 'metadata'), get(root, 'spec', 'template', 'metadata')];
  const names = written.flatMap((metadata) => ['annotations', 'labels'].flatMap((each) => entriesOf(get(metadata, each))));
  return names.some(({ key }) => /^(run\.googleapis\.com\/|cloud\.googleapis\.com\/location$)/.test(key.value))
    ? defaulted(cloudRunInstances, `max-scale is not set: Cloud Run starts up to ${cloudRunInstances}`, at)
    : assumed(1, Infinity, 'max-scale is not set: nothing limits how many run', at);
}

/** https://keda.sh/docs/latest/reference/scaledjob-spec/ */
function scaleOfScaledJob({ root, at }: Manifest): Scale {
  const spec = get(root, 'spec');
  const pods = parallelPods(get(spec, 'jobTargetRef'), at);
  const jobs = (name: string, byDefault: number) => product([countOf(get(spec, name), name, byDefault, at), pods]);
  const paused = isPaused(root);
  if (paused) return { instances: written(0, 'paused', paused) };
  return { instances: jobs('maxReplicaCount', 100), started: jobs('minReplicaCount', 0) };
}

/** https://keda.sh/docs/latest/concepts/scaling-deployments/#pause-autoscaling */
function isPaused(root: YamlValue): YamlValue | undefined {
  const paused = get(root, 'metadata', 'annotations', 'autoscaling.keda.sh/paused');
  return paused && booleanOf(paused) === true ? paused : undefined;
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
  const paused = get(scaler.root, 'metadata', 'annotations', 'autoscaling.keda.sh/paused-replicas');
  if (paused && !isAbsent(paused)) {
    const kept = countOf(paused, 'paused-replicas', 1, scaler.at);
    return { least: kept, most: kept };
  }
  if (isPaused(scaler.root)) return undefined;
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
