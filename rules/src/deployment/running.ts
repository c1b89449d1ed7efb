import type { PoolSite } from '../source/pools.ts';
import type { Deployment, Service, ServicePool } from './model.ts';

/** A pool of the source in a service that runs it. */
export interface RunningPool {
  readonly service: Service;
  readonly pool: ServicePool;
}

/** Where a pool runs, in all environments. */
export function runningPools({ node }: PoolSite, deployments: readonly Deployment[]): readonly RunningPool[] {
  const known = byConstruction.get(deployments) ?? collect(deployments);
  byConstruction.set(deployments, known);
  return known.get(node) ?? [];
}

type ByConstruction = ReadonlyMap<PoolSite['node'], readonly RunningPool[]>;

const byConstruction = new WeakMap<readonly Deployment[], ByConstruction>();

function collect(deployments: readonly Deployment[]): ByConstruction {
  const running = new Map<PoolSite['node'], RunningPool[]>();
  for (const { services } of deployments)
    for (const service of services)
      for (const pool of service.pools) {
        const { node } = pool.site;
        const before = running.get(node);
        if (before) before.push({ service, pool });
        else running.set(node, [{ service, pool }]);
      }
  return running;
}
