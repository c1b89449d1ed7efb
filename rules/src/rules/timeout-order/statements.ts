import type { Deployment } from '../../deployment/model.ts';
import { runningPools } from '../../deployment/running.ts';
import type { Report } from '../../finding.ts';
import { queryLimitsOf } from '../../source/limits/pool-limits.ts';
import type { PoolSite } from '../../source/pools.ts';
import type { Program } from '../../source/program.ts';
import { anyEnvironment, type Environment } from '../../source/setting.ts';
import { duration, isInverted, type MessageId, raise } from './order.ts';

/** The driver of a pool must not stop waiting for a statement before the server ends it. */
export function* aboutStatements({ pools }: Program, deployments: readonly Deployment[]): Iterable<Report<MessageId>> {
  for (const site of pools) {
    if (site.module.role !== 'production') continue;
    for (const environment of environmentsOf(site, deployments)) {
      const { client, server } = queryLimitsOf(site, environment);
      if (!client || !server || client === 'off' || server === 'off' || !isInverted(server, client)) continue;
      yield {
        at: client.place,
        message: 'statement',
        data: { pool: site.name ?? 'this pool', outer: duration(client.milliseconds), inner: duration(server.milliseconds) },
        related: [{ at: server.place, message: 'the server ends the statement' }],
        fixes: raise(client, server),
        symbol: site.name ?? '',
      };
      break;
    }
  }
}

/** Where a pool is made: in the services that run it, or nobody knows where. */
function environmentsOf(site: PoolSite, deployments: readonly Deployment[]): readonly Environment[] {
  const running = runningPools(site, deployments);
  return running.length > 0 ? running.map(({ service }) => service.environment) : [anyEnvironment];
}
