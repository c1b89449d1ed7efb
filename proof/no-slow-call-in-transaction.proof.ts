import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { isPending, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

const callers = 3;

/** A service that is asked and does not answer; `asked` resolves when as many requests have come as there are callers. */
async function silentService(): Promise<{ address: string; asked: Promise<void>; answer: () => void }> {
  const held: (() => void)[] = [];
  let all: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (all = resolve));
  const server = createServer((_request, response) => {
    held.push(() => response.end('{}'));
    if (held.length === callers) all();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = () => held.forEach((end) => end());
  onTestFinished(() => {
    answer();
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answer };
}

async function chargeWhileHolding(pool: Pool, address: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await fetch(address);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function chargeFirst(pool: Pool, address: string): Promise<void> {
  await fetch(address);
  await pool.query('SELECT 1');
}

test('while callers hold their connections and wait for a service, nobody else gets one', async () => {
  const pool = openPool({ connectionString: url, max: callers });
  const { address, asked, answer } = await silentService();
  const charges = Promise.all(Array.from({ length: callers }, () => chargeWhileHolding(pool, address)));
  await asked;
  const other = pool.query('SELECT 1');
  expect({ idle: pool.idleCount, waiting: pool.waitingCount }).toEqual({ idle: 0, waiting: 1 });
  expect(await isPending(other)).toBe(true);
  answer();
  await Promise.all([charges, other]);
});

test('when they ask the service first, everybody else is served in the meantime', async () => {
  const pool = openPool({ connectionString: url, max: callers });
  const { address, asked, answer } = await silentService();
  const charges = Promise.all(Array.from({ length: callers }, () => chargeFirst(pool, address)));
  await asked;
  expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  answer();
  await charges;
});
