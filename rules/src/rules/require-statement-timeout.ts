import type { Deployment } from '../deployment/model.ts';
import { runningPools } from '../deployment/running.ts';
import { moduleRule } from '../rule.ts';
import { addOption } from '../source/add-option.ts';
import { poolSize } from '../source/describe.ts';
import type { PoolSite } from '../source/pools.ts';
import { alwaysIs } from '../source/setting.ts';
import { isShortLived } from '../source/uses/short-lived.ts';

const timeoutInFix = 30_000;

export default moduleRule({
  id: 'require-statement-timeout',
  severity: 'info',
  summary: 'Nothing limits how long a statement may run, so blocked ones take the pool from all others.',
  messages: {
    missing: 'Nothing limits how long a statement of {pool} may run: one that a lock blocks keeps its connection, until {all}. {fix}',
  },
  *check(module, program, deployments) {
    for (const site of program.poolsIn(module)) {
      const option = site.options.statementTimeout;
      if (!option || !isUnlimited(site, option.names)) continue;
      if (program.limitsStatements || isShortLived(site, program)) continue;
      const [name = ''] = option.names;
      const set = site.given.option(option.names);
      const viaPooler = reachesPooler(site, deployments);
      yield {
        at: site.place,
        message: 'missing',
        data: {
          pool: site.name ?? 'this pool',
          all: allTaken(site),
          fix: viaPooler ? 'Behind a pooler set it for the role: ALTER ROLE … SET statement_timeout.' : `Set ${name}.`,
        },
        related: set ? [{ at: set.place, message: 'no limit is set here' }] : [],
        fixes: set || viaPooler || name.includes('.') ? [] : addOption(site, name, timeoutInFix),
        symbol: site.name ?? '',
      };
    }
  },
});

function allTaken(site: PoolSite): string {
  const size = poolSize(site);
  if (size === 1) return 'its only connection is taken';
  return size === undefined ? 'all are taken' : `all ${size} are taken`;
}

function isUnlimited({ role, complete, given }: PoolSite, names: readonly string[]): boolean {
  const set = given.option(names);
  return role === 'pool' && (set ? alwaysIs(set, [0, false, undefined]) : complete && given.option(['options']) === undefined);
}

function reachesPooler(site: PoolSite, deployments: readonly Deployment[]): boolean {
  return runningPools(site, deployments).some(({ pool }) => pool.target?.kind === 'pooler');
}
