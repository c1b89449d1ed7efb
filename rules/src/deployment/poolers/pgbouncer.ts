import { readBool } from '@poolcheck/parsers/pgbouncer/values';
import { pgbouncerDefault, startupFate, trackedParameters } from '../../knowledge/pgbouncer.ts';
import type { SessionState } from '../../sql/session-state.ts';
import { isBefore, type Version } from '../../version.ts';
import type { PoolerBehaviour, PreparedFate } from '../model.ts';
import type { PoolerConfig } from './config.ts';

/** What a PgBouncer does with what belongs to one client; undefined config: what it is told cannot be read. */
export function pgbouncerBehaviour(config: PoolerConfig | undefined, version: Version | undefined): PoolerBehaviour {
  const tracked = listIn(config, 'track_extra_parameters');
  const ignored = listIn(config, 'ignore_startup_parameters');
  const resets = readBool(config?.setting('server_reset_query_always')?.value ?? '0');
  return {
    lost: (state) => (mayBeRestored(state, version, tracked) ? undefined : resets === false ? 'stays' : 'gone'),
    prepared: preparedFate(config, version),
    startup: (parameter, value) => tracked && ignored && startupFate(parameter, value, { version, tracked, ignored }),
    startupTold: config?.setting('ignore_startup_parameters')?.place,
  };
}

/** The words of a setting; undefined when it cannot be read. */
function listIn(config: PoolerConfig | undefined, name: string): readonly string[] | undefined {
  const said = config?.setting(name);
  if (!said) return config ? [] : undefined;
  return said.value?.split(/[\s,]+/).filter((word) => word !== '');
}

/** Whether the pooler restores a parameter for each client, in some of the versions that it may be. */
function mayBeRestored({ parameter }: SessionState, version: Version | undefined, tracked: readonly string[] | undefined): boolean {
  if (parameter === undefined) return false;
  if (parameter === 'all' || !tracked) return true;
  const { always, maybe } = trackedParameters(version);
  return always.has(parameter) || maybe.has(parameter) || tracked.some((extra) => extra.toLowerCase() === parameter);
}

/** https://www.pgbouncer.org/config.html#max_prepared_statements */
function preparedFate(config: PoolerConfig | undefined, version: Version | undefined): PreparedFate {
  if (!config) return { carried: undefined, told: undefined, remedy: undefined };
  if (version && isBefore(version, [1, 21, 0]))
    return { carried: false, told: undefined, remedy: 'run PgBouncer 1.21 or later with max_prepared_statements' };
  const said = config.setting('max_prepared_statements');
  const size = said ? said.value : pgbouncerDefault('max_prepared_statements', version);
  return {
    carried: size === undefined ? (said ? undefined : 'from 1.24') : Number(size) > 0,
    told: said && { place: said.place, says: `max_prepared_statements = ${said.value}` },
    remedy: 'set max_prepared_statements above 0',
  };
}
