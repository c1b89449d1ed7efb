import { readAtoi, readInt } from '@poolcheck/parsers/pgbouncer/values';
import { pgbouncerDefault } from '../../knowledge/pgbouncer.ts';
import { assumed, defaulted, type Known, product, smallest, sum, written } from '../../known.ts';
import { isBefore, type Version } from '../../version.ts';
import type { Said } from '../databases/options.ts';
import type { PoolerEntry, PoolMode } from '../model.ts';
import type { ConfiguredDatabase, PoolerConfig } from './config.ts';
import type { Logins } from './found.ts';

/** An entry before it is known who logs in through it. */
export type FoundEntry = Omit<PoolerEntry, 'serverConnections' | 'database'> & {
  /** The server connections for one user. */
  readonly onePool: Known;
  /** The most for all users together. */
  readonly cap: Known | undefined;
  /** All clients go on as this user. */
  readonly forcedUser: string | undefined;
};

/**
 * Reads an entry: there is one pool for each user. https://www.pgbouncer.org/config.html#default_pool_size; undefined when its mode is
 * not known.
 */
export function readEntry(database: ConfiguredDatabase, config: PoolerConfig, version: Version | undefined): FoundEntry | undefined {
  const forcedUser = database.parameter('user')?.value;
  const mode = modeOf(database, config, forcedUser);
  if (!mode) return undefined;
  const reserve = config.setting('reserve_pool_timeout')?.value === '0' ? [] : [reserveOf(database, config)];
  const size = sum([poolSize(database, config, version), ...reserve]);
  const perUser = limit(undefined, config.setting('max_user_connections'), 'max_user_connections');
  const capped = perUser ? smallest(size, perUser) : size;
  // A limit for a user holds over all databases together.
  const isShared = perUser !== undefined && (config.databases.length > 1 || database.name === '*');
  return {
    name: database.name,
    at: database.at,
    mode,
    forcedUser,
    onePool: sizesUsers(config) || isShared ? { ...capped, low: 0 } : capped,
    cap: limit(database.parameter('max_db_connections'), config.setting('max_db_connections'), 'max_db_connections'),
  };
}

/** The most server connections of an entry in one process, when these log in through it: each database name has pools and a limit of its own. */
export function serverConnections(entry: FoundEntry, logins: Logins): Known {
  const databases = logins.size === 0 ? [new Set<string>()] : [...logins.values()];
  return sum(databases.map((users) => connectionsOfDatabase(entry, users)));
}

function connectionsOfDatabase({ onePool, cap, forcedUser, at }: FoundEntry, users: ReadonlySet<string>): Known {
  const pools = forcedUser === undefined && users.size > 1 ? [written(users.size, `${users.size} users log in`, at)] : [];
  const all = product([onePool, ...pools]);
  return cap ? smallest(all, cap) : all;
}

/** The same entry where something that is not in the project may say otherwise. */
export function assumedEntry(entry: FoundEntry): FoundEntry {
  const { mode, onePool, cap } = entry;
  return {
    ...entry,
    mode: {
      ...mode,
      source: 'assumed',
      evidence: { ...mode.evidence, says: `${mode.evidence.says}, unless the operator is told otherwise` },
    },
    onePool: { ...onePool, source: 'assumed' },
    cap: cap && { ...cap, source: 'assumed' },
  };
}

/** Some users have sizes of their own. */
function sizesUsers({ users }: PoolerConfig): boolean {
  const names = ['pool_size', 'reserve_pool_size', 'max_user_connections'];
  return [...users.values()].some((user) => names.some((name) => user.parameter(name)));
}

const modes: readonly PoolMode[] = ['session', 'transaction', 'statement'];

/** The user's mode beats the database's, which beats the pooler's. */
function modeOf(database: ConfiguredDatabase, config: PoolerConfig, user: string | undefined): PoolerEntry['mode'] | undefined {
  const ofUser = user === undefined ? undefined : config.users.get(user)?.parameter('pool_mode');
  const said = ofUser ?? database.parameter('pool_mode') ?? config.setting('pool_mode');
  return said
    ? readMode(said)
    : { value: 'session', source: 'defaulted', evidence: { place: database.at, says: 'pool_mode is not set: session' } };
}

/** The mode that a line says; undefined when it cannot be read. */
export function readMode({ value, place }: Said): PoolerEntry['mode'] | undefined {
  const mode = modes.find((each) => each === value?.toLowerCase());
  return mode && { value: mode, source: 'written', evidence: { place, says: `pool_mode = ${mode}` } };
}

/** What is not positive is no limit since 1.24, and was a single connection before. */
function poolSize(database: ConfiguredDatabase, config: PoolerConfig, version: Version | undefined): Known {
  const own = database.parameter('pool_size');
  const ownSize = own?.value === undefined ? undefined : readAtoi(own.value);
  if (own && ownSize === undefined) return assumed(1, Infinity, 'pool_size is not known', own.place);
  if (own && ownSize !== undefined && ownSize >= 0) return sized(ownSize, 'pool_size', own, version);
  const said = config.setting('default_pool_size');
  const byDefault = Number(pgbouncerDefault('default_pool_size', version) ?? 20);
  if (!said) return defaulted(byDefault, `default_pool_size is not set: ${byDefault}`, database.at);
  const size = said.value === undefined ? undefined : readInt(said.value);
  return size === undefined
    ? assumed(1, Infinity, 'default_pool_size is not known', said.place)
    : sized(size, 'default_pool_size', said, version);
}

function sized(size: number, name: string, { place }: Said, version: Version | undefined): Known {
  const says = `${name} = ${size}`;
  if (size > 0) return written(size, says, place);
  if (!version) return assumed(1, Infinity, says, place);
  return written(isBefore(version, [1, 24, 0]) ? 1 : Infinity, says, place);
}

const none = sum([]);

function reserveOf(database: ConfiguredDatabase, config: PoolerConfig): Known {
  const own = database.parameter('reserve_pool_size') ?? database.parameter('reserve_pool');
  const said = own ?? config.setting('reserve_pool_size');
  if (!said) return none;
  const size = said.value === undefined ? undefined : (own ? readAtoi : readInt)(said.value);
  return size === undefined
    ? assumed(0, Infinity, 'reserve_pool_size is not known', said.place)
    : written(Math.max(0, size), `reserve_pool_size = ${size}`, said.place);
}

/** 0 in an entry means the limit for all, and 0 there no limit. */
function limit(own: Said | undefined, all: Said | undefined, name: string): Known | undefined {
  const ownLimit = own?.value === undefined ? undefined : readAtoi(own.value);
  const said = own && ownLimit !== 0 ? own : all;
  if (!said) return undefined;
  const value = said === own ? ownLimit : said.value === undefined ? undefined : readInt(said.value);
  if (value === undefined) return assumed(0, Infinity, `${name} is not known`, said.place);
  return value > 0 ? written(value, `${name} = ${value}`, said.place) : undefined;
}
