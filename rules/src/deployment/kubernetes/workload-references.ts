import { get, stringOf } from '@poolcheck/parsers/yaml/value';
import { placeOf } from '@poolcheck/parsers/text';
import type { Evidence } from '../../known.ts';
import type { Scale } from '../model.ts';
import { type Manifest, sameNamespace } from './manifest.ts';

/** Rollouts of Argo that take the pods of a Deployment. */
export interface References {
  /** What has the template of a workload's pods: another one for a Rollout that refers to it. */
  templateOf(workload: Manifest): Manifest;
  /** How many run of a workload beside the Rollout that refers to it, where that changes it; `none`: it is scaled down. */
  beside(workload: Manifest, own: Scale): Partial<Scale> | 'none';
}

/** https://argo-rollouts.readthedocs.io/en/stable/migrating/#reference-deployment-from-rollout */
export function referencesIn(manifests: readonly Manifest[]): References {
  const pairs = manifests.flatMap((rollout) => {
    const reference = rollout.kind === 'Rollout' ? get(rollout.root, 'spec', 'workloadRef') : undefined;
    const referred = manifests.find(
      ({ kind, name, namespace }) =>
        kind === stringOf(get(reference, 'kind')) &&
        name === stringOf(get(reference, 'name')) &&
        sameNamespace(namespace, rollout.namespace),
    );
    return reference && referred ? [{ rollout, reference, referred }] : [];
  });
  return {
    templateOf: (workload) => pairs.find(({ rollout }) => rollout === workload)?.referred ?? workload,
    beside(workload, { instances }) {
      const pair = pairs.find(({ referred }) => referred === workload);
      const when = stringOf(get(pair?.reference, 'scaleDown'));
      if (!pair || when === 'never') return {};
      if (when !== undefined || instances.high === 0) return 'none';
      const taken: Evidence = { place: placeOf(pair.reference.text, pair.reference.range), says: 'a Rollout takes its pods over' };
      return { instances: { ...instances, low: 0, evidence: [...instances.evidence, taken] } };
    },
  };
}
