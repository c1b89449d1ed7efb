import { effective, innerScopes, named, streamScopes, type Scope } from '@poolcheck/parsers/nginx/resolve';
import { placeOf } from '@poolcheck/parsers/text';
import { isNginx, type Deployment, type Nginx, type ServicePool } from '../../deployment/model.ts';
import type { Report } from '../../finding.ts';
import { streamTimeoutByDefault } from '../../knowledge/nginx.ts';
import { timeAt } from '../../nginx/times.ts';
import { poolIdleOf, showIdle } from '../../source/pool-idle.ts';
import { duration, type MessageId } from './order.ts';

/** A pool whose connections go through an nginx that ends each session in which nothing is sent. */
export function* aboutStreams(deployments: readonly Deployment[]): Iterable<Report<MessageId>> {
  for (const { services, proxies } of deployments) {
    const nginxes = proxies.filter(isNginx);
    for (const { environment, pools } of services) {
      for (const pool of pools) {
        const idle = poolIdleOf(pool.site, environment);
        const server = serverBetween(pool, nginxes);
        const outer = server && timeAt(server, 'proxy_timeout', streamTimeoutByDefault);
        if (!idle || !server || outer === undefined || idle.seconds * 1000 <= outer) continue;
        const decides = effective(server, 'proxy_timeout')?.at(-1) ?? server.directive;
        if (!decides) continue;
        yield {
          at: placeOf(decides.text, decides === server.directive ? decides.name.range : decides.range),
          message: 'stream',
          data: { outer: duration(outer), pool: pool.site.name ?? `the ${pool.site.role}`, idle: showIdle(idle) },
          related: [{ at: idle.place, message: 'kept for so long' }],
        };
      }
    }
  }
}

function serverBetween({ opensTo }: ServicePool, nginxes: readonly Nginx[]): Scope | undefined {
  const nginx = nginxes.find(({ at }) => at === opensTo?.container);
  const servers = nginx ? streamScopes(nginx.config).flatMap(innerScopes) : [];
  return servers.find((scope) => scope.directive?.name.value === 'server' && listens(scope, opensTo?.port));
}

function listens({ level }: Scope, port: number | undefined): boolean {
  return named(level, 'listen').some(({ args: [address] }) => address?.value.replace(/^.*:/, '') === String(port));
}
