import type { PoolSite } from '../pools.ts';
import type { Environment } from '../setting.ts';
import { numberOf, type TimeLimit } from './time-limit.ts';

/** What limits a query of a pool. `off`: nothing does. undefined: it cannot be told. */
export interface QueryLimits {
  /** The server ends the statement. */
  readonly server: TimeLimit | 'off' | undefined;
  /** The driver stops waiting for it. */
  readonly client: TimeLimit | 'off' | undefined;
  /** The wait for a free connection ends. */
  readonly acquire: TimeLimit | 'off' | undefined;
}

export function queryLimitsOf(site: PoolSite, environment: Environment): QueryLimits {
  const { acquireTimeout, clientTimeout, statementTimeout } = site.options;
  const client = clientTimeout?.names ?? [];
  const server = statementTimeout?.names.filter((name) => !client.includes(name)) ?? [];
  const read = (names: readonly string[], unit: 'ms' | 's' | undefined) => limitOf(site, names, unit, environment);
  return {
    server: read(server, statementTimeout?.unit),
    client: read(client, clientTimeout?.unit),
    acquire: read(acquireTimeout?.names ?? [], acquireTimeout?.unit),
  };
}

/** When nobody works or waits any more for a query that has a connection. */
export function endOfQuery({ server, client }: QueryLimits): TimeLimit | undefined {
  if (server === undefined || client === undefined) return undefined;
  if (server === 'off') return client === 'off' ? undefined : client;
  return client === 'off' || server.milliseconds <= client.milliseconds ? server : client;
}

function limitOf(
  { given, name, role, complete }: PoolSite,
  names: readonly string[],
  unit: 'ms' | 's' | undefined,
  environment: Environment,
): TimeLimit | 'off' | undefined {
  const set = names.length > 0 ? given.option(names) : undefined;
  if (!set) return complete ? 'off' : undefined;
  const milliseconds = numberOf(set, environment);
  if (milliseconds === undefined || milliseconds === 0) return milliseconds === 0 ? 'off' : undefined;
  const option = names.find((each) => given.at(each) !== undefined) ?? '';
  const { place } = set;
  const factor = unit === 's' ? 1000 : 1;
  const number = set.kind === 'literal' ? { place, unit: unit ?? 'ms' } : undefined;
  return { milliseconds: milliseconds * factor, of: `${option} of ${name ?? `the ${role}`}`, place, number };
}
