import { isKnownTo, pgbouncerSetting } from '../../knowledge/pgbouncer.ts';
import { pgbouncerSettings, type PgbouncerSection } from '../../knowledge/pgbouncer-settings.ts';
import { didYouMean, nearest } from '../../nearest.ts';
import type { Version } from '../../version.ts';

/** The names that a section takes, in one version or in any. */
export function namesIn(section: PgbouncerSection, version?: Version): readonly string[] {
  return pgbouncerSettings[section].filter((setting) => !version || isKnownTo(setting, version)).map(({ name }) => name);
}

/** Where a name belongs, or what was probably meant by it: a sentence, or nothing. */
export function meantBy(name: string, known: readonly string[], section?: PgbouncerSection): string {
  const lower = name.toLowerCase();
  if (known.includes(lower)) return ` Did you mean "${lower}"?`;
  return (section && (elsewhere(lower, section) ?? foreign.get(lower))) ?? didYouMean(lower, known);
}

/** `pool_size` in `[pgbouncer]`, `default_pool_size` in an entry: by what the one inherits from the other. */
function elsewhere(name: string, section: PgbouncerSection): string | undefined {
  if (section !== 'pgbouncer') {
    const inheriting = pgbouncerSettings[section].find(({ inherits }) => inherits === name);
    if (inheriting) return ` In an entry it is called ${inheriting.name}.`;
    return pgbouncerSetting('pgbouncer', name) && ` It is a setting of [pgbouncer].`;
  }
  const owner = (['databases', 'users', 'peers'] as const).find((each) => pgbouncerSetting(each, name));
  const inherits = owner && pgbouncerSetting(owner, name)?.inherits;
  if (inherits !== undefined && inherits !== name) return ` Here it is called ${inherits}.`;
  return owner && nearest(name, namesIn(section), 1) === undefined ? ` It belongs into an entry of [${owner}].` : undefined;
}

/** What libpq takes in a connection string and PgBouncer does not. https://www.postgresql.org/docs/current/libpq-connect.html */
const foreign: ReadonlyMap<string, string> = new Map([
  ['sslmode', ' TLS to the server is server_tls_sslmode in [pgbouncer].'],
  ['connect_timeout', ' That is server_connect_timeout in [pgbouncer].'],
  ['options', ' Use connect_query, or ALTER ROLE … SET.'],
]);
