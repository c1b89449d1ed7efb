import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { connect } from './connections.ts';
import { newerPgBouncer } from './newer.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { url: direct, entry } = await startPostgres();
const entries = { two: `${entry} pool_size=2`, one: `${entry} pool_size=1`, session: `${entry} pool_size=2 pool_mode=session` };
const old = await startPgBouncer(entries);
const newer = await startPgBouncer(entries, {}, newerPgBouncer());
const resetting = await startPgBouncer(entries, { server_reset_query_always: 1 });

/** As node-pg-migrate, graphile-migrate and golang-migrate do it: all on one client. */
const lock = (client: Client, key: number) => answer(client, `pg_try_advisory_lock(${key})`);
const unlock = (client: Client, key: number) => answer(client, `pg_advisory_unlock(${key})`);

async function answer(client: Client, sql: string): Promise<unknown> {
  const { rows } = await client.query<{ answer: unknown }>(`SELECT ${sql} AS answer`);
  return rows[0]?.answer;
}

/** Sends while somebody else has the server connection that was just used. */
async function elsewhere(busy: Client, send: () => Promise<unknown>): Promise<unknown> {
  await busy.query('BEGIN');
  const sent = await send();
  await busy.query('ROLLBACK');
  return sent;
}

describe.each([
  ['the installed PgBouncer', old, 10],
  ['a newer PgBouncer', newer, 20],
])('the lock of a migration tool through %s', (_, pooled, key) => {
  test('is not given back when unlocking reaches another server connection, and stops every run from then on', async () => {
    const [first, traffic] = [await connect(pooled('two')), await connect(pooled('two'))];
    expect(await lock(first, key + 1)).toBe(true);
    expect(await elsewhere(traffic, () => unlock(first, key + 1))).toBe(false);
    await first.end();
    const next = await connect(pooled('two'));
    expect(await elsewhere(traffic, () => lock(next, key + 1))).toBe(false);
    expect(await lock(await connect(direct), key + 1)).toBe(false);
  });

  test('does not keep two runs apart that are lent the same server connection', async () => {
    const [first, second] = [await connect(pooled('one')), await connect(pooled('one'))];
    expect(await lock(first, key + 2)).toBe(true);
    expect(await lock(second, key + 2)).toBe(true);
  });

  test('does what it is for through an entry in session mode', async () => {
    const [first, second] = [await connect(pooled('session')), await connect(pooled('session'))];
    expect(await lock(first, key + 3)).toBe(true);
    expect(await lock(second, key + 3)).toBe(false);
    expect(await unlock(first, key + 3)).toBe(true);
    expect(await lock(second, key + 3)).toBe(true);
  });
});

test('a pooler that always resets the session takes the lock away at once', async () => {
  const [first, second] = [await connect(resetting('one')), await connect(resetting('one'))];
  expect(await lock(first, 4)).toBe(true);
  expect(await lock(await connect(direct), 4)).toBe(true);
  expect(await unlock(second, 4)).toBe(false);
});

test('what pg_dump writes at the head of a file leaves the next client without tables', async () => {
  const [migration, application] = [await connect(old('one')), await connect(old('one'))];
  await application.query('CREATE TABLE orders (id int)');
  await application.query('SELECT * FROM orders');
  await migration.query("SELECT pg_catalog.set_config('search_path', '', false)");
  await expect(application.query('SELECT * FROM orders')).rejects.toThrow('relation "orders" does not exist');
});
