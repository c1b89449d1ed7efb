import { placeOf, type Text } from '@poolcheck/parsers/text';
import { get, isAbsent, numberOf, stringOf, type YamlEntry, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { Database } from './deployment/model.ts';
import { mysqlDefaults, postgresqlDefaults } from './knowledge/postgresql.ts';
import { defaulted, sum, written } from './known.ts';
import { type Mistake, mapEntries } from './mistake.ts';
import { didYouMean } from './nearest.ts';

/** A database server outside of the repository, as a poolcheck.yaml declares it. */
export interface DeclaredDatabase {
  readonly database: Database;
  readonly host: string;
  readonly port: number;
}

const keys = ['host', 'port', 'engine', 'max_connections', 'reserved'];
const engines: readonly Database['software'][] = ['postgresql', 'mysql'];

/** Reads `databases` of a poolcheck.yaml; an entry that cannot be read is a mistake, and left out. */
export function readDatabases(value: YamlValue | undefined, text: Text, mistakes: Mistake[]): readonly DeclaredDatabase[] {
  return mapEntries(value, '"databases"', mistakes).flatMap((entry) => readDatabase(entry, text, mistakes) ?? []);
}

function readDatabase({ key, value }: YamlEntry, text: Text, mistakes: Mistake[]): DeclaredDatabase | undefined {
  const before = mistakes.length;
  for (const each of mapEntries(value, `"${key.value}"`, mistakes))
    if (!keys.includes(each.key.value))
      mistakes.push({ at: each.key.range, message: `unknown key "${each.key.value}".${didYouMean(each.key.value, keys)}` });
  const host = stringOf(get(value, 'host'));
  if (!host) mistakes.push({ at: key.range, message: `"${key.value}" needs the host that clients connect to` });
  const engine = get(value, 'engine');
  const software = isAbsent(engine) ? 'postgresql' : engines.find((each) => each === stringOf(engine));
  if (engine && !software) mistakes.push({ at: engine.range, message: `"engine" must be one of ${engines.join(', ')}` });
  const port = numberIn(value, 'port', key.value, mistakes);
  const most = numberIn(value, 'max_connections', key.value, mistakes);
  const reserved = numberIn(value, 'reserved', key.value, mistakes);
  if (isAbsent(get(value, 'max_connections'))) mistakes.push({ at: key.range, message: `"${key.value}" needs max_connections` });
  if (mistakes.length > before || host === undefined || !software || !most) return undefined;
  const at = placeOf(text, key.range);
  const byDefault = software === 'postgresql' ? postgresqlDefaults.superuserReserved : 0;
  return {
    host,
    port: port?.number ?? (software === 'postgresql' ? postgresqlDefaults.port : mysqlDefaults.port),
    database: {
      name: key.value,
      software,
      at,
      version: undefined,
      maxConnections: written(most.number, `max_connections: ${most.number}`, most.value),
      reserved: reserved
        ? written(reserved.number, `reserved: ${reserved.number}`, reserved.value)
        : byDefault === 0
          ? sum([])
          : defaulted(byDefault, `reserved is not set: ${byDefault}`, at),
    },
  };
}

function numberIn(map: YamlValue, name: string, owner: string, mistakes: Mistake[]) {
  const value = get(map, name);
  if (value === undefined || isAbsent(value)) return undefined;
  const number = numberOf(value);
  if (number !== undefined && Number.isInteger(number) && number >= 0) return { value, number };
  mistakes.push({ at: value.range, message: `"${name}" of "${owner}" must be a whole number` });
  return undefined;
}

/** The declared databases that the addresses of one environment lead to. */
export interface DeclaredServers {
  at(host: string, port: number | undefined): Database | undefined;
  /** Those that were found so far. */
  found(): readonly Database[];
}

export function declaredServers(declared: readonly DeclaredDatabase[]): DeclaredServers {
  const found = new Set<Database>();
  return {
    at: (host, port) => {
      const server = declared.find((each) => each.host.toLowerCase() === host.toLowerCase() && (port ?? each.port) === each.port);
      if (server) found.add(server.database);
      return server?.database;
    },
    found: () => [...found],
  };
}
