import { parseToml } from '@poolcheck/parsers/toml/parse';
import { placeOf } from '@poolcheck/parsers/text';
import { get, isAbsent, itemsOf, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { assumed, type Known, sum } from '../../../known.ts';
import type { PreparedFate } from '../../model.ts';
import { fileNamed, modeOf, type PoolerReader, type ReadEntry, sizeOf } from './read.ts';

/** PgDog. https://docs.pgdog.dev/configuration/pgdog.toml/general/, …/users.toml/users/ */
export const pgdog: PoolerReader = (container, files) => {
  const file = fileNamed(/pgdog[^/]*\.toml$/, container, files);
  if (!file) return undefined;
  const { document } = parseToml(file);
  const users = fileNamed(/users[^/]*\.toml$/, container, files);
  const told = { general: get(document, 'general'), users: users && itemsOf(get(parseToml(users).document, 'users')) };
  const databases = itemsOf(get(document, 'databases'));
  const names = [...new Set(databases.flatMap((database) => stringOf(get(database, 'name')) ?? []))];
  return {
    software: 'pgdog',
    entries: names.flatMap(
      (name) =>
        entryOf(
          name,
          databases.filter((database) => stringOf(get(database, 'name')) === name),
          told,
        ) ?? [],
    ),
    prepared: preparedIn(told.general),
  };
};

interface Told {
  readonly general: YamlValue | undefined;
  /** undefined: they are not in the project. */
  readonly users: readonly YamlValue[] | undefined;
}

/** One database may stand on several servers, and every user has a pool of each. */
function entryOf(name: string, servers: readonly YamlValue[], { general, users }: Told): ReadEntry | undefined {
  const [first] = servers;
  if (!first) return undefined;
  const at = placeOf(first.text, (get(first, 'name') ?? first).range);
  const own = users?.filter((user) => stringOf(get(user, 'database')) === name);
  const mode = modeOf([get(first, 'pooler_mode'), get(general, 'pooler_mode')], 'pooler_mode', 'transaction', at);
  if (!mode || own?.some((user) => !isAbsent(get(user, 'pooler_mode')))) return undefined;
  const size = (user: YamlValue): Known => {
    const said = [get(user, 'pool_size'), get(first, 'pool_size'), get(general, 'default_pool_size')].find((value) => !isAbsent(value));
    return sizeOf(said, 'pool size', 10, at);
  };
  const serverConnections = own ? sum(own.map(size)) : assumed(1, Infinity, 'its users are not known', at);
  return { name, at, mode, serverConnections, server: primaryOf(servers) };
}

function primaryOf(servers: readonly YamlValue[]): ReadEntry['server'] {
  const [primary, ...others] = servers.filter((server) => stringOf(get(server, 'role')) !== 'replica');
  const host = stringOf(get(primary, 'host'));
  const port = get(primary, 'port');
  return host === undefined || others.length > 0 ? undefined : { host, port: isAbsent(port) ? 5432 : (numberOf(port) ?? 5432) };
}

/** https://docs.pgdog.dev/features/prepared-statements/: unless they are switched off. */
function preparedIn(general: YamlValue | undefined): PreparedFate {
  const said = get(general, 'prepared_statements');
  const isOff = stringOf(said) === 'disabled' || stringOf(said) === 'false';
  return {
    carried: !isOff,
    told: said && { place: placeOf(said.text, said.range), says: `prepared_statements = ${stringOf(said)}` },
    remedy: 'set prepared_statements to "extended"',
  };
}
