import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { connect } from './connections.ts';
import { newerPgBouncer } from './newer.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

/*
 * What belongs to a session, row by row of https://www.pgbouncer.org/features.html: one client sends it, another one has the server connection
 * next. Each row starts on a server connection of its own.
 */

const { entry, superuserUrl } = await startPostgres();
const admin = new Client({ connectionString: superuserUrl });
await admin.connect();
await admin.query('CREATE ROLE auditor; GRANT auditor TO app; CREATE SEQUENCE numbers; GRANT USAGE ON SEQUENCE numbers TO app');
await admin.query('CREATE TABLE orders (id int); GRANT INSERT ON orders TO app; GRANT INSERT ON orders TO auditor');
await admin.end();
const asSuperuser = entry.replace('user=app', 'user=postgres');

interface Row {
  readonly name: string;
  /** What the first client sends. */
  readonly sends: readonly string[];
  /** What the next one asks, and how it is answered. */
  readonly asks: string;
  readonly gets: unknown;
  readonly superuser?: true;
}

const leaks: readonly Row[] = [
  { name: 'SET', sends: ["SET lock_timeout = '7s'"], asks: "current_setting('lock_timeout')", gets: '7s' },
  {
    name: 'SET in a transaction that is committed',
    sends: ['BEGIN', "SET lock_timeout = '7s'", 'COMMIT'],
    asks: "current_setting('lock_timeout')",
    gets: '7s',
  },
  { name: 'SET search_path', sends: ['SET search_path TO other'], asks: "current_setting('search_path')", gets: 'other' },
  {
    name: 'set_config(…, false)',
    sends: ["SELECT set_config('app.tenant', 'a', false)"],
    asks: "current_setting('app.tenant', true)",
    gets: 'a',
  },
  { name: 'SET ROLE', sends: ['SET ROLE auditor'], asks: 'current_user', gets: 'auditor' },
  {
    name: 'SET SESSION AUTHORIZATION',
    sends: ['SET SESSION AUTHORIZATION auditor'],
    asks: 'session_user',
    gets: 'auditor',
    superuser: true,
  },
  {
    name: 'SET SESSION CHARACTERISTICS',
    sends: ['SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'],
    asks: "current_setting('transaction_read_only')",
    gets: 'on',
  },
  {
    name: 'a temporary table',
    sends: ['CREATE TEMP TABLE basket (sku text) ON COMMIT DELETE ROWS'],
    asks: "to_regclass('pg_temp.basket')",
    gets: 'basket',
  },
  { name: 'SELECT … INTO TEMP', sends: ['SELECT 1 AS n INTO TEMP basket'], asks: "to_regclass('pg_temp.basket')", gets: 'basket' },
  { name: 'a temporary view', sends: ['CREATE TEMP VIEW basket AS SELECT 1'], asks: "to_regclass('pg_temp.basket')", gets: 'basket' },
  { name: 'a temporary sequence', sends: ['CREATE TEMP SEQUENCE basket'], asks: "to_regclass('pg_temp.basket')", gets: 'basket' },
  {
    name: 'a cursor WITH HOLD',
    sends: ['DECLARE page CURSOR WITH HOLD FOR SELECT 1'],
    asks: "(SELECT is_holdable FROM pg_cursors WHERE name = 'page')",
    gets: true,
  },
  {
    name: 'PREPARE',
    sends: ['PREPARE total AS SELECT 1'],
    asks: "(SELECT count(*)::int FROM pg_prepared_statements WHERE name = 'total')",
    gets: 1,
  },
  { name: 'a session advisory lock', sends: ['SELECT pg_advisory_lock(77)'], asks: 'pg_advisory_unlock(77)', gets: true },
  { name: 'LISTEN', sends: ['LISTEN orders'], asks: '(SELECT count(*)::int FROM pg_listening_channels())', gets: 1 },
  {
    name: 'LOAD',
    sends: ["LOAD 'auto_explain'"],
    asks: "(SELECT count(*)::int FROM pg_settings WHERE name = 'auto_explain.log_timing')",
    gets: 1,
    superuser: true,
  },
  { name: 'currval', sends: ["SELECT nextval('numbers')"], asks: "currval('numbers') > 0", gets: true },
  {
    name: 'SET in a DO block',
    sends: ["DO $$ BEGIN SET lock_timeout = '7s'; END $$"],
    asks: "current_setting('lock_timeout')",
    gets: '7s',
  },
];

const staysOut: readonly Row[] = [
  { name: 'SET LOCAL', sends: ['BEGIN', "SET LOCAL lock_timeout = '7s'", 'COMMIT'], asks: "current_setting('lock_timeout')", gets: '0' },
  { name: 'SET LOCAL ROLE', sends: ['BEGIN', 'SET LOCAL ROLE auditor', 'COMMIT'], asks: 'current_user', gets: 'app' },
  {
    name: 'SET LOCAL in a DO block',
    sends: ["DO $$ BEGIN SET LOCAL lock_timeout = '7s'; END $$"],
    asks: "current_setting('lock_timeout')",
    gets: '0',
  },
  {
    name: 'a temporary table ON COMMIT DROP',
    sends: ['BEGIN', 'CREATE TEMP TABLE basket (sku text) ON COMMIT DROP', 'COMMIT'],
    asks: "to_regclass('pg_temp.basket')",
    gets: null,
  },
  {
    name: 'a cursor without HOLD',
    sends: ['BEGIN', 'DECLARE page CURSOR FOR SELECT 1', 'COMMIT'],
    asks: '(SELECT count(*)::int FROM pg_cursors)',
    gets: 0,
  },
  {
    name: 'an advisory lock of the transaction',
    sends: ['BEGIN', 'SELECT pg_advisory_xact_lock(78)', 'COMMIT'],
    asks: 'pg_try_advisory_xact_lock(78)',
    gets: true,
  },
  { name: 'SET TIME ZONE', sends: ["SET TIME ZONE 'Asia/Tokyo'"], asks: "current_setting('TimeZone') = 'Asia/Tokyo'", gets: false },
  { name: 'SET client_encoding', sends: ["SET client_encoding = 'LATIN1'"], asks: "current_setting('client_encoding')", gets: 'UTF8' },
  { name: 'SET DateStyle', sends: ["SET DateStyle = 'German'"], asks: "current_setting('DateStyle') LIKE 'German%'", gets: false },
];

const rows = [...leaks, ...staysOut];
const entries = Object.fromEntries(rows.map(({ superuser }, at) => [`row${at}`, `${superuser ? asSuperuser : entry} pool_size=1`]));
const interval = { interval: `${entry} pool_size=1`, named: `${entry} pool_size=1`, statement: `${entry} pool_size=1 pool_mode=statement` };
const old = await startPgBouncer({ ...entries, ...interval });
const newer = await startPgBouncer({ ...entries, ...interval }, {}, newerPgBouncer());

async function ask(client: Client, sql: string): Promise<unknown> {
  const { rows: found } = await client.query<{ answer: unknown }>(`SELECT ${sql} AS answer`);
  return found[0]?.answer;
}

async function nextAfter(url: string, { sends, asks }: Row): Promise<unknown> {
  const [first, next] = [await connect(url), await connect(url)];
  for (const statement of sends) await first.query(statement);
  return ask(next, asks);
}

describe.each([
  ['the installed PgBouncer', old],
  ['a newer PgBouncer', newer],
])('through %s in transaction mode', (_, pooled) => {
  test.each(leaks)('$name is what the next client finds', async (row) => {
    expect(await nextAfter(pooled(`row${rows.indexOf(row)}`), row)).toEqual(row.gets);
  });

  test.each(staysOut)('$name is not what the next client finds', async (row) => {
    expect(await nextAfter(pooled(`row${rows.indexOf(row)}`), row)).toEqual(row.gets);
  });

  test('in statement mode a transaction is refused, and the client cut off', async () => {
    const client = await connect(pooled('statement'));
    client.on('error', () => undefined);
    await expect(client.query('BEGIN')).rejects.toThrow('transaction blocks not allowed in statement pooling mode');
  });
});

test('IntervalStyle is restored for each client since 1.20', async () => {
  const row = { name: '', sends: ['SET IntervalStyle = iso_8601'], asks: "current_setting('IntervalStyle')", gets: '' };
  expect(await nextAfter(old('interval'), row)).toBe('iso_8601');
  expect(await nextAfter(newer('interval'), row)).toBe('postgres');
});

test('the application_name of one client was that of those without one, until 1.22', async () => {
  const row = { name: '', sends: ["SET application_name = 'reports'"], asks: "current_setting('application_name')", gets: '' };
  expect(await nextAfter(old('named'), row)).toBe('reports');
  expect(await nextAfter(newer('named'), row)).toBe('');
});
