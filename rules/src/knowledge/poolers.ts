import type { SessionState } from '../sql/session-state.ts';

/** What stands between an application and its database, and lends it connections. */
export type PoolerSoftware = 'pgbouncer' | 'supavisor' | 'rds-proxy' | 'pgcat' | 'pgdog' | 'odyssey' | 'pgpool';

/** What a pooler does with session state in transaction mode, as its documentation has it. */
export interface StateFate {
  /** `stays`: on the server connection. `gone`: the pooler clears the connection before it lends it again. */
  readonly fate: 'stays' | 'gone';
  /** The kinds of state that it is certain of. */
  readonly kinds: ReadonlySet<SessionState['kind']>;
}

const every: StateFate['kinds'] = new Set([
  'parameter',
  'role',
  'characteristics',
  'subscription',
  'lock',
  'temporary',
  'cursor',
  'prepared',
  'library',
]);

/**
 * Undefined: not known, or none is lost.
 *
 * https://www.pgbouncer.org/features.html, https://supabase.com/docs/guides/self-hosting/accessing-postgres#choose-a-connection-mode,
 * https://github.com/postgresml/pgcat#transaction-mode, https://github.com/yandex/odyssey/blob/master/docs/configuration/rules.md#pool_discard
 */
const fates: Readonly<Partial<Record<PoolerSoftware, StateFate>>> = {
  pgbouncer: { fate: 'stays', kinds: every },
  supavisor: { fate: 'stays', kinds: every },
  pgcat: { fate: 'gone', kinds: new Set(['parameter', 'subscription', 'lock', 'temporary', 'cursor']) },
  odyssey: { fate: 'gone', kinds: new Set(['subscription', 'lock', 'temporary', 'cursor']) },
};

export function stateFateOf(software: PoolerSoftware): StateFate | undefined {
  return fates[software];
}
