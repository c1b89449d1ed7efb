import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { isPending, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

const callers = 3;

/** Holds every caller until all have come this far, so that the race is always lost. */
function barrier(count: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  let arrived = 0;
  return () => {
    if (++arrived === count) open();
    return all;
  };
}

async function work(pool: Pool, arrive: () => Promise<void>, nested: boolean): Promise<void> {
  const client = await pool.connect();
  try {
    await arrive();
    await (nested ? pool : client).query('SELECT 1');
  } finally {
    client.release();
  }
}

/** Starts all callers at once. */
function callAll(pool: Pool, nested: boolean): Promise<unknown> {
  const arrive = barrier(callers);
  return Promise.allSettled(Array.from({ length: callers }, () => work(pool, arrive, nested)));
}

test('as many callers as connections, each in need of a second one: all of them wait, and nothing is left that could end it', async () => {
  const pool = openPool({ connectionString: url, max: callers });
  const done = callAll(pool, true);
  while (pool.waitingCount < callers) await setImmediate();
  expect({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }).toEqual({
    connections: callers,
    idle: 0,
    waiting: callers,
  });
  expect(await isPending(done)).toBe(true);
});

test('on the client that each of them holds, all of them get on', async () => {
  const pool = openPool({ connectionString: url, max: callers });
  await callAll(pool, false);
  expect({ idle: pool.idleCount, waiting: pool.waitingCount }).toEqual({ idle: callers, waiting: 0 });
});

test('a statement on the outer object inside sql.begin() waits for the connection that its own transaction holds', async () => {
  const sql = postgres(url, { max: 1 });
  onTestFinished(() => sql.end({ timeout: 0 }));
  let answered: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`CREATE TABLE places AS SELECT 1 AS id`;
    // Started, but not awaited: with an await in front of it, nothing here would ever end.
    answered = sql`SELECT id FROM places`.then(([row]) => row);
    await tx`SELECT pg_sleep(0.1)`;
    expect(await isPending(answered)).toBe(true);
  });
  expect(await answered).toEqual({ id: 1 });
});
