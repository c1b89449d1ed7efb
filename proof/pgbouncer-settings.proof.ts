import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { connect, pidOf } from './connections.ts';
import { newerPgBouncer } from './newer.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { entry } = await startPostgres();

const capped = await startPgBouncer(
  { shop: `${entry} pool_size=5 max_db_connections=1 reserve_pool=5` },
  { query_wait_timeout: 1, reserve_pool_timeout: 0.1 },
);
const late = await startPgBouncer(
  { shop: `${entry} pool_size=1` },
  { query_wait_timeout: 1, reserve_pool_size: 5, reserve_pool_timeout: 1 },
);
const early = await startPgBouncer(
  { shop: `${entry} pool_size=1` },
  { query_wait_timeout: 5, reserve_pool_size: 5, reserve_pool_timeout: 0.1 },
);
const session = await startPgBouncer({ shop: `${entry} pool_size=1` }, { query_wait_timeout: 1, pool_mode: 'session' });
const singleUse = await startPgBouncer({ shop: entry }, { server_lifetime: 0 });
const impatient = await startPgBouncer({ shop: entry }, { client_idle_timeout: 1, admin_users: 'admin' });
// The last setting opens a section of its own.
const oneUser = await startPgBouncer({ shop: entry }, { '[users]\nbatch': 'client_idle_timeout=600' }, newerPgBouncer());

/** What happens to a second client while a first one is in a transaction, or merely connected. */
async function second(pooled: (database: string) => string, first: string): Promise<unknown> {
  const holder = await connect(pooled('shop'));
  await holder.query(first);
  const waiting = new Client({ connectionString: pooled('shop') });
  const lost = whenLost(waiting);
  try {
    await waiting.connect();
    await waiting.query('SELECT 1');
    return 'served';
  } finally {
    await Promise.race([waiting.end(), lost]);
  }
}

/** Resolves with the reason when a client loses its connection. */
function whenLost(client: Client): Promise<string> {
  return new Promise((resolve) => client.on('error', (error) => resolve(error.message)));
}

/** Uses a connection once, and waits until the pooler ends it. */
async function idleUntilLost(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  const lost = whenLost(client);
  await client.connect();
  await client.query('SELECT 1');
  return lost;
}

describe('pgbouncer-pool-limits', () => {
  test('a pool of 5, and its reserve of 5, end at max_db_connections = 1', async () => {
    await expect(second(capped, 'BEGIN')).rejects.toThrow('query_wait_timeout');
  });

  test('in session mode an idle client keeps its server connection', async () => {
    await expect(second(session, 'SELECT 1')).rejects.toThrow('query_wait_timeout');
  });
});

describe('pgbouncer-timeouts', () => {
  test('a reserve that comes as late as query_wait_timeout is never used', async () => {
    await expect(second(late, 'BEGIN')).rejects.toThrow('query_wait_timeout');
  });

  test('one that comes earlier is', async () => {
    await expect(second(early, 'BEGIN')).resolves.toBe('served');
  });

  test('with server_lifetime = 0 each transaction has a new server connection', async () => {
    const client = await connect(singleUse('shop'));
    expect(await pidOf(client)).not.toBe(await pidOf(client));
  });

  test('a client that is idle for longer than client_idle_timeout is cut off', async () => {
    expect(await idleUntilLost(impatient('shop'))).toContain('client_idle_timeout');
  });

  test('one user with a client_idle_timeout of 600 cuts off the idle clients of all others, within seconds', async () => {
    expect(await idleUntilLost(oneUser('shop'))).toContain('client_idle_timeout');
  });
});

test('pgbouncer-auth: with auth_type = any, the name of an administrator is enough to be one', async () => {
  const url = new URL(impatient('pgbouncer'));
  url.username = 'admin';
  const console = await connect(url.href);
  const { rows } = await console.query<{ key: string; value: string }>('SHOW CONFIG');
  expect(rows.find(({ key }) => key === 'auth_type')?.value).toBe('any');
  await expect(console.query('SET default_pool_size = 7')).resolves.toMatchObject({ command: 'SET' });
});
