import { once } from 'node:events';
import { Client, type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg';
import { onTestFinished } from 'vitest';

/** A pool of its own, ended after its test. */
export function openPool(options: PoolConfig): Pool {
  const pool = new Pool(options);
  endAfterTest(pool);
  return pool;
}

/** Ends a pool after its test, with everything that a proven leak has kept, and waits for its sockets: `pool.end()` does not. */
export function endAfterTest(pool: Pool): void {
  const borrowed = new Set<PoolClient>();
  pool.on('acquire', (client) => borrowed.add(client));
  pool.on('release', (_error, client) => borrowed.delete(client));
  onTestFinished(async () => {
    let open = pool.totalCount;
    pool.on('remove', () => open--);
    for (const client of borrowed) client.release(true);
    await pool.end();
    while (open > 0) await once(pool, 'remove');
  });
}

/** A connection of its own, ended after its test. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The server process that a client talks to at this moment. */
export async function pidOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/** Counts the application's connections as the server does. */
export async function countBackends(superuser: Client): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>("SELECT count(*)::int FROM pg_stat_activity WHERE usename = 'app'");
  return rows[0]?.count ?? 0;
}

/** Resolves when the server has noticed that all of the application's connections are gone; it needs no slot any more then. */
export async function allGone(superuserUrl: string): Promise<void> {
  const superuser = new Client({ connectionString: superuserUrl });
  await superuser.connect();
  while ((await countBackends(superuser)) > 0);
  await superuser.end();
}

const PENDING = Symbol('pending');

/** Whether a promise is neither fulfilled nor rejected at this moment. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([promise, Promise.resolve(PENDING)])) === PENDING;
}
