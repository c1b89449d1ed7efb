import CircuitBreaker from 'opossum';
import { timeout, TimeoutStrategy } from 'cockatiel';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { connect, openPool } from './connections.ts';
import { newerPgBouncer } from './newer.ts';
import { freePort } from './process.ts';
import { startNginx, startPgBouncer, startPostgres, streamModule } from './servers.ts';

const { url, entry } = await startPostgres();

async function runningAs(name: string): Promise<readonly number[]> {
  const observer = await connect(url);
  const { rows } = await observer.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'",
    [name],
  );
  return rows.map(({ pid }) => pid);
}

test('a statement goes on when the driver has given up', async () => {
  const pool = openPool({ connectionString: url, application_name: 'inverted', query_timeout: 300, statement_timeout: 30_000 });
  await expect(pool.query('SELECT pg_sleep(30)')).rejects.toThrow('Query read timeout');

  const pids = await runningAs('inverted');
  expect(pids).toHaveLength(1);
  await (await connect(url)).query('SELECT pg_terminate_backend($1)', [pids[0]]);
});

test('with the shorter statement_timeout it is gone when its caller hears of it', async () => {
  const pool = openPool({ connectionString: url, application_name: 'ordered', query_timeout: 30_000, statement_timeout: 300 });
  await expect(pool.query('SELECT pg_sleep(30)')).rejects.toMatchObject({ code: '57014' });

  expect(await runningAs('ordered')).toEqual([]);
});

test('nginx answers 504, and the statement that its request waited for goes on', async () => {
  const pool = openPool({ connectionString: url, application_name: 'behind nginx' });
  const app = await listen(async (response) => {
    await pool.query('SELECT pg_sleep(30)').catch(() => undefined);
    response.end();
  });
  const nginx = await startNginx(
    `server { listen {listen}; location / { proxy_pass http://127.0.0.1:${app}; proxy_read_timeout 300ms; } }`,
  );

  const { status } = await fetch(`http://127.0.0.1:${nginx}/`);
  expect(status).toBe(504);
  const pids = await runningAs('behind nginx');
  expect(pids).toHaveLength(1);
  await (await connect(url)).query('SELECT pg_terminate_backend($1)', [pids[0]]);
});

test.each([
  ['opossum', (work: () => Promise<unknown>) => new CircuitBreaker(work, { timeout: 300 }).fire(), 'Timed out after 300ms'],
  [
    'cockatiel',
    (work: () => Promise<unknown>) => timeout(300, TimeoutStrategy.Aggressive).execute(work),
    'Operation timed out after 300ms',
  ],
])('%s gives up, and the statement goes on', async (name, guarded, message) => {
  const pool = openPool({ connectionString: url, application_name: name });
  await expect(guarded(() => pool.query('SELECT pg_sleep(30)').catch(() => undefined))).rejects.toThrow(message);

  const pids = await runningAs(name);
  expect(pids).toHaveLength(1);
  await (await connect(url)).query('SELECT pg_terminate_backend($1)', [pids[0]]);
});

test('an hour of proxy_read_timeout holds a request that hangs, and the connection of the pool with it', async () => {
  const pool = openPool({ connectionString: url, application_name: 'patient', max: 1 });
  const borrowed = once(pool, 'acquire');
  const app = await listen(async (response) => {
    const client = await pool.connect();
    // Whatever it waits for does not come.
    await once(response, 'close');
    client.release();
  });
  const nginx = (time: string) =>
    startNginx(`server { listen {listen}; location / { proxy_pass http://127.0.0.1:${app}; proxy_read_timeout ${time}; } }`);

  const abort = new AbortController();
  const hanging = fetch(`http://127.0.0.1:${await nginx('3600s')}/`, { signal: abort.signal }).catch(() => 'aborted');
  await borrowed;
  const waiting = pool.connect();
  expect(await Promise.race([waiting, setTimeout(1_000, 'still held')])).toBe('still held');
  abort.abort();
  await hanging;
  (await waiting).release();

  expect((await fetch(`http://127.0.0.1:${await nginx('300ms')}/`)).status).toBe(504);
  (await pool.connect()).release();
});

/** An nginx that passes sessions on to PostgreSQL, and ends those in which nothing is sent for so long. */
async function startStream(proxyTimeout: string): Promise<string> {
  const port = await freePort();
  const server = `server { listen 127.0.0.1:${port}; proxy_pass ${new URL(url).host}; proxy_timeout ${proxyTimeout}; }`;
  const main = `load_module ${streamModule}; events {} stream { ${server} }`;
  await startNginx('server { listen {listen}; }', undefined, main);
  const proxied = new URL(url);
  proxied.port = String(port);
  return proxied.href;
}

test('a stream of nginx cuts off the idle connections of a pool that keeps them longer', async () => {
  const pool = openPool({ connectionString: await startStream('1s'), idleTimeoutMillis: 0 });
  await pool.query('SELECT 1');
  const [error] = await once(pool, 'error');
  expect(error).toMatchObject({ message: 'Connection terminated unexpectedly' });
});

test('a pool that is the first to close loses none', async () => {
  const pool = openPool({ connectionString: await startStream('30s'), idleTimeoutMillis: 300 });
  let errors = 0;
  pool.on('error', () => errors++);
  await pool.query('SELECT 1');
  await once(pool, 'remove');
  expect(errors).toBe(0);
});

test('a caller that races a query against a deadline of its own leaves the statement running', async () => {
  const pool = openPool({ connectionString: url, application_name: 'raced' });
  const query = pool.query('SELECT pg_sleep(30)').catch(() => 'ended');
  expect(await Promise.race([query, setTimeout(300, 'given up')])).toBe('given up');

  const pids = await runningAs('raced');
  expect(pids).toHaveLength(1);
  await (await connect(url)).query('SELECT pg_terminate_backend($1)', [pids[0]]);
  expect(await query).toBe('ended');
});

const one = { app: `${entry} pool_size=1` };
const settings = { query_wait_timeout: 60, admin_users: 'app' };

describe.each([
  ['the installed PgBouncer', await startPgBouncer(one, settings)],
  ['a newer PgBouncer', await startPgBouncer(one, settings, newerPgBouncer())],
])('behind %s', (_, pooled) => {
  /** Keeps the only server connection until it commits. */
  async function holder(): Promise<Client> {
    const client = await connect(pooled('app'));
    await client.query('BEGIN');
    return client;
  }

  /** How many clients wait for a server connection. */
  async function waiting(): Promise<number> {
    const console = new Client({ connectionString: pooled('pgbouncer') });
    await console.connect();
    const { rows } = await console.query<{ database: string; cl_waiting: string }>('SHOW POOLS');
    await console.end();
    return rows.filter(({ database }) => database === 'app').reduce((sum, { cl_waiting }) => sum + Number(cl_waiting), 0);
  }

  async function ordered(): Promise<readonly string[]> {
    const { rows } = await (await connect(url)).query<{ id: string }>('SELECT id FROM orders ORDER BY id');
    return rows.map(({ id }) => id);
  }

  beforeEach(async () => {
    await (await connect(url)).query('DROP TABLE IF EXISTS orders; CREATE TABLE orders (id text)');
  });

  test('a caller that gives up waiting for a free connection, long before query_wait_timeout, leaves nothing behind', async () => {
    const held = await holder();
    const pool = openPool({ connectionString: pooled('app'), max: 1, connectionTimeoutMillis: 300 });
    const first = pool.query("INSERT INTO orders VALUES ('first')");
    await expect(pool.query("INSERT INTO orders VALUES ('refused')")).rejects.toThrow('timeout exceeded when trying to connect');
    expect(await waiting()).toBe(1);

    await held.query('COMMIT');
    await first;
    expect(await ordered()).toEqual(['first']);
  });

  test('a query that its driver gives up before its turn has come is not executed, but keeps its place in the queue', async () => {
    const held = await holder();
    const pool = openPool({ connectionString: pooled('app'), query_timeout: 300 });
    await expect(pool.query("INSERT INTO orders VALUES ('given up')")).rejects.toThrow('Query read timeout');
    expect(await waiting()).toBe(1);

    await held.query('COMMIT');
    await (await connect(pooled('app'))).query("INSERT INTO orders VALUES ('next')");
    expect(await ordered()).toEqual(['next']);
  });
});

async function listen(handle: (response: ServerResponse) => Promise<void>): Promise<number> {
  const server = createServer((_, response) => void handle(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
