import mysql from 'mysql2/promise';
import type { PoolConfig } from 'pg';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { isPending, openPool } from './connections.ts';
import { startMariaDb, startPostgres } from './servers.ts';

const { url } = await startPostgres();
const mariaDb = await startMariaDb();

/** More than any default. */
const callers = 15;

/** A size as it comes out of an environment, whatever the types say. */
function sized<Options>(options: Options, size: object): Options {
  return { ...options, ...size };
}

test.each([
  ["the text '3' for 3", '3', 3],
  ["the text '3conn' for no limit", '3conn', callers],
  ['an empty text for its default', '', 10],
  ['NaN for its default', Number.NaN, 10],
  ['0 for its default', 0, 10],
])('pg takes %s', async (_, max, expected) => {
  const pool = openPool(sized<PoolConfig>({ connectionString: url }, { max }));
  await Promise.all(Array.from({ length: callers }, () => pool.query('SELECT pg_sleep(0.1)')));
  expect(pool.totalCount).toBe(expected);
});

test('pg never grants a connection of -1', async () => {
  const pool = openPool({ connectionString: url, max: -1, connectionTimeoutMillis: 300 });
  const waiting = pool.connect();
  expect(await isPending(waiting)).toBe(true);
  await expect(waiting).rejects.toThrow('timeout exceeded');
});

test('pg does not read a size in its URL', async () => {
  const pool = openPool({ connectionString: `${url}?max=2&connection_limit=2` });
  await Promise.all(Array.from({ length: callers }, () => pool.query('SELECT pg_sleep(0.1)')));
  expect(pool.totalCount).toBe(10);
});

test.each([
  ['3 for 3', url, { max: 3 }, 3],
  ["the text '3' for a single connection", url, { max: '3' }, 1],
  ['an empty text for a single connection', url, { max: '' }, 1],
  ['a size in its URL for a single connection', `${url}?max=3`, {}, 1],
])('postgres.js takes %s', async (_, target, size, expected) => {
  const sql = postgres(target, sized<postgres.Options<Record<string, never>>>({}, size));
  onTestFinished(() => sql.end());
  const results = await Promise.all(Array.from({ length: callers }, () => sql`SELECT pg_backend_pid() AS pid, pg_sleep(0.05)`));
  expect(new Set(results.map(([row]): unknown => row?.['pid'])).size).toBe(expected);
});

test('postgres.js never ends a query with a size of 0, and throws an error for NaN', async () => {
  const waiting = postgres(url, { max: 0 })`SELECT 1`.execute();
  const other = postgres(url);
  onTestFinished(() => other.end());
  await other`SELECT pg_sleep(0.2)`;
  expect(await isPending(waiting)).toBe(true);
  expect(() => postgres(url, { max: Number.NaN })).toThrow('Invalid array length');
});

test('postgres.js sends another name for the size to the server, which refuses it', async () => {
  const sql = postgres(`${url}?connection_limit=3`);
  onTestFinished(() => sql.end());
  await expect(sql`SELECT 1`).rejects.toMatchObject({ code: '42704' });
});

test.each([
  ["the text '3' for 3", '3', 3],
  ["the text '3conn' for its default", '3conn', 10],
  ['an empty text for no limit', '', callers],
  ['0 for no limit', 0, callers],
  ['NaN for its default', Number.NaN, 10],
])('mysql2 takes %s', async (_, connectionLimit, expected) => {
  const pool = mysql.createPool(sized<mysql.PoolOptions>({ uri: mariaDb }, { connectionLimit }));
  onTestFinished(() => pool.end());
  const results = await Promise.all(
    Array.from({ length: callers }, () => pool.query<mysql.RowDataPacket[]>('SELECT CONNECTION_ID() AS id, SLEEP(0.1)')),
  );
  expect(new Set(results.map(([[row]]): unknown => row?.['id'])).size).toBe(expected);
});
