import { once } from 'node:events';
import { Writable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { connect, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

/** A pool whose only connection every caller gets in turn, and an empty table. */
async function onePool(): Promise<Pool> {
  const setup = await connect(url);
  await setup.query('DROP TABLE IF EXISTS audit');
  await setup.query('CREATE TABLE audit (entry text)');
  return openPool({ connectionString: url, max: 1, connectionTimeoutMillis: 1_000 });
}

async function entries(): Promise<readonly string[]> {
  const { rows } = await (await connect(url)).query<{ entry: string }>('SELECT entry FROM audit ORDER BY entry');
  return rows.map(({ entry }) => entry);
}

test('no-double-release: the second release throws, and hides the error that led to it', async () => {
  const pool = await onePool();
  const twice = async () => {
    const client = await pool.connect();
    try {
      await client.query('SELECT 1 / 0');
    } catch (error) {
      client.release();
      throw error;
    } finally {
      client.release();
    }
  };
  await expect(twice()).rejects.toThrow('already been released');
});

test('no-double-release: with one release the caller sees the error of the query', async () => {
  const pool = await onePool();
  const once = async () => {
    const client = await pool.connect();
    try {
      await client.query('SELECT 1 / 0');
    } finally {
      client.release();
    }
  };
  await expect(once()).rejects.toThrow('division by zero');
});

test("no-double-release: after 'finish' comes 'close', and the second listener throws", async () => {
  const pool = await onePool();
  const client = await pool.connect();
  const file = new Writable({ write: (_chunk, _encoding, done) => done() });
  const errors: unknown[] = [];
  const giveBack = () => {
    try {
      client.release();
    } catch (error) {
      errors.push(error);
    }
  };
  file.on('finish', giveBack);
  file.on('close', giveBack);
  file.end();
  await once(file, 'close');
  expect(String(errors)).toContain('already been released');
});

test('no-use-after-release: a statement after the release disappears with the ROLLBACK of the next borrower', async () => {
  const pool = await onePool();
  const first = await pool.connect();
  first.release();
  const next = await pool.connect();
  await next.query('BEGIN');
  await first.query("INSERT INTO audit VALUES ('of the first request')");
  await next.query('ROLLBACK');
  next.release();
  expect(await entries()).toEqual([]);
});

test('no-use-after-release: before the release it stays', async () => {
  const pool = await onePool();
  const first = await pool.connect();
  await first.query("INSERT INTO audit VALUES ('of the first request')");
  first.release();
  const next = await pool.connect();
  await next.query('BEGIN');
  await next.query('ROLLBACK');
  next.release();
  expect(await entries()).toEqual(['of the first request']);
});

test('no-use-after-release: what forEach(async …) sends after its first wait disappears in the same way', async () => {
  const pool = await onePool();
  const first = await pool.connect();
  const pending: Promise<unknown>[] = [];
  ['a', 'b'].forEach((entry) => {
    const insert = async () => {
      await first.query('SELECT pg_sleep(0.2)');
      await first.query('INSERT INTO audit VALUES ($1)', [entry]);
    };
    pending.push(insert());
  });
  first.release();
  const next = await pool.connect();
  await next.query('BEGIN');
  await Promise.all(pending);
  await next.query('ROLLBACK');
  next.release();
  expect(await entries()).toEqual([]);
});

test('no-use-after-release: a statement that nothing waits for keeps the next borrower waiting', async () => {
  const pool = await onePool();
  const first = await pool.connect();
  const pending = first.query('SELECT pg_sleep(0.5)');
  first.release();
  const start = performance.now();
  await pool.query('SELECT 1');
  expect(performance.now() - start).toBeGreaterThan(300);
  await pending;
});

async function failInTransaction(client: PoolClient): Promise<void> {
  await client.query('BEGIN');
  await client.query("INSERT INTO audit VALUES ('of a failed request')");
  await client.query('SELECT 1 / 0');
}

test('no-open-transaction-on-release: the next borrower gets an aborted transaction', async () => {
  const pool = await onePool();
  const client = await pool.connect();
  await expect(failInTransaction(client).finally(() => client.release())).rejects.toThrow('division by zero');
  await expect(pool.query('SELECT 1')).rejects.toThrow('current transaction is aborted');
});

test('no-open-transaction-on-release: what the next borrower writes is in the transaction that was left open', async () => {
  const pool = await onePool();
  const client = await pool.connect();
  await client.query('BEGIN');
  client.release();
  const next = await pool.connect();
  await next.query("INSERT INTO audit VALUES ('of the next request')");
  expect(await entries()).toEqual([]);
  next.release();
});

test('no-open-transaction-on-release: with a ROLLBACK before the release, neither happens', async () => {
  const pool = await onePool();
  const client = await pool.connect();
  await expect(failInTransaction(client)).rejects.toThrow('division by zero');
  await client.query('ROLLBACK');
  client.release();
  await pool.query("INSERT INTO audit VALUES ('of the next request')");
  expect(await entries()).toEqual(['of the next request']);
});
