import { Client } from 'pg';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { trackedParameters } from '@poolcheck/rules/knowledge/pgbouncer';
import { connect } from './connections.ts';
import { newerPgBouncer, newestPgBouncer, versionOf } from './newer.ts';
import { installed } from './process.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { entry } = await startPostgres();
const two = { shop: `${entry} pool_size=2` };

const old = await startPgBouncer(two);
const newer = await startPgBouncer(two, {}, newerPgBouncer());
const newest = await startPgBouncer(two, {}, newestPgBouncer());
const newerWithout = await startPgBouncer(two, { max_prepared_statements: 0 }, newerPgBouncer());
const ignoring = { ignore_startup_parameters: 'statement_timeout, options' };
const oldIgnoring = await startPgBouncer(two, ignoring);
const newerIgnoring = await startPgBouncer(two, ignoring, newerPgBouncer());
const newestIgnoring = await startPgBouncer(two, ignoring, newestPgBouncer());
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

  test.each([
    ['since 1.24', newer],
    ['since 1.26', newest],
  ])('%s it is there by default', async (_, pooled) => {
    await expect(runTwice(pooled('shop'))).resolves.toBe('ran');
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
    ['the newest', newest],
  ])('%s refuses statement_timeout', async (_, pooled) => {
    await expect(timeoutOf(pooled('shop'), limit)).rejects.toThrow('unsupported startup parameter: statement_timeout');
  });

  test.each([
    ['the installed version', oldIgnoring],
    ['a newer one', newerIgnoring],
    ['the newest', newestIgnoring],
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

  test.each([
    ['the installed version', old],
    ['a newer one', newer],
    ['the newest', newest],
  ])('%s refuses extra_float_digits, with which pgjdbc begins', async (_, pooled) => {
    const sql = postgres(pooled('shop'), { max: 1, connection: { extra_float_digits: 2 } });
    onTestFinished(() => sql.end({ timeout: 0 }));
    await expect(sql`SELECT 1`).rejects.toThrow('unsupported startup parameter: extra_float_digits');
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
    ['the newest', newestIgnoring],
  ])('%s drops what options say when it is told to ignore them', async (_, pooled) => {
    expect(await timeoutOf(pooled('shop'), { options: '-c statement_timeout=5s' })).toBe('0');
  });
});

const one = { shop: `${entry} pool_size=1` };
const tracking = await Promise.all(
  [[installed('pgbouncer', 'pgbouncer')] as const, newerPgBouncer(), newestPgBouncer()].map(async (command) => ({
    version: versionOf(command),
    pooled: await startPgBouncer(one, {}, command),
  })),
);

/** Two values of a parameter that PostgreSQL reports, or does not. */
const parameters = [
  ['client_encoding', 'LATIN1', 'LATIN2'],
  ['datestyle', 'German, DMY', 'SQL, DMY'],
  ['timezone', 'Asia/Tokyo', 'Asia/Kolkata'],
  ['standard_conforming_strings', 'off', 'on'],
  ['application_name', 'one', 'two'],
  ['intervalstyle', 'iso_8601', 'sql_standard'],
  ['default_transaction_read_only', 'on', 'off'],
  ['statement_timeout', '5s', '6s'],
  ['search_path', 'one', 'two'],
] as const;

/** Of what may be tracked, PostgreSQL 14 to 15 report this. */
const reported = 'default_transaction_read_only';

describe.each(tracking)('no-session-state-in-transaction-mode: PgBouncer $version', ({ version, pooled }) => {
  test.each(parameters)('keeps %s for each client when we say that it is tracked', async (name, own, others) => {
    const client = await connect(pooled('shop'));
    const other = await connect(pooled('shop'));
    await client.query(`SET ${name} = ${own.includes(',') ? own : `'${own}'`}`);
    await other.query(`SET ${name} = ${others.includes(',') ? others : `'${others}'`}`);
    const { rows } = await client.query<Record<string, string>>(`SHOW ${name}`);
    const { always, maybe } = trackedParameters(version);
    const isTracked = always.has(name) || (name === reported && maybe.has(name));
    expect(Object.values(rows[0] ?? {})).toEqual([isTracked ? own : others]);
  });
});
