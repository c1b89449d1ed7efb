import type { ClientBase, Pool } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { connect, openPool, pidOf } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

beforeEach(async () => {
  const setup = await connect(url);
  await setup.query('DROP TABLE IF EXISTS accounts');
  await setup.query("CREATE TABLE accounts AS SELECT * FROM (VALUES ('ann', 100), ('bob', 100)) AS account (owner, balance)");
});

/** Empties an account; returns the backend that did it. */
async function empty(sender: Pool | ClientBase, owner: string): Promise<number | undefined> {
  const { rows } = await sender.query<{ pid: number }>(
    'UPDATE accounts SET balance = 0 WHERE owner = $1 RETURNING pg_backend_pid() AS pid',
    [owner],
  );
  return rows[0]?.pid;
}

async function balanceOf(owner: string): Promise<number | undefined> {
  const { rows } = await (await connect(url)).query<{ balance: number }>('SELECT balance FROM accounts WHERE owner = $1', [owner]);
  return rows[0]?.balance;
}

test('through the pool, BEGIN and UPDATE land on two connections, and ROLLBACK undoes nothing', async () => {
  const pool = openPool({ connectionString: url, max: 2 });

  await pool.query('BEGIN');
  const otherRequest = await pool.connect();
  const updatedOn = await empty(pool, 'ann');
  const begunOn = await pidOf(otherRequest);
  otherRequest.release();
  await pool.query('ROLLBACK');

  expect(updatedOn).not.toBe(begunOn);
  expect(await balanceOf('ann')).toBe(0);
});

test('through the pool, another request writes inside the transaction and loses its write to a ROLLBACK it never sent', async () => {
  const pool = openPool({ connectionString: url, max: 2 });

  await pool.query('BEGIN');
  const otherRequest = await pool.connect();
  await empty(otherRequest, 'bob');
  otherRequest.release();
  await pool.query('ROLLBACK');

  expect(await balanceOf('bob')).toBe(100);
});

test('on one client, the same requests in the same order do what they say', async () => {
  const pool = openPool({ connectionString: url, max: 2 });
  const client = await pool.connect();

  await client.query('BEGIN');
  const begunOn = await pidOf(client);
  const otherRequest = await pool.connect();
  await empty(otherRequest, 'bob');
  const updatedOn = await empty(client, 'ann');
  otherRequest.release();
  await client.query('ROLLBACK');
  client.release();

  expect(updatedOn).toBe(begunOn);
  expect(await balanceOf('ann')).toBe(100);
  expect(await balanceOf('bob')).toBe(0);
});
