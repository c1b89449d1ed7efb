import type { PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import { parseConnectionString } from '@poolcheck/parsers/pgbouncer/connection-string';
import type { Place } from '@poolcheck/parsers/text';
import type { KnownImage } from '../../knowledge/images.ts';
import { pgbouncerImage, type PgbouncerImage } from '../../knowledge/pgbouncer-images.ts';
import { parseUrl } from '../address.ts';
import type { Said } from '../databases/options.ts';
import type { Container } from '../stack.ts';
import { documentOf, type EntryLines, type Line } from './lines.ts';

/** The pgbouncer.ini that the entrypoint of a published image makes of a container's variables. */
export function variableDocument(container: Container, known: KnownImage): PgbouncerDocument | undefined {
  const image = pgbouncerImage(known);
  const entries = entriesBy[known.maker];
  if (!image || !entries) return undefined;
  const { text } = container.image ?? container.at;
  const read: Read = (name) => said(container, name);
  return documentOf({
    text,
    settings: [...told(image, read), ...ownDefaults(image, container, read)],
    databases: entries(read, container.image ?? container.at),
    complete: true,
  });
}

type Read = (variable: string) => Said | undefined;

/** An empty variable is one that is not set, to all of them. */
function said({ environment, at }: Container, name: string): Said | undefined {
  const variable = environment(name);
  // What Kubernetes sets for a Service is not meant for the pooler.
  if (variable.state === 'set') return variable.value === '' || variable.service !== undefined ? undefined : variable;
  return variable.state === 'unknown' ? { value: undefined, place: variable.place ?? at } : undefined;
}

function told({ settings }: PgbouncerImage, read: Read): readonly Line[] {
  return [...settings].flatMap(([variable, name]) => lineOf(name, read(variable)));
}

function lineOf(name: string, line: Said | undefined): readonly Line[] {
  return line ? [{ name, ...line }] : [];
}

/** Where it listens matters as soon as it is said who may come in. */
function ownDefaults({ settings, defaults }: PgbouncerImage, { image, at }: Container, read: Read): readonly Line[] {
  const isTold = (name: string) => [...settings].some(([variable, setting]) => setting === name && read(variable));
  const saysWho = isTold('auth_type') || defaults['auth_type'] !== undefined;
  const all = { ...defaults, ...(saysWho && { listen_addr: '0.0.0.0' }) };
  return Object.entries(all).flatMap(([name, value]) => (isTold(name) ? [] : [{ name, value, place: image ?? at }]));
}

const entriesBy: Readonly<Partial<Record<KnownImage['maker'], (read: Read, at: Place) => readonly EntryLines[]>>> = {
  edoburu: (read, at) => {
    const urls = read('DATABASE_URLS') ?? read('DATABASE_URL');
    if (urls) return (urls.value?.split(',') ?? [undefined]).map((url) => fromUrl(url, urls.place));
    const name = read('DB_NAME');
    const parameters = [...lineOf('host', read('DB_HOST')), ...lineOf('port', read('DB_PORT'))];
    return [{ name: name?.value ?? '*', at: name?.place ?? parameters[0]?.place ?? at, parameters }];
  },
  bitnami: (read, at) => {
    const isForced = /^(yes|true|1)$/i.test(read('PGBOUNCER_SET_DATABASE_USER')?.value ?? '');
    const host = read('POSTGRESQL_HOST') ?? { value: 'postgresql', place: at };
    const user = isForced ? (read('POSTGRESQL_USERNAME') ?? { value: 'postgres', place: at }) : undefined;
    const name = read('PGBOUNCER_DATABASE');
    const parameters = [...lineOf('host', host), ...lineOf('port', read('POSTGRESQL_PORT')), ...lineOf('user', user)];
    return [{ name: name?.value ?? 'postgres', at: name?.place ?? at, parameters }, ...furtherEntries(read)];
  },
  pgbouncer: (read, at) => {
    const name = read('DATABASES_CLIENT_SIDE_DBNAME');
    const names = ['host', 'port', 'user', 'dbname', 'pool_size', 'reserve_pool', 'pool_mode', 'max_db_connections'];
    const parameters = names.flatMap((parameter) => lineOf(parameter, read(`DATABASES_${parameter.toUpperCase()}`)));
    return [{ name: name?.value ?? '*', at: name?.place ?? parameters[0]?.place ?? at, parameters }];
  },
};

function fromUrl(url: string | undefined, place: Place): EntryLines {
  const address = url === undefined ? undefined : parseUrl(url);
  const parameters = [
    { name: 'host', value: address?.host, place },
    ...(address && address.port === undefined ? [] : [{ name: 'port', value: address?.port?.toString(), place }]),
  ];
  return { name: address?.database || '*', at: place, parameters };
}

/** `PGBOUNCER_DSN_0=name=host=… port=…` and on, without a gap. */
function furtherEntries(read: Read): readonly EntryLines[] {
  const entries: EntryLines[] = [];
  for (let line = read('PGBOUNCER_DSN_0'); line; line = read(`PGBOUNCER_DSN_${entries.length}`)) {
    const { value, place } = line;
    if (value === undefined) break;
    const split = value.indexOf('=');
    const { parameters } = parseConnectionString({ value: value.slice(split + 1), range: place.range });
    entries.push({
      name: value.slice(0, split),
      at: place,
      parameters: parameters.map((each) => ({ name: each.key.value, value: each.value.value, place })),
    });
  }
  return entries;
}
