import { describe, expect, test } from 'vitest';
import { oldestPgbouncer } from '../../knowledge/pgbouncer.ts';
import { pgbouncerSettings, type PgbouncerSection } from '../../knowledge/pgbouncer-settings.ts';
import { isBefore, type Version } from '../../version.ts';
import { meantBy, namesIn } from './meant.ts';

const sections: readonly PgbouncerSection[] = ['pgbouncer', 'databases', 'users', 'peers'];

/** Every supported version in which a section takes other names than before. */
const versions: readonly Version[] = sections
  .flatMap((section) => pgbouncerSettings[section])
  .flatMap(({ since, until }) => (until ? [since, until] : [since]))
  .filter(
    (version, at, all) => !isBefore(version, oldestPgbouncer) && all.findIndex((each) => each.join('.') === version.join('.')) === at,
  );

/** A letter left out, one doubled, two swapped, one wrong, in the middle of a name. */
function typosOf(name: string): readonly string[] {
  const middle = Math.floor(name.length / 2);
  const [before, after] = [name.slice(0, middle), name.slice(middle)];
  const swapped = before.slice(0, -1) + after.charAt(0) + before.slice(-1) + after.slice(1);
  return [before + after.slice(1), before + after.charAt(0) + after, swapped, `${before}x${after.slice(1)}`];
}

describe.each(sections)('in [%s]', (section) => {
  test.each(namesIn(section))('a typo in %s is told from all other names, in any version and in each that takes it', (name) => {
    const known = [undefined, oldestPgbouncer, ...versions]
      .map((version) => namesIn(section, version))
      .filter((names) => names.includes(name));
    expect(known.length).toBeGreaterThan(1);
    for (const names of known) {
      for (const typo of typosOf(name)) {
        if (!names.includes(typo)) expect([typo, meantBy(typo, names, section)]).toEqual([typo, ` Did you mean "${name}"?`]);
      }
    }
  });
});

test('a version is not told to use what it does not know', () => {
  const typo = 'max_prepared_statments';
  const meant = (version: Version) => meantBy(typo, namesIn('pgbouncer', version), 'pgbouncer');
  expect(meant([1, 21, 0])).toBe(' Did you mean "max_prepared_statements"?');
  expect(meant([1, 20, 1])).toBe('');
});

test.each([
  ['pgbouncer', 'pool_size', ' Here it is called default_pool_size.'],
  ['pgbouncer', 'reserve_pool', ' Here it is called reserve_pool_size.'],
  ['pgbouncer', 'timezone', ' It belongs into an entry of [databases].'],
  ['pgbouncer', 'load_balance_hosts', ' It belongs into an entry of [databases].'],
  ['databases', 'default_pool_size', ' In an entry it is called pool_size.'],
  ['databases', 'max_client_conn', ' It is a setting of [pgbouncer].'],
  ['databases', 'server_idle_timeout', ' It is a setting of [pgbouncer].'],
  ['databases', 'sslmode', ' TLS to the server is server_tls_sslmode in [pgbouncer].'],
  ['pgbouncer', 'Pool_Mode', ' Did you mean "pool_mode"?'],
  ['pgbouncer', 'something_else_altogether', ''],
] as const)('in [%s], %s:%s', (section, name, meant) => expect(meantBy(name, namesIn(section), section)).toBe(meant));
