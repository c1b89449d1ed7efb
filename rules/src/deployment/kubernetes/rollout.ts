import { type Place, placeOf } from '@poolcheck/parsers/text';
import { booleanOf, get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { defaulted, type Known, weakest, written } from '../../known.ts';
import { countOf } from '../count.ts';
import type { Scale } from '../model.ts';

/** How many pods more than wanted may run while a new version replaces the old one; undefined: none. */
export function surgeOf(kind: string, spec: YamlValue | undefined, owner: Place): Surge {
  return surges[kind]?.(get(spec, 'strategy'), owner);
}

type Surge = Scale['surge'];

const surges: Readonly<Record<string, (strategy: YamlValue | undefined, owner: Place) => Surge>> = {
  Deployment: surgeOfDeployment,
  Rollout: surgeOfRollout,
};

/** https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment */
export function surgeOfDeployment(strategy: YamlValue | undefined, owner: Place): Surge {
  if (stringOf(get(strategy, 'type')) === 'Recreate') return undefined;
  return maxSurge(get(strategy, 'rollingUpdate', 'maxSurge'), owner);
}

/**
 * Argo. https://argo-rollouts.readthedocs.io/en/stable/features/bluegreen/, …/features/canary/: blue and green are up together; a canary
 * behind a traffic router grows while the stable version stays whole.
 */
function surgeOfRollout(strategy: YamlValue | undefined, owner: Place): Surge {
  const blueGreen = get(strategy, 'blueGreen');
  if (blueGreen) return again('blue and green run together', blueGreen);
  const canary = get(strategy, 'canary');
  const routing = get(canary, 'trafficRouting');
  if (!routing) return maxSurge(get(canary, 'maxSurge'), owner, true);
  const scalesDown = get(canary, 'dynamicStableScale');
  if (scalesDown && booleanOf(scalesDown) === true) return undefined;
  return again('the stable version stays whole beside the canary', routing);
}

function again(says: string, { text, range }: YamlValue): Surge {
  return (instances) => ({ ...instances, evidence: [{ place: placeOf(text, range), says }] });
}

const surgeByDefault = 25;

/** A number of pods, or a percentage of those wanted, rounded up. Argo takes every text for a percentage. */
function maxSurge(value: YamlValue | undefined, owner: Place, textIsPercent = false): Surge {
  if (value === undefined || isAbsent(value))
    return (instances) => partOf(instances, surgeByDefault, defaulted(0, `maxSurge is not set: ${surgeByDefault} %`, owner));
  const isText = textIsPercent && value.kind === 'scalar' && value.style !== 'plain';
  const percent = (isText ? /^(\d+)%?$/ : /^(\d+)%$/).exec(stringOf(value) ?? '')?.[1];
  if (percent !== undefined) return (instances) => partOf(instances, Number(percent), written(0, `maxSurge: ${percent} %`, value));
  return () => countOf(value, 'maxSurge', 0, owner);
}

/** `said` is where the percentage comes from. */
function partOf({ low, high, source }: Known, percent: number, said: Known): Known {
  const part = (count: number) => Math.ceil((count * percent) / 100);
  return { ...said, low: part(low), high: part(high), source: weakest([source, said.source]) };
}
