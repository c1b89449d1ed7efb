import type { DeclaredServers } from '../../declared.ts';
import type { DatabaseOf } from '../databases/databases.ts';
import type { Database, Pooler, PoolerEntry } from '../model.ts';
import type { Endpoint, Stack, Workload } from '../stack.ts';

/** A pooler before it is known who logs in through it. */
export interface FoundPooler {
  readonly endpoint: Endpoint;
  /** The name of the entry that a client gets for a database; undefined when there is none, or it cannot be told. */
  entryFor(database: string | undefined): string | undefined;
  /** What an entry is for a client that logs in as a user; undefined when its mode is not known. */
  entryOf(entry: PoolerEntry, user: string | undefined): PoolerEntry | undefined;
  /** The pooler with those who log in, by the name of the entry they use. */
  complete(logins: ReadonlyMap<string, Logins>): Pooler;
}

/** The users who ask for each database: of the fallback entry every name is a database of its own. */
export type Logins = ReadonlyMap<string, ReadonlySet<string>>;

/** The entry that a client gets for a database: its own, or the fallback. */
export function entryFor(database: string | undefined, entries: readonly { readonly name: string }[]): string | undefined {
  if (database === undefined) return entries.length === 1 ? entries[0]?.name : undefined;
  return [database, '*'].find((name) => entries.some((entry) => entry.name === name));
}

/** Where a pooler may find its servers. */
export interface Surroundings {
  readonly stack: Stack;
  readonly databaseOf: DatabaseOf;
  readonly declared: DeclaredServers;
}

/** The server that a pooler in a workload connects to; undefined when it is neither in the stack nor declared. */
export function databaseAt(
  host: string,
  port: number,
  from: Workload,
  { stack, databaseOf, declared }: Surroundings,
): Database | undefined {
  const endpoint = stack.resolve(host, port, from);
  return endpoint ? databaseOf(endpoint) : declared.at(host, port);
}
