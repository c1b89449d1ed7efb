import { parsePostgresqlConf } from '@poolcheck/parsers/postgresql/parse';
import { placeOf, type Text } from '@poolcheck/parsers/text';
import { hasReservedConnections, postgresqlDefaults } from '../../knowledge/postgresql.ts';
import { assumed, defaulted, type Known, sum, written } from '../../known.ts';
import type { Version } from '../../version.ts';
import type { Image } from '../images.ts';
import { type Container, fileAt } from '../stack.ts';
import { optionIn, optionInVariable, type Said, shortOptionIn, startWords } from './options.ts';

export interface Limits {
  readonly maxConnections: Known;
  readonly reserved: Known;
}

/**
 * How many connections a PostgreSQL in a container accepts. The command line beats the configuration file, which beats the default.
 * https://www.postgresql.org/docs/current/config-setting.html
 */
export function postgresqlLimits(container: Container, image: Image, version: Version | undefined): Limits {
  const words = startWords(container, image);
  const config = configFile(container, image, optionIn(words, 'config_file'));
  const setting = (name: string, byDefault: number, others: readonly (Said | undefined)[] = []) =>
    limitOf(
      name,
      byDefault,
      [optionIn(words, name), ...others, altered(container, name), inFile(config, name), unreadable(config, container)],
      container,
    );
  const superuser = setting('superuser_reserved_connections', postgresqlDefaults.superuserReserved);
  const reserved = hasReservedConnections(version) ? [setting('reserved_connections', postgresqlDefaults.reserved)] : [];
  const ownVariable = image.known?.maker === 'bitnami' ? variable(container, 'POSTGRESQL_MAX_CONNECTIONS') : undefined;
  const initial = optionInVariable(container, 'POSTGRES_INITDB_ARGS', 'max_connections');
  return {
    maxConnections: setting('max_connections', postgresqlDefaults.maxConnections, [shortOptionIn(words, 'N'), ownVariable, initial]),
    reserved: sum([superuser, ...reserved]),
  };
}

const nothing = sum([]);

/** The first thing that is said holds. */
function limitOf(name: string, byDefault: number, sayings: readonly (Said | undefined)[], { image, at }: Container): Known {
  const said = sayings.find((each) => each !== undefined);
  if (!said && byDefault === 0) return nothing;
  if (!said) return defaulted(byDefault, `${name} is not set: ${byDefault}`, image ?? at);
  return said.value !== undefined && /^\d+$/.test(said.value)
    ? written(Number(said.value), `${name} = ${said.value}`, said.place)
    : assumed(0, Infinity, `${name} is not known`, said.place);
}

function variable({ environment, at }: Container, name: string): Said | undefined {
  const found = environment(name);
  if (found.state === 'unset') return undefined;
  return found.state === 'set' ? found : { value: undefined, place: found.place ?? at };
}

type Config = Text | 'unknown' | undefined;

const bitnamiFolders = ['/bitnami/postgresql/conf', '/opt/bitnami/postgresql/conf'];

/** The configuration file that the server reads, when it is not the one that initdb wrote. */
function configFile(container: Container, { known, built }: Image, option: Said | undefined): Config {
  if (option) return (option.value === undefined ? undefined : fileAt(container, option.value)) ?? 'unknown';
  // What a Dockerfile or an image's own scripts do to the file is not known.
  if (built || known?.maker === 'other' || isInitialised(container)) return 'unknown';
  const data = container.environment('PGDATA');
  const folders = known?.maker === 'bitnami' ? bitnamiFolders : [data.state === 'set' ? data.value : '/var/lib/postgresql/data'];
  const mounted = container.mounts.find(({ path }) => folders.some((folder) => path === `${folder}/postgresql.conf`) || isBitnami(path));
  if (!mounted) return undefined;
  return folders.map((folder) => fileAt(container, `${folder}/postgresql.conf`)).find((file) => file !== undefined) ?? 'unknown';
}

function isBitnami(path: string): boolean {
  return bitnamiFolders.some((folder) => path.startsWith(folder));
}

const initialFolder = '/docker-entrypoint-initdb.d';

/** Scripts that run when the database is made may change the limit in ways that are not read. */
function isInitialised(container: Container): boolean {
  const { mounts } = container;
  const isRead = altered(container, 'max_connections') !== undefined;
  return mounts
    .filter(({ path }) => path.startsWith(initialFolder))
    .some(({ files }) => !files || (!isRead && files.list().some((name) => /max_connections/i.test(files.read(name)?.content ?? ''))));
}

/** `ALTER SYSTEM SET max_connections = 200` in such a script; the server is started anew after them. */
function altered({ mounts }: Container, name: string): Said | undefined {
  const scripts = mounts
    .filter(({ path }) => path.startsWith(initialFolder))
    .flatMap(({ path, files }) =>
      (files?.list() ?? []).flatMap((file) => (`${path}${file}`.endsWith('.sql') ? (files?.read(file) ?? []) : [])),
    );
  const found = scripts.flatMap((text) =>
    [...text.content.matchAll(/^[ \t]*ALTER[ \t]+SYSTEM[ \t]+SET[ \t]+(\w+)[ \t]*(?:=|TO)[ \t]*'?(\w+)'?[ \t]*;/gim)]
      .filter((statement) => statement[1]?.toLowerCase() === name)
      .map((statement) => ({
        value: statement[2],
        place: placeOf(text, { start: statement.index, end: statement.index + statement[0].length }),
      })),
  );
  return found.at(-1);
}

function inFile(config: Config, name: string): Said | undefined {
  if (!config || config === 'unknown') return undefined;
  const setting = parsePostgresqlConf(config).document.settings.get(name);
  return setting && { value: setting.value, place: placeOf(config, setting.range) };
}

/** Without the file, or with others that it includes, a setting that is not seen may be set. */
function unreadable(config: Config, { at }: Container): Said | undefined {
  if (!config) return undefined;
  return config === 'unknown' || !parsePostgresqlConf(config).document.complete ? { value: undefined, place: at } : undefined;
}
