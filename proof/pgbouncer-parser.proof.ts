/*
 * The parser's claims about pgbouncer.ini, shown on the real program: it refuses what we call fatal and nothing else, and it says of
 * settings and databases what we read. Needs `pgbouncer` and `psql`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection, PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import { parameter } from '@poolcheck/parsers/pgbouncer/document';
import { parsePgbouncer } from '@poolcheck/parsers/pgbouncer/parse';
import { readAtoi, readInt, readSeconds } from '@poolcheck/parsers/pgbouncer/values';
import { textOf } from '@poolcheck/parsers/text';
import { isKnownTo, pgbouncerSetting, takesValue } from '@poolcheck/rules/knowledge/pgbouncer';
import type { PgbouncerSection } from '@poolcheck/rules/knowledge/pgbouncer-settings';
import { isBefore, parseVersion, type Version } from '@poolcheck/rules/version';
import { freePort, installed, privateFolder } from './process.ts';

const program = installed('pgbouncer', 'pgbouncer');
const psql = installed('psql', 'postgresql-client');
const folder = privateFolder();
const port = await freePort();
const version = programVersion();

function programVersion(): Version {
  const found = parseVersion(execFileSync(program, ['--version'], { encoding: 'utf8' }));
  if (!found) throw new Error(`${program} does not say its version`);
  return found;
}

type Files = Readonly<Record<string, string>>;

interface Started {
  readonly child: ChildProcess;
  readonly loaded: boolean;
  readonly log: string;
}

/** Starts PgBouncer on files, and resolves when it has read them or given up. */
async function start(files: Files): Promise<Started> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...user, 'pgbouncer.ini'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('process up') || log.includes('FATAL')) resolve();
    });
  });
  return { child, loaded: !log.includes('cannot load config file'), log };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function parse(files: Files) {
  const main = files['pgbouncer.ini'] ?? '';
  return parsePgbouncer(textOf('pgbouncer.ini', main), (path) => {
    const found = files[path];
    return found === undefined ? undefined : textOf(path, found);
  });
}

/** Whether PgBouncer of this version refuses the files, by what we know. */
function refuses(files: Files): boolean {
  const { document, problems } = parse(files);
  return !document.complete || problems.some((problem) => problem.fatal) || document.items.some(isRefused);
}

function isRefused(item: PgbouncerDocument['items'][number]): boolean {
  if (item.kind === 'header') return item.name.value === 'peers' && isBefore(version, [1, 19, 0]);
  if (item.key.quoted && isBefore(version, [1, 25, 0])) return true;
  if (item.kind === 'setting') return !takes('pgbouncer', item.key.value, item.value.value);
  if (item.section === 'databases' && item.key.value === '*') return false;
  return item.parameters.some(({ key, value }) => !takes(item.section, key.value, value.value));
}

function takes(section: PgbouncerSection, name: string, value: string): boolean {
  const setting = pgbouncerSetting(section, name);
  return setting !== undefined && isKnownTo(setting, version) && takesValue(setting, section, value);
}

/** What the console says, by the first column. */
function consoleShows(what: string): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const args = ['-XAt', '-F', '\x1f', '-P', 'tuples_only=off', '-P', 'footer=off', '-c', `SHOW ${what}`];
  const output = execFileSync(psql, [...args, `host=127.0.0.1 port=${port} user=admin dbname=pgbouncer`], { encoding: 'utf8' });
  const [header, ...rows] = output
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\x1f'));
  const record = (row: string[]) => Object.fromEntries((header ?? []).map((name, index) => [name, row[index] ?? '']));
  return new Map(rows.map((row) => [row[0] ?? '', record(row)]));
}

const listen = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\nadmin_users = admin\n`;
const section = `[pgbouncer]\n${listen}`;

async function agrees(files: Files): Promise<void> {
  const { child, loaded, log } = await start(files);
  await stop(child);
  expect({ refused: !loaded, log }).toEqual({ refused: refuses(files), log });
}

describe('PgBouncer refuses the lines that we call fatal, and takes the others', () => {
  test.each([
    '; x\n  # y\n\n',
    'default_pool_size = 20',
    '  default_pool_size=20  ',
    'default_pool_size\t=\t20\t\r',
    'default_pool_size = 20 ; x',
    'default_pool_size = 20 # x',
    'default_pool_size 20',
    'default_pool_size: 20',
    'default_pool_size = ',
    'default_pool_size',
    'Default_Pool_Size = 20',
    '"default_pool_size" = 20',
    "'default_pool_size' = 20",
    "default_pool_size = '20'",
    'default_pool_size = -5',
    'default_pool_size = +5',
    'default_pool_size = 0x10',
    'default_pool_size = 0x',
    'default_pool_size = 010',
    'default_pool_size = 08',
    'default_pool_size = 20.5',
    'default_pool_size = 1e3',
    'default_pool_size = 100k',
    'default_pool_size = 99999999999',
    'default_pool_size = 99999999999999999999999',
    'default_pool_size = 2 0',
    'max_packet_size = 4294967296',
    'log_connections = yes',
    'log_connections = 2',
    'query_timeout = 0.5',
    'query_timeout = 1e2',
    'query_timeout = .5',
    'query_timeout = 5.',
    'query_timeout = -1',
    'query_timeout = -0',
    'query_timeout = 5s',
    'query_timeout = 0,5',
    'query_timeout = inf',
    'query_timeout = -inf',
    'query_timeout = 1e999',
    'query_timeout = 0x10',
    'stats_period = 0.5',
    'pool_mode = TRANSACTION',
    "pool_mode = 'transaction'",
    'pool_mode = transaction ; x',
    'pool_size = 5',
    'suspend_timeout = 5',
    'max_prepared_statements = 5',
    'server_reset_query = "DISCARD ALL"',
    'server_reset_query =',
    'client_tls_sslmode = disabled',
    '= x',
    '%',
    '%include',
    '%include ',
    '%include gone.ini',
    '[users]',
    '[users] ; x',
    '[users] a = pool_mode=session',
    '[users] a',
    '[users]\na = pool_mode=foo',
    '[users]\na = pool_mode=SESSION max_user_connections=abc',
    '[Users]',
    '[ users ]',
    '[foo]',
    '[]',
    '[users',
    '[peers]\n1 = host=/tmp/a',
    '[databases]\n* = ',
    '[databases]\n* = nonsense ; here',
    '[databases]\npgbouncer = host=a',
    '[databases]\na =',
    '[databases]\n = host=a',
    '[databases]\na-b.c_*9 = host=a',
    '[databases]\na+b = host=a',
    "[databases]\n'a b' = host=a",
    '[databases]\na = host=a port=0',
    '[databases]\na = host=a port=x',
    '[databases]\na = host=a port=5432,5433',
    '[databases]\na = host=a port=99999',
    '[databases]\na = host=a pool_size=abc',
    '[databases]\na = host=a, port=1',
    '[databases]\na = host=a ; x',
    '[databases]\na = host=a;',
    '[databases]\na = host=a\tport=1',
    '[databases]\na = host = a',
    '[databases]\na = host= port=5432',
    '[databases]\na = host=',
    "[databases]\na = host=''",
    "[databases]\na = host=''''",
    "[databases]\na = host='a'port=1",
    "[databases]\na = host='a",
    "[databases]\na = password='it''s'",
    '[databases]\na = sslmode=require',
    '[databases]\na = HOST=b',
    '[databases]\na = postgres://u@h/db',
    '\0 anything goes here',
    'default_pool_size = \0',
  ])('%j', (lines) => agrees({ 'pgbouncer.ini': section + lines }));

  test.each<[string, Files]>([
    ['no section', { 'pgbouncer.ini': '' }],
    ['no [pgbouncer]', { 'pgbouncer.ini': '[databases]\na = host=b' }],
    ['a key before the first section', { 'pgbouncer.ini': `pool_mode = session\n${section}` }],
    ['headers on one line', { 'pgbouncer.ini': `[databases][users]${section}` }],
    [
      'an include that leaves its section open',
      { 'pgbouncer.ini': `${section}%include a.ini\nmin_pool_size = 2`, 'a.ini': '[databases]\n' },
    ],
    [
      'an include in the middle of a section',
      { 'pgbouncer.ini': `${section}%include a.ini\nmin_pool_size = 2`, 'a.ini': 'query_timeout = 1' },
    ],
    ['an include that includes itself', { 'pgbouncer.ini': `${section}%include a.ini`, 'a.ini': '%include a.ini' }],
    ['includes at the nesting limit', { 'pgbouncer.ini': `${section}%include 1.ini`, ...chain(10) }],
    ['includes beyond the nesting limit', { 'pgbouncer.ini': `${section}%include 1.ini`, ...chain(11) }],
  ])('%s', (_, files) => agrees(files));
});

/** Included files that include the next one. */
function chain(length: number): Files {
  const names = Array.from({ length }, (_, index) => [`${index + 1}.ini`, index + 1 < length ? `%include ${index + 2}.ini` : '; end']);
  return Object.fromEntries(names) as Files;
}

const setting = fc.tuple(
  fc.constantFrom('default_pool_size', 'pool_mode', 'query_timeout', 'log_stats', 'server_reset_query', 'pool_size', "'verbose'"),
  fc.constantFrom('=', ' = ', ' =\t', ' ', ': '),
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('1', '0', '020', '1.5', 'session', 'Transaction') },
    fc.constantFrom('09', '-3', '1 ; x', "'1'", ''),
  ),
);
const pairs = fc.array(
  fc.tuple(
    fc.constantFrom('host', 'port', 'dbname', 'pool_size', 'pool_mode', 'password', 'sslmode'),
    fc.constantFrom('=', '=', '=', ' = ', '= ', ' '),
    fc.constantFrom('a', '5', "'a b'", "'it''s'", "'x", "''", 'session', "a'b", 'a,b', '"a"'),
    fc.constantFrom(' ', ' ', '  ', '\t', ' ; '),
  ),
  { maxLength: 4 },
);
const line = fc.oneof(
  { weight: 4, arbitrary: setting.map((parts) => parts.join('')) },
  fc.constantFrom('; note', '# note', '', ' ', '[users]', '[databases]', section.trimEnd(), '[x]', '%include more.ini'),
);
const database = fc.tuple(fc.constantFrom('a', 'b_1', '*', 'a b'), pairs).map(([name, parts]) => `${name} = ${parts.flat().join('')}`);
const generated = fc.oneof(
  fc.array(line, { maxLength: 5 }).map((lines) => section + lines.join('\n')),
  fc.array(fc.oneof(database, fc.constant('; x')), { maxLength: 3 }).map((lines) => `${section}[databases]\n${lines.join('\n')}`),
);

test('PgBouncer and the parser agree on generated files', async () => {
  const included = { 'more.ini': 'query_timeout = 3\n[databases]\nmore = host=c' };
  const check = (content: string) => agrees({ 'pgbouncer.ini': content, ...included });
  const verdicts = fc
    .sample(generated, { numRuns: 150, seed: 20 })
    .map((content) => ({ content, refused: refuses({ 'pgbouncer.ini': content, ...included }) }));
  expect(verdicts.filter(({ refused }) => refused).length).toBeGreaterThan(30);
  expect(verdicts.filter(({ refused }) => !refused).length).toBeGreaterThan(30);
  for (const { content } of verdicts) await check(content);
}, 120_000);

describe('the console says what we read', () => {
  const files: Files = {
    'pgbouncer.ini': `[pgbouncer]
auth_file = users.txt
default_pool_size = 77
query_timeout = 9
[databases]
shop = host=10.0.0.1 port=6000 dbname='the shop' user=u password='p''w' pool_size=7x pool_mode=Transaction
shop = host=10.0.0.2 max_db_connections=12
tail = host=127.0.0.1;
odd = host= port=5432
tab = host=a\tport=1
%include more.ini
${section}
min_pool_size = 0x10
reserve_pool_size = 010
max_db_connections = 99999999999
max_user_connections = 99999999999999999999
query_wait_timeout = 1e2
server_idle_timeout = inf
server_lifetime = 0.5
ignore_startup_parameters = "a", 'b' ; c
pool_mode = TRANSACTION
pool_mode = Statement
server_check_delay = 1\0
[databases]
unseen = host=x`,
    'more.ini': 'more = dbname=other\n[users]\nu = pool_mode=session max_user_connections=3\n',
  };
  const { document } = parse(files);
  let child: ChildProcess;

  beforeAll(async () => {
    const started = await start(files);
    child = started.child;
    expect(started.log).toContain('process up');
  });

  afterAll(() => stop(child));

  test('of settings', () => {
    const shown = consoleShows('CONFIG');
    for (const [name, { value }] of document.settings)
      expect([name, shown.get(name)?.['value']]).toEqual([name, asShown(name, value.value)]);
    for (const name of ['default_pool_size', 'query_timeout']) {
      expect(document.settings.has(name)).toBe(false);
      expect(shown.get(name)?.['value']).toBe(shown.get(name)?.['default']);
    }
  });

  test('of databases', () => {
    const shown = consoleShows('DATABASES');
    expect([...shown.keys()].filter((name) => name !== 'pgbouncer').sort()).toEqual([...document.databases.keys()].sort());
    for (const [name, connection] of document.databases) expect(shown.get(name)).toMatchObject(databaseAsShown(connection));
  });
});

function asShown(name: string, value: string): string {
  const type = pgbouncerSetting('pgbouncer', name)?.type;
  if (type === 'enum') return value.toLowerCase();
  if (type === 'seconds') return String(readSeconds(value));
  return type === 'int' || type === 'bool' ? String(readInt(value)) : value;
}

function databaseAsShown(connection: Connection): Readonly<Record<string, string>> {
  const written = (key: string) => parameter(connection, key)?.value;
  const number = (key: string, otherwise: number) => String(readAtoi(written(key) ?? String(otherwise)));
  return {
    host: written('host') ?? '',
    port: number('port', 5432),
    database: written('dbname') ?? connection.key.value,
    force_user: written('user') ?? '',
    pool_size: number('pool_size', 20),
    max_connections: number('max_db_connections', readInt('99999999999') ?? 0),
    pool_mode: written('pool_mode')?.toLowerCase() ?? '',
  };
}
