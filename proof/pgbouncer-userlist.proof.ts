import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { parseUserlist } from '@poolcheck/parsers/pgbouncer/userlist';
import { textOf } from '@poolcheck/parsers/text';
import { newerPgBouncer } from './newer.ts';
import { installed, privateFolder } from './process.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { entry } = await startPostgres();
const users = path.join(privateFolder(), 'userlist.txt');
/** Who looks must be known, too. */
const looking = '"app" "x"\n';
writeFileSync(users, looking);
const settings = { auth_type: 'trust', auth_file: users, admin_users: 'app' };
const old = await startPgBouncer({ shop: entry }, settings, [installed('pgbouncer', 'pgbouncer')]);
const newer = await startPgBouncer({ shop: entry }, settings, newerPgBouncer());

/** The users that PgBouncer knows from its file once it has read it again. */
async function usersKnownTo(pooled: (database: string) => string, known: ReadonlySet<string>): Promise<readonly string[]> {
  const client = new Client({ connectionString: pooled('pgbouncer') });
  await client.connect();
  await client.query('RELOAD');
  const { rows } = await client.query<{ name: string }>('SHOW USERS');
  await client.end();
  return rows.map(({ name }) => name).filter((name) => known.has(name));
}

const names = Array.from({ length: 400 }, (_, index) => `u${index}`);
let next = 0;

/** Lines with names of their own: PgBouncer does not forget a user that it has once read. */
const line = fc.constantFrom(
  (name: string) => `"${name}" "x"`,
  (name: string) => `  "${name}"\t"md5" rest`,
  (name: string) => `"${name}" ""`,
  (name: string) => `"${name}" "a""b"`,
  (name: string) => `"${name}"`,
  (name: string) => `; "${name}" "x"`,
  (name: string) => `# "${name}" "x"`,
  (name: string) => `'${name}' 'x'`,
  (name: string) => `${name} x`,
  () => '',
);
const samples = fc.sample(fc.array(line, { minLength: 1, maxLength: 4 }), { numRuns: 40, seed: 7 });

describe.each([
  ['the installed version', old],
  ['a newer one', newer],
])('%s', (_, pooled) => {
  test('knows the users that we read from generated files', async () => {
    for (const lines of samples) {
      const own = names.slice(next, (next += lines.length));
      const content = looking + lines.map((make, index) => make(own[index % own.length] ?? '')).join('\n');
      writeFileSync(users, content);
      const read = parseUserlist(textOf('userlist.txt', content)).users.map(({ name }) => name.value);
      const known = await usersKnownTo(pooled, new Set(own));
      expect({ content, known: known.toSorted() }).toEqual({
        content,
        known: [...new Set(read)].filter((name) => own.includes(name)).toSorted(),
      });
    }
  }, 60_000);
});
