import { hostOf } from '../leases/sites.ts';
import type { PoolSite } from '../pools.ts';
import type { Remaking } from '../remaking/remaking.ts';
import type { PoolUses } from './pool-uses.ts';

interface Sources {
  readonly remakings: readonly Remaking[];
  readonly poolUses: PoolUses;
}

/** Whether a pool is made for each request, which is a fault of its own, or closed in the function that makes it. */
export function isShortLived(site: PoolSite, { remakings, poolUses }: Sources): boolean {
  if (remakings.some((remaking) => remaking.site.node === site.node)) return true;
  return poolUses.closings(site).some(({ member }) => hostOf(member) === hostOf(site.node));
}
