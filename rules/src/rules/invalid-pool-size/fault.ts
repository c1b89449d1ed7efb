import type { Deployment, Service } from '../../deployment/model.ts';
import { runningPools } from '../../deployment/running.ts';
import type { Related, Severity } from '../../finding.ts';
import type { PoolSite } from '../../source/pools.ts';

/** What goes wrong with the size of a pool. */
export interface SizeFault {
  readonly effect: 'refused' | 'none' | 'one' | 'unlimited' | 'default' | 'ignored' | 'sent';
  readonly severity: Severity;
  /** The size, in words. */
  readonly written: string;
  readonly related: readonly Related[];
}

/** The effect of what a driver reads, which is not what was meant. */
export function effectOf(read: number | 'refused', byDefault: number | undefined): SizeFault['effect'] {
  if (read === 'refused') return 'refused';
  if (read === byDefault) return 'default';
  if (read === Infinity) return 'unlimited';
  return read === 0 ? 'none' : 'one';
}

/** Where a pool is known to run. */
export function servicesOf(site: PoolSite, deployments: readonly Deployment[]): readonly Service[] {
  return [...new Set(runningPools(site, deployments).map(({ service }) => service))];
}
