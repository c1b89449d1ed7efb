import type { PoolSite } from '../../source/pools.ts';
import { anyEnvironment, evaluate, type Literal, type Setting } from '../../source/setting.ts';
import type { SizeFault } from './fault.ts';

/** A size below the number of connections that the pool is to keep, where the driver refuses that. */
export function sizeBelowMinimum({ max, options, given, complete }: PoolSite): SizeFault | undefined {
  const { min } = options;
  if (!max || !min?.enforced || !complete) return undefined;
  const set = given.option(min.names);
  const kept = set ? constant(set) : min.enforced.default;
  const size = constant(max);
  if (typeof size !== 'number' || typeof kept !== 'number' || size >= kept) return undefined;
  return { effect: 'refused', severity: 'error', written: `${size}, less than its minimum of ${kept},`, related: [] };
}

function constant(setting: Setting): Literal {
  const [first, ...others] = evaluate(setting, anyEnvironment) ?? [];
  return others.length === 0 ? first?.value : undefined;
}
