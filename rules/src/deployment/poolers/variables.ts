import type { KnownImage } from '../../knowledge/images.ts';
import { parseUrl } from '../address.ts';
import type { Said } from '../databases/options.ts';
import type { Container } from '../stack.ts';
import type { ConfiguredDatabase, PoolerConfig } from './config.ts';

type Read = (variable: string) => Said | undefined;

/** What the entrypoints of published images make of a container's variables. */
export function variableConfig(container: Container, { maker }: KnownImage): PoolerConfig | undefined {
  const read: Read = (name) => {
    const variable = container.environment(name);
    if (variable.state === 'unset') return undefined;
    return variable.state === 'set' ? variable : { value: undefined, place: variable.place ?? container.at };
  };
  if (maker === 'edoburu') return edoburu(container, read);
  return maker === 'bitnami' ? bitnami(container, read) : undefined;
}

/** What both entrypoints write when they are told nothing, and PgBouncer would not. */
function ownDefault(setting: string, { image, at }: Container): Said | undefined {
  return setting === 'ignore_startup_parameters' ? { value: 'extra_float_digits', place: image ?? at } : undefined;
}

/** No variable says anything of single users. */
const users: PoolerConfig['users'] = new Map();

/** https://github.com/edoburu/docker-pgbouncer/blob/master/entrypoint.sh: each setting is a variable in upper case. */
function edoburu(container: Container, read: Read): PoolerConfig {
  const urls = read('DATABASE_URLS') ?? read('DATABASE_URL');
  const databases = urls ? (urls.value?.split(',') ?? [undefined]).map((url) => fromUrl(url, urls)) : [fromParts(container, read)];
  return { setting: (name) => read(name.toUpperCase()) ?? ownDefault(name, container), databases, users };
}

function fromUrl(url: string | undefined, { place }: Said): ConfiguredDatabase {
  const address = url === undefined ? undefined : parseUrl(url);
  const values: Readonly<Record<string, string | undefined>> = { host: address?.host, port: address?.port?.toString() };
  return {
    name: address?.database || '*',
    at: place,
    parameter: (name) => (name in values ? { value: values[name], place } : undefined),
  };
}

function fromParts({ at }: Container, read: Read): ConfiguredDatabase {
  const name = read('DB_NAME');
  const variables: Readonly<Record<string, string>> = { host: 'DB_HOST', port: 'DB_PORT' };
  return {
    name: name?.value || '*',
    at: name?.place ?? read('DB_HOST')?.place ?? at,
    parameter: (parameter) => (variables[parameter] === undefined ? undefined : read(variables[parameter])),
  };
}

/** https://github.com/bitnami/containers/tree/main/bitnami/pgbouncer#configuration */
function bitnami(container: Container, read: Read): PoolerConfig {
  const { at } = container;
  const forced = /^(yes|true|1)$/i.test(read('PGBOUNCER_SET_DATABASE_USER')?.value ?? '');
  const parameters: Readonly<Record<string, Said | undefined>> = {
    host: read('POSTGRESQL_HOST') ?? { value: 'postgresql', place: at },
    port: read('POSTGRESQL_PORT'),
    user: forced ? (read('POSTGRESQL_USERNAME') ?? { value: 'postgres', place: at }) : undefined,
  };
  const name = read('PGBOUNCER_DATABASE');
  return {
    setting: (setting) => read(`PGBOUNCER_${setting.toUpperCase()}`) ?? ownDefault(setting, container),
    databases: [{ name: name?.value ?? 'postgres', at: name?.place ?? at, parameter: (parameter) => parameters[parameter] }],
    users,
  };
}
