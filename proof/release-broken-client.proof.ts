import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { connect, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

/** Sends what the server cannot finish, until this side stops waiting, and gives the client back. */
async function giveUp(pool: Pool, isTold: boolean): Promise<unknown> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('SELECT pg_advisory_lock(1)');
  } catch (error) {
    if (error instanceof Error) failure = error;
  }
  client.release(isTold ? failure : undefined);
  return failure?.message;
}

/** Holds the lock that everybody else waits for. */
async function holdLock(): Promise<void> {
  const holder = await connect(url);
  await holder.query('SELECT pg_advisory_lock(1)');
}

/** A pool with one connection. */
function openSmallPool(): Pool {
  return openPool({ connectionString: url, max: 1, query_timeout: 200 });
}

test('a client that goes back after query_timeout is still busy: the next caller times out behind a statement that is not its own', async () => {
  await holdLock();
  const pool = openSmallPool();
  expect(await giveUp(pool, false)).toBe('Query read timeout');
  expect({ connections: pool.totalCount, idle: pool.idleCount }).toEqual({ connections: 1, idle: 1 });
  await expect(pool.query('SELECT 1')).rejects.toThrow('Query read timeout');
});

test('released with the error it is closed, and the next caller is answered on a new connection', async () => {
  await holdLock();
  const pool = openSmallPool();
  expect(await giveUp(pool, true)).toBe('Query read timeout');
  expect({ connections: pool.totalCount, idle: pool.idleCount }).toEqual({ connections: 0, idle: 0 });
  expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
