import { readAtoi, readInt, readSeconds } from '@poolcheck/parsers/pgbouncer/values';
import { isBefore, type Version } from '../version.ts';
import { pgbouncerSettings, type PgbouncerSection, type PgbouncerSetting } from './pgbouncer-settings.ts';

/** Where PgBouncer listens when nothing is said; `port` of a database is PostgreSQL's 5432. */
export const pgbouncerPort = 6432;

/** The oldest release poolcheck speaks of; before it, many mistakes in the file were only logged. */
export const oldestPgbouncer: Version = [1, 16, 0];

export function pgbouncerSetting(section: PgbouncerSection, name: string): PgbouncerSetting | undefined {
  return pgbouncerSettings[section].find((setting) => setting.name === name);
}

/** Whether PgBouncer takes a value. In connection strings numbers are never refused, but for the port. */
export function takesValue({ name, type, values }: PgbouncerSetting, section: PgbouncerSection, value: string): boolean {
  if (type === 'enum') return values?.includes(value.toLowerCase()) === true;
  if (section !== 'pgbouncer') return name !== 'port' || readAtoi(value) !== 0;
  if (type === 'seconds') return readSeconds(value) !== undefined;
  return ['list', 'path', 'string'].includes(type) || readInt(value) !== undefined;
}

/** Whether a version takes the key; another one refuses to start. */
export function isKnownTo({ since, until }: PgbouncerSetting, version: Version): boolean {
  return !isBefore(version, since) && (!until || isBefore(version, until));
}

/** The default of a setting of `[pgbouncer]`; undefined when it has none, or when it depends on a version that is not known. */
export function pgbouncerDefault(name: string, version: Version | undefined): string | undefined {
  const setting = pgbouncerSetting('pgbouncer', name);
  if (!setting?.earlier) return setting?.default;
  if (!version) return undefined;
  return isBefore(version, setting.earlier.before) ? setting.earlier.default : setting.default;
}

/** Parameters that PgBouncer restores for each client, so that SET on them is safe; names in lower case. */
export interface TrackedParameters {
  /** In this version, or in every supported one when the version is not known. */
  readonly always: ReadonlySet<string>;
  /** Only in some of the versions, or with some versions of PostgreSQL behind. */
  readonly maybe: ReadonlySet<string>;
}

interface Tracking {
  readonly names: readonly string[];
  readonly since: Version;
  /** PostgreSQL reports it only from some version on. */
  readonly newerServers?: boolean;
}

/**
 * With `track_extra_parameters` left at its default, which was IntervalStyle before 1.26.
 *
 * https://www.pgbouncer.org/config.html#track_extra_parameters, https://www.pgbouncer.org/changelog.html (1.20, 1.26),
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC for what PostgreSQL reports
 */
const tracking: readonly Tracking[] = [
  { names: ['client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings', 'application_name'], since: [1, 0, 0] },
  { names: ['intervalstyle'], since: [1, 20, 0] },
  { names: ['session_authorization'], since: [1, 26, 0] },
  { names: ['default_transaction_read_only', 'search_path', 'scram_iterations'], since: [1, 26, 0], newerServers: true },
];

/** What a PgBouncer tracks by itself; `track_extra_parameters` may add to it. */
export function trackedParameters(version: Version | undefined): TrackedParameters {
  const available = tracking.filter((row) => !version || !isBefore(version, row.since));
  const certain = (row: Tracking) => !row.newerServers && !isBefore(version ?? oldestPgbouncer, row.since);
  return { always: namesOf(available.filter(certain)), maybe: namesOf(available.filter((row) => !certain(row))) };
}

function namesOf(rows: readonly Tracking[]): ReadonlySet<string> {
  return new Set(rows.flatMap((row) => row.names));
}

/** What a PgBouncer is told that decides which startup parameters it takes. */
export interface StartupPolicy {
  readonly version: Version | undefined;
  /** `ignore_startup_parameters` and `track_extra_parameters`. */
  readonly ignored: readonly string[];
  readonly tracked: readonly string[];
}

/** `dropped`: the client is let in, and the parameter never reaches the server. */
export type StartupFate = 'kept' | 'dropped' | 'refused';

/**
 * What becomes of a startup parameter; undefined when it depends on a version that is not known.
 *
 * https://www.pgbouncer.org/config.html#ignore_startup_parameters, https://www.pgbouncer.org/changelog.html (1.20, 1.23)
 */
export function startupFate(parameter: string, value: string | undefined, { version, ...policy }: StartupPolicy): StartupFate | undefined {
  const [first, ...others] = version ? [version] : turningPoints;
  const fate = first && fateIn(first, parameter, value, policy);
  return others.every((other) => fateIn(other, parameter, value, policy) === fate) ? fate : undefined;
}

/** `options` is looked into since 1.20, and read in all its forms since 1.23, which takes `replication` too; 1.26 tracks more. */
const turningPoints: readonly Version[] = [oldestPgbouncer, [1, 20, 1], [1, 23, 0], [1, 26, 0]];

type Policy = Omit<StartupPolicy, 'version'>;

function fateIn(version: Version, parameter: string, value: string | undefined, policy: Policy): StartupFate | undefined {
  if (parameter === 'replication' && !isBefore(version, [1, 23, 0])) return 'kept';
  if (parameter === 'options' && !isBefore(version, [1, 20, 0]))
    return value === undefined ? undefined : fateOfOptions(version, value, policy);
  return fateOfName(version, parameter, policy);
}

/** A parameter that is to be tracked is taken, and kept only if PostgreSQL reports it. */
function fateOfName(version: Version, parameter: string, { ignored, tracked }: Policy): StartupFate | undefined {
  const name = parameter.toLowerCase();
  const { always, maybe } = trackedParameters(version);
  if (always.has(name) || ['user', 'database'].includes(name) || name.startsWith('_pq_.')) return 'kept';
  if (maybe.has(name)) return undefined;
  if (tracked.some((each) => each.toLowerCase() === name)) return name === 'search_path' ? undefined : 'dropped';
  return ignored.includes(parameter) ? 'dropped' : 'refused';
}

const option = /^\s*(?:-c\s*|--)([\w.]+)=(?:\\.|\S)*/;

/** `-c a=1 -c b=2`: the worst of them. */
function fateOfOptions(version: Version, value: string, policy: Policy): StartupFate | undefined {
  const fates: (StartupFate | undefined)[] = [];
  let rest = value;
  for (let match = option.exec(rest); match; match = option.exec(rest)) {
    const fate = fateOfName(version, (match[1] ?? '').replaceAll('-', '_'), policy);
    fates.push(fate === 'refused' && policy.ignored.includes('options') ? 'dropped' : fate);
    rest = rest.slice(match[0].length);
  }
  if (rest.trim() !== '') return undefined;
  return (['refused', 'dropped'] as const).find((fate) => fates.includes(fate)) ?? (fates.includes(undefined) ? undefined : 'kept');
}
