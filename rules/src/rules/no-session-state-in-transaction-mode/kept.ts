import type { Deployment } from '../../deployment/model.ts';
import type { Resource } from '../../knowledge/driver.ts';
import type { KeptOnSession } from '../../source/kept.ts';
import type { PoolSite } from '../../source/pools.ts';
import type { SessionState } from '../../sql/session-state.ts';
import type { PoolerTarget } from './lost.ts';

/** What a package keeps on a session that a pooler takes from it. */
export interface LostKept {
  readonly kept: KeptOnSession;
  readonly site: PoolSite;
  readonly target: PoolerTarget;
}

/** The subscriptions or locks of packages in an environment that go through a pooler in another mode than session. */
export function lostKeptIn({ services }: Deployment, what: NonNullable<Resource['keeps']>['what']): readonly LostKept[] {
  const seen = new Set<KeptOnSession>();
  return services.flatMap(({ pools }) =>
    pools.flatMap(({ site, target, kept }) => {
      if (target?.kind !== 'pooler' || target.entry.mode.value === 'session') return [];
      const lost = kept.filter((each) => each.keeps.what === what && each.module.role === 'production' && !seen.has(each));
      for (const each of lost) seen.add(each);
      return lost.flatMap((each) => (target.pooler.behaviour.lost(stateOf(each)) ? [{ kept: each, site, target }] : []));
    }),
  );
}

function stateOf({ keeps: { what, statement } }: KeptOnSession): SessionState {
  return { kind: what, statement, undoes: false, parameter: undefined };
}
