import { placeOf, type Text } from '@poolcheck/parsers/text';
import { get, isAbsent, numberOf, stringOf, type YamlEntry, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { Database } from './deployment/model.ts';
import { managedLimit } from './deployment/databases/managed.ts';
import { managedServices } from './knowledge/managed-limits.ts';
import { mysqlDefaults, postgresqlDefaults } from './knowledge/postgresql.ts';
import { defaulted, type Known, sum, written } from './known.ts';
import { type Mistake, mapEntries } from './mistake.ts';
import { didYouMean } from './nearest.ts';

/** A database server outside of the repository, as a poolcheck.yaml declares it. */
export interface DeclaredDatabase {
  readonly database: Database;
  readonly host: string;
  readonly port: number;
}

const keys = ['host', 'port', 'engine', 'service', 'class', 'max_connections', 'reserved'];
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
  const managed = managedIn(value, key.value, mistakes);
  const engine = get(value, 'engine');
  const software = isAbsent(engine) ? (managed?.software ?? 'postgresql') : engines.find((each) => each === stringOf(engine));
  if (engine && !software) mistakes.push({ at: engine.range, message: `"engine" must be one of ${engines.join(', ')}` });
  const port = numberIn(value, 'port', key.value, mistakes);
  const most = numberIn(value, 'max_connections', key.value, mistakes);
  const reserved = numberIn(value, 'reserved', key.value, mistakes);
  if (!managed && isAbsent(get(value, 'max_connections')))
    mistakes.push({ at: key.range, message: `"${key.value}" needs max_connections, or the service and class that it is of` });
  const maxConnections = most ? written(most.number, `max_connections: ${most.number}`, most.value) : managed?.maxConnections;
  if (mistakes.length > before || host === undefined || !software || !maxConnections) return undefined;
  const at = placeOf(text, key.range);
  const byDefault = managed?.reserved ?? (software === 'postgresql' ? postgresqlDefaults.superuserReserved : 0);
  return {
    host,
    port: port?.number ?? (software === 'postgresql' ? postgresqlDefaults.port : mysqlDefaults.port),
    database: {
      name: key.value,
      software,
      at,
      version: undefined,
      maxConnections,
      reserved: reserved
        ? written(reserved.number, `reserved: ${reserved.number}`, reserved.value)
        : byDefault === 0
          ? sum([])
          : defaulted(byDefault, `reserved is not set: ${byDefault}`, at),
    },
  };
}

interface Managed {
  readonly software: Database['software'];
  readonly maxConnections: Known;
  readonly reserved: number;
}

/** What the `class` of a provider's `service` accepts. */
function managedIn(value: YamlValue, owner: string, mistakes: Mistake[]): Managed | undefined {
  const [service, size] = [get(value, 'service'), get(value, 'class')];
  if (!service || !size || isAbsent(service) || isAbsent(size)) return undefined;
  const names = Object.keys(managedServices);
  const name = stringOf(service) ?? '';
  const provider = Object.hasOwn(managedServices, name) ? managedServices[name] : undefined;
  if (!provider) {
    mistakes.push({ at: service.range, message: `"service" of "${owner}" must be one of ${names.join(', ')}.${didYouMean(name, names)}` });
    return undefined;
  }
  const limit = managedLimit(name, stringOf(size) ?? '', placeOf(size.text, size.range));
  if (!limit)
    mistakes.push({ at: size.range, message: `what this class of ${name} accepts is not known: "${owner}" needs max_connections` });
  return limit && { software: provider.software, ...limit };
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
