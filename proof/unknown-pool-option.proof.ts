import mysql from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { connect, countBackends, openPool } from './connections.ts';
import { startMariaDb, startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres();
const mariaDb = await startMariaDb();

/** An option as JavaScript, or an object that is not written in place, lets through. */
function foreign<Options>(options: Options, more: object): Options {
  return { ...options, ...more };
}

test('pg opens 10 connections whatever connectionLimit says, and as many as max says', async () => {
  const misnamed = openPool(foreign({ connectionString: url }, { connectionLimit: 2 }));
  await Promise.all(Array.from({ length: 20 }, () => misnamed.query('SELECT pg_sleep(0.05)')));
  const superuser = await connect(superuserUrl);
  expect(await countBackends(superuser)).toBe(10);

  const named = openPool({ connectionString: url, max: 2 });
  await Promise.all(Array.from({ length: 20 }, () => named.query('SELECT pg_sleep(0.05)')));
  expect(await countBackends(superuser)).toBe(12);
});

test('mysql2 opens 10 connections whatever max says, and as many as connectionLimit says', async () => {
  expect(await connectionsOf(foreign({ uri: mariaDb }, { max: 2 }))).toBe(10);
  expect(await connectionsOf({ uri: mariaDb, connectionLimit: 2 })).toBe(2);
});

async function connectionsOf(options: mysql.PoolOptions): Promise<number> {
  const pool = mysql.createPool(options);
  onTestFinished(() => pool.end());
  const results = await Promise.all(
    Array.from({ length: 20 }, () => pool.query<mysql.RowDataPacket[]>('SELECT CONNECTION_ID() AS id, SLEEP(0.05)')),
  );
  return new Set(results.map(([[row]]): unknown => row?.['id'])).size;
}
