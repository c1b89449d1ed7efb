import { moduleRule } from '../rule.ts';
import { runsOnce } from '../source/remaking/once.ts';
import type { PoolSite } from '../source/pools.ts';
import { unitOf } from '../source/units.ts';
import type { Values } from '../source/values.ts';

export default moduleRule({
  id: 'no-module-pool-in-worker',
  severity: 'error',
  summary: 'A Worker keeps a connection for the next request, which must not use the socket of another.',
  messages: {
    kept: '{name} outlives the request that opens its connection, but a Worker’s socket belongs to that one request: each later one that gets it fails or hangs.',
  },
  *check(module, program) {
    for (const site of program.poolsIn(module)) {
      if (site.driver.speaksHttp || !program.isInIsolates(module.path)) continue;
      if (!isKept(site, program.values)) continue;
      yield {
        at: site.place,
        message: 'kept',
        data: { name: site.name ?? `this ${site.driver.name} ${site.role}` },
        symbol: site.name ?? '',
      };
    }
  },
});

/** Made as the module is loaded, or by the first request for all that follow. */
function isKept({ node, module }: PoolSite, values: Values): boolean {
  return unitOf(node) === undefined || runsOnce(node, module, values) || isMissingUntilNow(node);
}

/** `pool ??= new Pool()` */
function isMissingUntilNow({ parent }: PoolSite['node']): boolean {
  return parent.type === 'AssignmentExpression' && (parent.operator === '??=' || parent.operator === '||=');
}
