import { type Place, placeOf } from '@poolcheck/parsers/text';
import { booleanOf, get, isAbsent, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { assumed, type Known } from '../../known.ts';

/** How many pods more than wanted may run while a new version replaces the old one; undefined: none. */
export function surgeOf(kind: string, spec: YamlValue | undefined, instances: Known, owner: Place): Known | undefined {
  return surges[kind]?.(get(spec, 'strategy'), instances, owner);
}

type Surge = (strategy: YamlValue | undefined, instances: Known, owner: Place) => Known | undefined;

const surges: Readonly<Record<string, Surge>> = { Deployment: surgeOfDeployment, Rollout: surgeOfRollout };

/** https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment */
export function surgeOfDeployment(strategy: YamlValue | undefined, instances: Known, owner: Place): Known | undefined {
  if (stringOf(get(strategy, 'type')) === 'Recreate') return undefined;
  return maxSurge(get(strategy, 'rollingUpdate', 'maxSurge'), instances, owner);
}

/**
 * Argo. https://argo-rollouts.readthedocs.io/en/stable/features/bluegreen/, …/features/canary/: blue and green are up together; a canary
 * behind a traffic router grows while the stable version stays whole.
 */
function surgeOfRollout(strategy: YamlValue | undefined, instances: Known, owner: Place): Known | undefined {
  const blueGreen = get(strategy, 'blueGreen');
  if (blueGreen) return again(instances, 'blue and green run together', blueGreen);
  const canary = get(strategy, 'canary');
  const routing = get(canary, 'trafficRouting');
  if (!routing) return maxSurge(get(canary, 'maxSurge'), instances, owner);
  const scalesDown = get(canary, 'dynamicStableScale');
  if (scalesDown && booleanOf(scalesDown) === true) return undefined;
  return again(instances, 'the stable version stays whole beside the canary', routing);
}

function again(instances: Known, says: string, at: Place): Known {
  return { ...instances, evidence: [{ place: placeOf(at.text, at.range), says }] };
}

const surgeByDefault = 25;

/** A number of pods, or a percentage of those wanted, rounded up. */
function maxSurge(value: YamlValue | undefined, instances: Known, owner: Place): Known {
  if (value === undefined || isAbsent(value))
    return partOf(instances, surgeByDefault, { says: `maxSurge is not set: ${surgeByDefault} %`, place: owner }, false);
  const place = placeOf(value.text, value.range);
  const percent = /^(\d+)%$/.exec(stringOf(value) ?? '')?.[1];
  if (percent !== undefined) return partOf(instances, Number(percent), { says: `maxSurge: ${percent} %`, place }, true);
  const count = numberOf(value);
  return count === undefined
    ? assumed(0, Infinity, 'maxSurge is not known', place)
    : { low: count, high: count, source: 'written', evidence: [{ place, says: `maxSurge: ${count}` }] };
}

function partOf(
  { low, high, source }: Known,
  percent: number,
  evidence: { readonly says: string; readonly place: Place },
  isWritten: boolean,
): Known {
  const part = (count: number) => Math.ceil((count * percent) / 100);
  return { low: part(low), high: part(high), source: isWritten || source === 'assumed' ? source : 'defaulted', evidence: [evidence] };
}
