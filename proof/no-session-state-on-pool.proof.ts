import { once } from 'node:events';
import type { ClientBase, Pool } from 'pg';
import { expect, test } from 'vitest';
import { connect, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

const setTenant = "SELECT set_config('app.tenant', 'acme', false)";

async function tenantOf(sender: Pool | ClientBase): Promise<string> {
  const { rows } = await sender.query<{ tenant: string | null }>("SELECT current_setting('app.tenant', true) AS tenant");
  return rows[0]?.tenant ?? '';
}

async function timeoutOf(sender: Pool | ClientBase): Promise<string | undefined> {
  const { rows } = await sender.query<{ statement_timeout: string }>('SHOW statement_timeout');
  return rows[0]?.statement_timeout;
}

test('what is set through the pool is not there for the next statement, and is there for another request', async () => {
  const pool = openPool({ connectionString: url, max: 2 });
  await pool.query(setTenant);
  const otherRequest = await pool.connect();
  const seenByNextStatement = await tenantOf(pool);
  const seenByOther = await tenantOf(otherRequest);
  otherRequest.release();
  expect(seenByNextStatement).toBe('');
  expect(seenByOther).toBe('acme');
});

test('a lock that is taken through the pool is not given back by unlocking through the pool', async () => {
  const pool = openPool({ connectionString: url, max: 2 });
  await pool.query('SELECT pg_advisory_lock(1)');
  const otherRequest = await pool.connect();
  const { rows } = await pool.query<{ unlocked: boolean }>('SELECT pg_advisory_unlock(1) AS unlocked');
  const again = await otherRequest.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(1) AS locked');
  const elsewhere = await (await connect(url)).query<{ locked: boolean }>('SELECT pg_try_advisory_lock(1) AS locked');
  otherRequest.release();
  expect(rows).toEqual([{ unlocked: false }]);
  expect(again.rows).toEqual([{ locked: true }]);
  expect(elsewhere.rows).toEqual([{ locked: false }]);
});

test('a subscription that is made through the pool ends when the pool closes the idle connection', async () => {
  const pool = openPool({ connectionString: url, max: 2, idleTimeoutMillis: 1 });
  const heard: unknown[] = [];
  pool.on('connect', (client) => client.on('notification', (notification) => heard.push(notification)));
  const closed = once(pool, 'remove');
  await pool.query('LISTEN orders');
  await closed;
  await pool.query("NOTIFY orders, 'paid'");
  await pool.query('SELECT 1');
  expect(heard).toEqual([]);
});

test('a temporary table that is made through the pool is in the way of the next one', async () => {
  const pool = openPool({ connectionString: url, max: 2 });
  await pool.query('CREATE TEMP TABLE incoming (price numeric)');
  await expect(pool.query('CREATE TEMP TABLE incoming (price numeric)')).rejects.toThrow('already exists');
});

test('what is left on a connection is there for the next borrower; RESET, or a ROLLBACK of its transaction, takes it back', async () => {
  const pool = openPool({ connectionString: url, max: 1 });
  const borrow = async (...statements: readonly string[]) => {
    const client = await pool.connect();
    for (const statement of statements) await client.query(statement);
    client.release();
    return timeoutOf(pool);
  };
  const set = "SET statement_timeout = '5s'";
  expect(await borrow(set)).toBe('5s');
  expect(await borrow('BEGIN', set, 'COMMIT')).toBe('5s');
  expect(await borrow('BEGIN', 'RESET statement_timeout', 'COMMIT')).toBe('0');
  expect(await borrow('BEGIN', set, 'ROLLBACK')).toBe('0');
  expect(await borrow(set, 'RESET statement_timeout')).toBe('0');
  expect(await borrow(set, 'DISCARD ALL')).toBe('0');
});

test('a ROLLBACK does not give a session lock back', async () => {
  const pool = openPool({ connectionString: url, max: 1 });
  await pool.query('BEGIN; SELECT pg_advisory_lock(2); ROLLBACK');
  const { rows } = await (await connect(url)).query<{ locked: boolean }>('SELECT pg_try_advisory_lock(2) AS locked');
  expect(rows).toEqual([{ locked: false }]);
});

test('what is set for the transaction is gone with the statement outside of one, and is there within: also of one string', async () => {
  const pool = openPool({ connectionString: url, max: 1 });
  const local = "SET LOCAL statement_timeout = '5s'";
  await pool.query(local);
  const alone = await timeoutOf(pool);
  await pool.query(setTenant.replace('false', 'true'));
  const tenant = await tenantOf(pool);
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(local);
  const inTransaction = await timeoutOf(client);
  await client.query('ROLLBACK');
  client.release();
  const slow = pool.query("SET LOCAL statement_timeout = '1ms'; SELECT pg_sleep(1)");
  await expect(slow).rejects.toThrow('statement timeout');
  expect({ alone, tenant, inTransaction }).toEqual({ alone: '0', tenant: '', inTransaction: '5s' });
});
