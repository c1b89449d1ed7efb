import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import mysql from 'mysql2/promise';
import type { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { isPending, openPool } from './connections.ts';
import { startMariaDb, startPostgres } from './servers.ts';

const { url } = await startPostgres();
const mariadb = await startMariaDb();

const NOT_JSON = "SELECT 'a customer''s note' AS settings";

async function releasesLast(pool: Pool): Promise<unknown> {
  const client = await pool.connect();
  const { rows } = await client.query<{ settings: string }>(NOT_JSON);
  const settings: unknown = JSON.parse(String(rows[0]?.settings));
  client.release();
  return settings;
}

async function releasesInFinally(pool: Pool): Promise<unknown> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ settings: string }>(NOT_JSON);
    return JSON.parse(String(rows[0]?.settings));
  } finally {
    client.release();
  }
}

test('two exceptions between connect and release leave nothing of a pool of two', async () => {
  const pool = openPool({ connectionString: url, max: 2, connectionTimeoutMillis: 1_000 });
  await expect(releasesLast(pool)).rejects.toThrow(SyntaxError);
  await expect(releasesLast(pool)).rejects.toThrow(SyntaxError);
  await expect(releasesLast(pool)).rejects.toThrow('timeout exceeded when trying to connect');
  expect({ total: pool.totalCount, idle: pool.idleCount }).toEqual({ total: 2, idle: 0 });
});

test('with the release in a finally the same exceptions cost nothing', async () => {
  const pool = openPool({ connectionString: url, max: 2, connectionTimeoutMillis: 1_000 });
  for (let call = 0; call < 5; call++) await expect(releasesInFinally(pool)).rejects.toThrow(SyntaxError);
  expect({ total: pool.totalCount, idle: pool.idleCount }).toEqual({ total: 1, idle: 1 });
});

function openMysqlPool(): mysql.Pool {
  const pool = mysql.createPool({ uri: mariadb, connectionLimit: 2 });
  onTestFinished(() => pool.end());
  return pool;
}

async function mysqlReleasesLast(pool: mysql.Pool): Promise<void> {
  const connection = await pool.getConnection();
  await connection.query('SELECT nonsense');
  connection.release();
}

async function mysqlReleasesInFinally(pool: mysql.Pool): Promise<void> {
  const connection = await pool.getConnection();
  try {
    await connection.query('SELECT nonsense');
  } finally {
    connection.release();
  }
}

test('mysql2: two failed statements exhaust a pool of two, and the third caller waits without an error', async () => {
  const pool = openMysqlPool();
  await expect(mysqlReleasesLast(pool)).rejects.toThrow('Unknown column');
  await expect(mysqlReleasesLast(pool)).rejects.toThrow('Unknown column');
  const third = pool.getConnection();
  const elsewhere = openMysqlPool();
  await elsewhere.query('SELECT 1');
  expect(await isPending(third)).toBe(true);
});

test('mysql2/promise: a function is never called, so what was taken for it is out for good', async () => {
  const pool = openMysqlPool();
  let called = false;
  const release = (_error: unknown, connection: mysql.PoolConnection) => {
    called = true;
    connection.release();
  };
  const takesFunction = pool.getConnection.bind(pool) as (callback: typeof release) => Promise<unknown>;
  await takesFunction(release);
  const second = await pool.getConnection();
  expect(() => void Reflect.apply(second.query, second, ['SELECT 1', release])).toThrow(
    'Callback function is not available with promise clients',
  );
  const third = pool.getConnection();
  const elsewhere = openMysqlPool();
  await elsewhere.query('SELECT 1');
  expect({ called, pending: await isPending(third) }).toEqual({ called: false, pending: true });
});

test('mysql2: with the release in a finally the third caller is served', async () => {
  const pool = openMysqlPool();
  await expect(mysqlReleasesInFinally(pool)).rejects.toThrow('Unknown column');
  await expect(mysqlReleasesInFinally(pool)).rejects.toThrow('Unknown column');
  await expect(pool.query('SELECT 1')).resolves.toBeDefined();
});

/** A server that borrows a connection for each request, and the pool, after one request whose caller goes away. */
async function abandonedRequest(event: 'finish' | 'close'): Promise<Pool> {
  const pool = openPool({ connectionString: url, max: 1, connectionTimeoutMillis: 1_000 });
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    void pool.connect().then((client) => {
      response.on(event, () => client.release());
      responses.push(response);
      request.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ host: '127.0.0.1', port });
  await once(request, 'error');
  await expect.poll(() => responses[0]?.closed).toBe(true);
  responses[0]?.end('too late');
  return pool;
}

test("a response whose caller goes away never emits 'finish', and the connection stays out", async () => {
  const pool = await abandonedRequest('finish');
  await expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded when trying to connect');
});

test("'close' comes all the same", async () => {
  const pool = await abandonedRequest('close');
  await expect(pool.query('SELECT 1')).resolves.toBeDefined();
});
