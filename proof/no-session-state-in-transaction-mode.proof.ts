import { once } from 'node:events';
import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { connect, pidOf } from './connections.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { url: direct, entry } = await startPostgres();
const pooled = await startPgBouncer({
  one: `${entry} pool_size=1`,
  two: `${entry} pool_size=2`,
  session: `${entry} pool_size=2 pool_mode=session`,
});

const resetting = await startPgBouncer({ one: `${entry} pool_size=1` }, { server_reset_query_always: 1 });

async function twoClients(database: string): Promise<[Client, Client]> {
  return [await connect(pooled(database)), await connect(pooled(database))];
}

async function ask(client: Client, sql: string): Promise<unknown> {
  const { rows } = await client.query<{ answer: unknown }>(`SELECT ${sql} AS answer`);
  return rows[0]?.answer;
}

function collectNotifications(client: Client): string[] {
  const payloads: string[] = [];
  client.on('notification', ({ payload }) => payloads.push(payload ?? ''));
  return payloads;
}

test('set_config(…, false) of one client is what the next client finds', async () => {
  const [a, b] = await twoClients('one');
  await a.query("SELECT set_config('app.tenant', 'a', false)");
  expect(await ask(b, "current_setting('app.tenant', true)")).toBe('a');
});

test('set_config(…, true) in a transaction leaves nothing behind', async () => {
  const [a, b] = await twoClients('one');
  await a.query('BEGIN');
  await a.query("SELECT set_config('app.visitor', 'a', true)");
  expect(await ask(a, "current_setting('app.visitor')")).toBe('a');
  await a.query('COMMIT');
  expect(await ask(b, "current_setting('app.visitor', true)")).toBe('');
});

test('SET is inherited by another client', async () => {
  const [a, b] = await twoClients('one');
  await a.query("SET lock_timeout = '7s'");
  expect(await ask(b, "current_setting('lock_timeout')")).toBe('7s');
});

test('SET is lost by the client that sent it as soon as it gets another server connection', async () => {
  const [a, b] = await twoClients('two');
  await a.query("SET statement_timeout = '7s'");
  await b.query('BEGIN');
  expect(await ask(a, "current_setting('statement_timeout')")).toBe('0');
  expect(await ask(b, "current_setting('statement_timeout')")).toBe('7s');
  await b.query('ROLLBACK');
});

test('SET is gone after its transaction when the pooler always resets the session', async () => {
  const client = await connect(resetting('one'));
  await client.query("SET lock_timeout = '7s'");
  expect(await ask(client, "current_setting('lock_timeout')")).toBe('0');
});

test('SET LOCAL in a transaction ends with it', async () => {
  const [a, b] = await twoClients('one');
  await a.query('BEGIN');
  await a.query("SET LOCAL work_mem = '8MB'");
  await a.query('COMMIT');
  expect(await ask(b, "current_setting('work_mem')")).toBe('4MB');
});

test('in session mode SET belongs to its client', async () => {
  const [a, b] = await twoClients('session');
  await a.query("SET lock_timeout = '7s'");
  expect(await ask(b, "current_setting('lock_timeout')")).toBe('0');
  expect(await ask(a, "current_setting('lock_timeout')")).toBe('7s');
});

test('LISTEN subscribes the server connection: the notification goes to whoever holds it', async () => {
  const [listener, bystander] = await twoClients('one');
  const sender = await connect(direct);
  const [heard, overheard] = [collectNotifications(listener), collectNotifications(bystander)];
  await listener.query('LISTEN orders');
  await bystander.query('BEGIN');
  await sender.query("NOTIFY orders, 'paid'");
  await bystander.query('COMMIT');
  await listener.query('SELECT 1');
  expect({ heard, overheard }).toEqual({ heard: [], overheard: ['paid'] });
});

test('LISTEN on a direct connection hears, also what is notified through the pooler', async () => {
  const [listener, sender] = [await connect(direct), await connect(pooled('one'))];
  const notified = once(listener, 'notification');
  await listener.query('LISTEN invoices');
  await sender.query("NOTIFY invoices, 'paid'");
  expect(await notified).toMatchObject([{ payload: 'paid' }]);
});

test('a session advisory lock is granted to two clients at once', async () => {
  const [a, b] = await twoClients('one');
  expect(await ask(a, 'pg_try_advisory_lock(1)')).toBe(true);
  expect(await ask(b, 'pg_try_advisory_lock(1)')).toBe(true);
});

test('a session advisory lock cannot be given back from another server connection', async () => {
  const [a, b] = await twoClients('two');
  expect(await ask(a, 'pg_try_advisory_lock(2)')).toBe(true);
  await b.query('BEGIN');
  expect(await ask(a, 'pg_advisory_unlock(2)')).toBe(false);
  await b.query('ROLLBACK');
});

test('an advisory lock of the transaction is granted to one', async () => {
  const [a, b] = await twoClients('two');
  await a.query('BEGIN');
  expect(await ask(a, 'pg_try_advisory_xact_lock(3)')).toBe(true);
  expect(await ask(b, 'pg_try_advisory_xact_lock(3)')).toBe(false);
  await a.query('COMMIT');
  expect(await ask(b, 'pg_try_advisory_xact_lock(3)')).toBe(true);
});

test('a temporary table is there for a stranger and gone for its owner', async () => {
  const [a, b] = await twoClients('two');
  await a.query('CREATE TEMP TABLE basket (sku text)');
  const owner = await pidOf(a);
  await b.query('BEGIN');
  expect(await pidOf(b)).toBe(owner);
  expect(await ask(b, "to_regclass('pg_temp.basket')")).toBe('basket');
  await expect(a.query('SELECT * FROM basket')).rejects.toThrow('relation "basket" does not exist');
  await b.query('ROLLBACK');
});

test('a statement prepared in SQL exists on one server connection only', async () => {
  const [a, b] = await twoClients('two');
  await a.query('PREPARE total AS SELECT 1');
  await b.query('BEGIN');
  await expect(a.query('EXECUTE total')).rejects.toThrow('prepared statement "total" does not exist');
  await b.query('ROLLBACK');
});
