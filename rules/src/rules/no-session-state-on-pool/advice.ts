import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import type { SessionState } from '../../sql/session-state.ts';

type Kind = SessionState['kind'];

const onPool: Readonly<Record<Kind, string>> = {
  parameter: 'the statements that it is meant for may get another one, and whoever gets this one later works with it.',
  role: 'the statements that it is meant for may get another one, and whoever gets this one later acts as that role.',
  characteristics: 'the transactions that it is meant for may get another one, and those of others get this one.',
  subscription: 'notifications reach that one only, and end when the pool closes it for being idle.',
  lock: 'the lock stays with that connection when the statement is over, whoever gets it next holds it too, and unlocking may reach another one.',
  temporary: 'the next statement may not find it on another one, and whoever makes it again on this one fails.',
  cursor: 'the FETCH may not find it on another one.',
  prepared: 'EXECUTE may not find it on another one, and preparing it again on this one fails.',
  library: 'the other connections do not have it.',
};

const onLease: Readonly<Record<Kind, string>> = {
  ...onPool,
  parameter: 'whoever gets it next works with it.',
  role: 'whoever gets it next acts as that role.',
  characteristics: 'the transactions of whoever gets it next are of that kind.',
  subscription: 'its notifications reach whoever gets it next, and end when the pool closes it.',
  lock: 'the lock stays until the pool closes the connection, and whoever gets it next holds it too.',
  temporary: 'whoever gets it next finds it, and fails to make it again.',
  prepared: 'whoever prepares it next on this connection fails.',
};

/** What goes wrong with state that is on the wrong connection, or on one that others get. */
export function whatBecomesOf({ kind, undoes }: SessionState, where: 'pool' | 'lease'): string {
  if (undoes && kind === 'lock') return 'the lock is perhaps on another one, and stays there.';
  return (where === 'pool' ? onPool : onLease)[kind];
}

const oneConnection = 'Take one connection for all of it, and undo it before giving that back.';
const ownClient = 'Use a client of its own, outside the pool.';

const fixes: Readonly<Record<Kind, string>> = {
  parameter: 'Use SET LOCAL inside a transaction on one connection, or set it for all with ALTER ROLE … SET or in the connection options.',
  role: 'Use SET LOCAL ROLE inside a transaction on one connection.',
  characteristics: 'Say it with BEGIN, for each transaction.',
  subscription: ownClient,
  lock: 'Use pg_advisory_xact_lock inside a transaction, or lock and unlock on one connection that is held in between.',
  temporary: 'Create it with ON COMMIT DROP, and use it in that transaction only.',
  cursor: 'Declare and read it on one connection.',
  prepared: 'Let the driver prepare it: a query with a name.',
  library: 'Load it for all with session_preload_libraries.',
};

/** Variables that only MySQL and MariaDB have. https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html */
const ofMysql =
  /^(foreign_key_checks|unique_checks|sql_mode|sql_safe_updates|sql_log_bin|autocommit|group_concat_max_len|max_execution_time|wait_timeout)$/;

function isMysql({ parameter }: SessionState, dialect: SqlDialect): boolean {
  return dialect === 'mysql' || ofMysql.test(parameter ?? '');
}

export function fixOnPool(state: SessionState, dialect: SqlDialect): string {
  if (isMysql(state, dialect)) return oneConnection;
  if (state.statement.startsWith('set_config')) return 'Pass true as its third argument, inside a transaction on one connection.';
  return fixes[state.kind];
}

const fixesOnLease: Readonly<Partial<Record<Kind, string>>> = {
  parameter: 'Use SET LOCAL inside a transaction, or RESET it before giving the connection back.',
  role: 'Use SET LOCAL ROLE inside a transaction, or RESET ROLE before giving the connection back.',
  lock: 'Use pg_advisory_xact_lock inside a transaction, or unlock before giving the connection back.',
  temporary: 'Create it with ON COMMIT DROP, or drop it before giving the connection back.',
};

export function fixOnLease(state: SessionState, dialect: SqlDialect, onlyWhenFailing: boolean): string {
  if (onlyWhenFailing) return 'Undo it there too, or destroy the connection when something fails.';
  if (isMysql(state, dialect)) return 'Undo it before giving the connection back.';
  if (state.statement.startsWith('set_config')) return 'Pass true as its third argument, inside a transaction.';
  return fixesOnLease[state.kind] ?? fixOnPool(state, dialect);
}
