import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { connect, isPending, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

/** A table that is locked until its transaction ends. */
async function locked(table: string): Promise<Client> {
  const holder = await connect(url);
  await holder.query(`CREATE TABLE ${table} (id int)`);
  await holder.query('BEGIN');
  await holder.query(`LOCK TABLE ${table}`);
  return holder;
}

test('statements behind a lock take the pool from a query that needs no lock', async () => {
  const holder = await locked('orders');
  const pool = openPool({ connectionString: url, max: 2 });
  const blocked = Promise.all([pool.query('SELECT * FROM orders'), pool.query('SELECT * FROM orders')]);
  const bystander = pool.query('SELECT 1');

  await (await connect(url)).query('SELECT pg_sleep(0.4)');
  expect(await isPending(bystander)).toBe(true);
  expect(pool.waitingCount).toBe(1);

  await holder.query('ROLLBACK');
  await Promise.all([blocked, bystander]);
});

test('with statement_timeout they fail, and the query is answered', async () => {
  await locked('invoices');
  const pool = openPool({ connectionString: url, max: 2, statement_timeout: 200 });
  const blocked = Promise.allSettled([pool.query('SELECT * FROM invoices'), pool.query('SELECT * FROM invoices')]);

  await expect(pool.query('SELECT 1 AS one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
  expect(await blocked).toMatchObject([{ reason: { code: '57014' } }, { reason: { code: '57014' } }]);
});
