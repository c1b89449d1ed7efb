import { trackedParameters } from '../../knowledge/pgbouncer.ts';
import { type PoolerSoftware, stateFateOf } from '../../knowledge/poolers.ts';
import type { SessionState } from '../../sql/session-state.ts';
import type { PoolerBehaviour, PreparedFate } from '../model.ts';

/** What a pooler does with what belongs to one client, as far as its documentation is certain of it. */
export function documentedBehaviour(software: PoolerSoftware, prepared: PreparedFate): PoolerBehaviour {
  const documented = stateFateOf(software);
  return {
    lost: (state) => (documented?.kinds.has(state.kind) && !isPerhapsRestored(state) ? documented.fate : undefined),
    prepared,
    startup: () => undefined,
    startupTold: undefined,
  };
}

const { always, maybe } = trackedParameters(undefined);

/** All poolers know some parameters that PostgreSQL reports. */
function isPerhapsRestored({ parameter }: SessionState): boolean {
  return parameter !== undefined && (parameter === 'all' || always.has(parameter) || maybe.has(parameter));
}
