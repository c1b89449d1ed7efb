import mysql from 'mysql2/promise';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { openPool } from './connections.ts';
import { startMariaDb, startPostgres } from './servers.ts';

const { url } = await startPostgres();
const mariaDb = await startMariaDb();

interface AnyPool {
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
}

/** A handler that closes what it shares with all others. */
async function handle(pool: AnyPool): Promise<void> {
  try {
    await pool.query('SELECT 1');
  } finally {
    await pool.end();
  }
}

test('the first request of a handler that ends its pg pool works, the second does not', async () => {
  const pool = new Pool({ connectionString: url });
  await handle(pool);
  await expect(pool.query('SELECT 1')).rejects.toThrow('Cannot use a pool after calling end on the pool');
});

test('the first request of a handler that ends its mysql2 pool works, the second does not', async () => {
  const pool = mysql.createPool({ uri: mariaDb });
  await handle(pool);
  await expect(pool.query('SELECT 1')).rejects.toThrow('Pool is closed.');
});

test('a pool that is left alone serves one request after the other', async () => {
  const pool = openPool({ connectionString: url });
  for (let request = 0; request < 3; request++) await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
});
