import { Client } from 'pg';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from './connections.ts';
import { newerPgBouncer } from './newer.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { entry } = await startPostgres();
const two = { shop: `${entry} pool_size=2` };

const old = await startPgBouncer(two);
const newer = await startPgBouncer(two, {}, newerPgBouncer());
const newerWithout = await startPgBouncer(two, { max_prepared_statements: 0 }, newerPgBouncer());
const ignoring = { ignore_startup_parameters: 'statement_timeout, options' };
const oldIgnoring = await startPgBouncer(two, ignoring);
const newerIgnoring = await startPgBouncer(two, ignoring, newerPgBouncer());
const newerTracking = await startPgBouncer(two, { track_extra_parameters: 'IntervalStyle, statement_timeout' }, newerPgBouncer());

const byId = { name: 'by-id', text: 'SELECT $1::int AS id', values: [1] };

/** Runs a named query twice on one client, each time on another server connection. */
async function runTwice(url: string): Promise<unknown> {
  const client = await connect(url);
  const other = await connect(url);
  await client.query(byId);
  await other.query('BEGIN');
  await client.query(byId);
  await other.query('ROLLBACK');
  return 'ran';
}

describe('prepared-statements-in-transaction-mode', () => {
  test('before 1.21 a named query is not there on the next server connection', async () => {
    await expect(runTwice(old('shop'))).rejects.toThrow('prepared statement "by-id" does not exist');
  });

  test('with max_prepared_statements = 0 it is not there in newer versions either', async () => {
    await expect(runTwice(newerWithout('shop'))).rejects.toThrow('prepared statement "by-id" does not exist');
  });

  test('since 1.24 it is there by default', async () => {
    await expect(runTwice(newer('shop'))).resolves.toBe('ran');
  });

  test.each([
    ['through an old one leaves queries unsettled', old, {}, ['settled', 'pending']],
    ['through an old one works with prepare: false', old, { prepare: false }, ['settled', 'settled']],
    ['through a newer one works', newer, {}, ['settled', 'settled']],
  ] as const)('postgres.js %s', async (_, pooled, options, expected) => {
    const sql = postgres(pooled('shop'), { max: 1, fetch_types: false, ...options });
    onTestFinished(() => sql.end({ timeout: 0 }));
    const asks = [() => sql`SELECT ${1}::int AS orders`, () => sql`SELECT ${2}::int AS invoices`];
    for (const ask of asks) await ask();
    const other = await connect(pooled('shop'));
    await other.query('BEGIN');
    const states = asks.map(() => 'pending');
    const all = asks.map((ask, index) => ask().then(() => (states[index] = 'settled')));
    await (expected.every((each) => each === 'settled') ? Promise.all(all) : Promise.race(all));
    await other.query('SELECT 1');
    expect(states).toEqual(expected);
    await other.query('ROLLBACK');
  });
});

async function timeoutOf(url: string, options: { readonly statement_timeout?: number; readonly options?: string }): Promise<unknown> {
  const client = new Client({ connectionString: url, ...options });
  try {
    await client.connect();
    const { rows } = await client.query<{ statement_timeout: string }>('SHOW statement_timeout');
    return rows[0]?.statement_timeout;
  } finally {
    await client.end();
  }
}

describe('unsupported-startup-parameter', () => {
  const limit = { statement_timeout: 5_000 };

  test.each([
    ['the installed version', old],
    ['a newer one', newer],
  ])('%s refuses statement_timeout', async (_, pooled) => {
    await expect(timeoutOf(pooled('shop'), limit)).rejects.toThrow('unsupported startup parameter: statement_timeout');
  });

  test.each([
    ['the installed version', oldIgnoring],
    ['a newer one', newerIgnoring],
    ['a newer one that is to track it', newerTracking],
  ])('%s drops it when it is told to', async (_, pooled) => {
    expect(await timeoutOf(pooled('shop'), limit)).toBe('0');
  });

  test.each([
    ['the installed version', oldIgnoring],
    ['a newer one', newerIgnoring],
  ])('through %s that drops it, no statement is ever ended by it', async (_, pooled) => {
    const client = new Client({ connectionString: pooled('shop'), statement_timeout: 20 });
    onTestFinished(() => client.end());
    await client.connect();
    await expect(client.query('SELECT pg_sleep(0.2)')).resolves.toBeDefined();
  });

  test('options are refused as a whole before 1.20, and by what they say since', async () => {
    const timezone = { options: '-c timezone=UTC' };
    await expect(timeoutOf(old('shop'), timezone)).rejects.toThrow('unsupported startup parameter: options');
    await expect(timeoutOf(newer('shop'), timezone)).resolves.toBe('0');
    await expect(timeoutOf(newer('shop'), { options: '-c statement_timeout=5s' })).rejects.toThrow(
      'unsupported startup parameter in options: statement_timeout',
    );
  });

  test.each([
    ['the installed version', oldIgnoring],
    ['a newer one', newerIgnoring],
  ])('%s drops what options say when it is told to ignore them', async (_, pooled) => {
    expect(await timeoutOf(pooled('shop'), { options: '-c statement_timeout=5s' })).toBe('0');
  });
});
