import { beforeEach, expect, test } from 'vitest';
import { allGone, connect, countBackends, openPool } from './connections.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres({ max_connections: 20 });
const behindPooler = await startPostgres({ max_connections: 20 });
const pooled = await startPgBouncer({ app: `${behindPooler.entry} pool_size=10` }, { max_client_conn: 250 });

/** What PostgreSQL says to the client that comes after the last one: version 16 speaks of roles with the SUPERUSER attribute. */
const REFUSED = { code: '53300', message: expect.stringMatching(/^remaining connection slots are reserved for .*superuser/i) };

beforeEach(() => allGone(superuserUrl));

test('of 20 connections an application gets 17, and the 18th is refused', async () => {
  for (let client = 1; client <= 17; client++) await connect(url);
  await expect(connect(url)).rejects.toMatchObject(REFUSED);
});

test('an idle connection counts like a busy one', async () => {
  const pool = openPool({ connectionString: url, max: 17 });
  const clients = await Promise.all(Array.from({ length: 17 }, () => pool.connect()));
  for (const client of clients) client.release();
  expect(pool.idleCount).toBe(17);
  await expect(connect(url)).rejects.toMatchObject(REFUSED);
});

test('5 pods with a pool of 4 are three connections over budget', async () => {
  const pods = Array.from({ length: 5 }, () => openPool({ connectionString: url, max: 4 }));
  const calls = pods.flatMap((pool) => Array.from({ length: 4 }, () => pool.connect()));
  const outcomes = await Promise.allSettled(calls);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome): unknown => outcome.reason);
  expect(refused).toEqual([expect.objectContaining(REFUSED), expect.objectContaining(REFUSED), expect.objectContaining(REFUSED)]);
});

test('4 pods with a pool of 4 fit', async () => {
  const pods = Array.from({ length: 4 }, () => openPool({ connectionString: url, max: 4 }));
  const clients = await Promise.all(pods.flatMap((pool) => Array.from({ length: 4 }, () => pool.connect())));
  expect(clients).toHaveLength(16);
});

test('through PgBouncer 200 clients are served on 10 connections', async () => {
  const superuser = await connect(behindPooler.superuserUrl);
  const clients = await Promise.all(Array.from({ length: 200 }, () => connect(pooled('app'))));
  const busy = clients.slice(0, 10);
  await Promise.all(busy.map((client) => client.query('BEGIN')));
  const answers = clients.slice(10).map((client) => client.query('SELECT 1'));
  expect(await countBackends(superuser)).toBe(10);
  await Promise.all(busy.map((client) => client.query('COMMIT')));
  expect(await Promise.all(answers)).toHaveLength(190);
  expect(await countBackends(superuser)).toBe(10);
});
