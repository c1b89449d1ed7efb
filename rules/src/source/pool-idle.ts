import type { Place } from '@poolcheck/parsers/text';
import type { PoolSite } from './pools.ts';
import { evaluate, type Environment } from './setting.ts';

/** For how long a pool is told to keep an idle connection. */
export interface PoolIdle {
  /** Infinity: for ever. */
  readonly seconds: number;
  readonly place: Place;
}

/** undefined: it is not told, or what it is told cannot be. */
export function poolIdleOf({ options, given }: PoolSite, environment: Environment): PoolIdle | undefined {
  const option = options.idleTimeout;
  const setting = option && given.option(option.names);
  const [outcome, ...others] = (setting && evaluate(setting, environment)) ?? [];
  if (!setting || !outcome || others.length > 0 || typeof outcome.value !== 'number') return undefined;
  const { value } = outcome;
  if (value === 0 && option.zeroIsForever) return { seconds: Infinity, place: setting.place };
  return { seconds: option.unit === 'ms' ? value / 1000 : value, place: setting.place };
}

/** "30 s", "ever" */
export function showIdle({ seconds }: PoolIdle): string {
  return seconds === Infinity ? 'ever' : `${seconds} s`;
}
