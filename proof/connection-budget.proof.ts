import { beforeEach, expect, test } from 'vitest';
import { allGone, connect, countBackends, openPool } from './connections.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres({ max_connections: 20 });
const behindPooler = await startPostgres({ max_connections: 20 });
const settings = { max_client_conn: 250, admin_users: 'app' };
const pooled = await startPgBouncer({ app: `${behindPooler.entry} pool_size=10` }, settings);
const fallback = await startPgBouncer({ '*': behindPooler.entry }, { ...settings, default_pool_size: 5, max_db_connections: 3 });

/** What PostgreSQL says to the client that comes after the last one: version 16 speaks of roles with the SUPERUSER attribute. */
const REFUSED = { code: '53300', message: expect.stringMatching(/^remaining connection slots are reserved for .*superuser/i) };

beforeEach(() => allGone(superuserUrl));

/** The server connections that PgBouncer says it has, by database. */
async function serversOf(pooler: (database: string) => string): Promise<ReadonlyMap<string, number>> {
  const console = await connect(pooler('pgbouncer'));
  const { rows } = await console.query<{ database: string } & Record<'sv_active' | 'sv_idle' | 'sv_used', string>>('SHOW POOLS');
  const own = rows.filter(({ database }) => database !== 'pgbouncer');
  return new Map(own.map(({ database, sv_active, sv_idle, sv_used }) => [database, Number(sv_active) + Number(sv_idle) + Number(sv_used)]));
}

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

test('of 50 clients without a pooler 33 are refused', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => connect(url)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome): unknown => outcome.reason);
  expect(refused).toEqual(Array.from({ length: 33 }, (): unknown => expect.objectContaining(REFUSED)));
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
  expect(await serversOf(pooled)).toEqual(new Map([['app', 10]]));
});

test('of a fallback entry every name has pools and a limit of its own', async () => {
  for (const name of ['europe', 'asia']) {
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(fallback(name))));
    await Promise.all(clients.slice(0, 3).map((client) => client.query('BEGIN')));
    void clients[3]?.query('SELECT 1').catch(() => undefined);
  }
  expect(await serversOf(fallback)).toEqual(
    new Map([
      ['europe', 3],
      ['asia', 3],
    ]),
  );
});
