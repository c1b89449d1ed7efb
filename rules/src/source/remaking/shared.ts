import type { Module, TSESTree } from '../module.ts';
import type { PoolSite } from '../pools.ts';
import { unitOf } from '../units.ts';
import type { PoolUses } from '../uses/pool-uses.ts';
import type { Values } from '../values.ts';
import { isShared } from './ending.ts';
import { wayTo, type Runs, type Way } from './runs.ts';

/** A connection of its own that requests share, and a query that one of them sends through it. */
export interface SharedConnection extends Way {
  readonly site: PoolSite;
  readonly module: Module;
  readonly query: TSESTree.MemberExpression;
}

interface Root {
  readonly pools: readonly PoolSite[];
  readonly values: Values;
  readonly poolUses: PoolUses;
  runs(): Runs;
}

const databases: ReadonlySet<string> = new Set(['postgresql', 'mysql', 'mssql', 'oracle']);

/** The single connections that handlers of requests send their queries through. */
export function sharedConnectionsIn({ pools, values, poolUses, runs }: Root): readonly SharedConnection[] {
  const connections = pools.filter(({ role, driver, module }) => {
    return role === 'connection' && databases.has(driver.engine) && module.role === 'production';
  });
  return connections.flatMap((site) => {
    for (const { module, member } of poolUses.queries(site)) {
      const unit = needsItsOwn(member, module) ? undefined : unitOf(member);
      const way = unit && wayTo(unit, runs(), values);
      if (way?.handler.event === 'request' && isShared(site, way.handler, values)) return [{ ...way, site, module, query: member }];
    }
    return [];
  });
}

/** LISTEN and advisory locks belong to one session: a connection of its own is what they need. */
function needsItsOwn({ parent }: TSESTree.MemberExpression, { text }: Module): boolean {
  const [sql] = parent.type === 'CallExpression' ? parent.arguments : [];
  return sql !== undefined && /^\W*(un)?listen\b|\bnotify\b|advisory/i.test(text.content.slice(...sql.range));
}
