import { moduleRule } from '../rule.ts';
import { addOption } from '../source/add-option.ts';
import { poolSize } from '../source/describe.ts';
import type { PoolSite } from '../source/pools.ts';
import { alwaysIs } from '../source/setting.ts';
import { unknownOptions } from '../source/unknown-options.ts';

const timeoutInFix = 5_000;

export default moduleRule({
  id: 'require-acquire-timeout',
  severity: 'warning',
  summary: 'A pool lets callers wait for ever for a free connection.',
  messages: {
    missing:
      '{pool} has no {option}: once {connections} taken, or the database does not answer, callers wait for ever and nothing is logged.',
    zero: '{option} of {pool} is 0, which means for ever: once {connections} taken, callers wait without an error.',
  },
  *check(module, program) {
    for (const site of program.poolsIn(module)) {
      const option = site.options.acquireTimeout;
      if (option?.default !== null) continue;
      const message = waitsForEver(site);
      if (!message) continue;
      const [name = ''] = option.names;
      yield {
        at: site.place,
        message,
        data: { pool: site.name ?? 'The pool', option: name, connections: connectionsOf(site) },
        ...(message === 'zero' && site.acquireTimeout
          ? { related: [{ at: site.acquireTimeout.place, message: 'set to 0 here' }] }
          : { fixes: addOption(site, name, option.unit === 's' ? timeoutInFix / 1000 : timeoutInFix) }),
      };
    }
  },
});

function connectionsOf(site: PoolSite): string {
  const size = poolSize(site);
  if (size === 1) return 'its only connection is';
  return size === undefined ? 'all of its connections are' : `all ${size} connections are`;
}

function waitsForEver(site: PoolSite): 'missing' | 'zero' | undefined {
  if (site.acquireTimeout) return alwaysIs(site.acquireTimeout, [0, undefined]) ? 'zero' : undefined;
  return site.complete && !isMisnamed(site) ? 'missing' : undefined;
}

/** It is there under a name that the driver does not know: unknown-pool-option says so. */
function isMisnamed(site: PoolSite): boolean {
  return unknownOptions(site).some(({ meaning }) => meaning?.subject === 'acquireTimeout');
}
