import { type Known, sum } from '../known.ts';
import type { Scale } from './model.ts';

/** The situations that a budget is made for. */
export const situations = ['steady', 'scaled', 'rollout'] as const;
export type Situation = (typeof situations)[number];

/** How many instances count in a situation. */
export type Count = (scale: Scale) => Known;

export const counting: Readonly<Record<Situation, Count>> = {
  steady: ({ started, instances }) => started ?? instances,
  scaled: ({ instances }) => instances,
  rollout: rollingOut,
};

/** One alone is replaced by a new version, while the others run at their most. */
export function rollingOutAlone(one: Scale): Count {
  return (scale) => (scale === one ? rollingOut(scale) : scale.instances);
}

function rollingOut({ instances, surge }: Scale): Known {
  return surge ? sum([instances, surge(instances)]) : instances;
}

/** Only how many there are. */
export function asScale({ instances, started, surge }: Scale): Scale {
  return { instances, ...(started && { started }), ...(surge && { surge }) };
}
