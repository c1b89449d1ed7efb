/*
 * The parser's claims about pgbouncer.ini, shown on the real program: it refuses what we call fatal and nothing else, and it says of
 * settings, databases, users and peers what we read: in the installed version and in newer ones.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import type { Connection, PgbouncerDocument, PgbouncerItem } from '@poolcheck/parsers/pgbouncer/document';
import { parameter } from '@poolcheck/parsers/pgbouncer/document';
import { parsePgbouncer } from '@poolcheck/parsers/pgbouncer/parse';
import { readAtoi, readInt, readSeconds } from '@poolcheck/parsers/pgbouncer/values';
import { textOf, type Range, type Text } from '@poolcheck/parsers/text';
import { isKnownTo, pgbouncerDefault, pgbouncerSetting, takesValue } from '@poolcheck/rules/knowledge/pgbouncer';
import { pgbouncerSettings, type PgbouncerSection } from '@poolcheck/rules/knowledge/pgbouncer-settings';
import { isBefore, type Version } from '@poolcheck/rules/version';
import { newerPgBouncer, newestPgBouncer, versionOf, type Command } from './newer.ts';
import { freePort, installed, privateFolder } from './process.ts';

const folder = privateFolder();
const port = await freePort();

/** A PgBouncer, and what it says its version is. */
interface Build {
  readonly command: Command;
  readonly version: Version;
}

const builds: readonly Build[] = [[installed('pgbouncer', 'pgbouncer')] as const, newerPgBouncer(), newestPgBouncer()].map((command) => ({
  command,
  version: versionOf(command),
}));

type Files = Readonly<Record<string, string>>;

interface Started {
  readonly child: ChildProcess;
  readonly loaded: boolean;
  readonly log: string;
}

/** Starts PgBouncer on files, and resolves when it has read them or given up. */
async function start({ command: [program, ...args] }: Build, files: Files): Promise<Started> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...args, ...user, 'pgbouncer.ini'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
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

/** A line of a file, as PgBouncer's log names it. */
type Line = `${string}:${number}`;

interface Refusals {
  readonly refused: boolean;
  /** The lines that are to blame; undefined when it is a file that is not there. */
  readonly lines: readonly Line[] | undefined;
}

/** What PgBouncer of a version refuses, by what we know. */
function refusals({ version }: Build, files: Files): Refusals {
  const { document, problems } = parse(files);
  const main = document.texts[0];
  const fatal = problems.filter((problem) => problem.fatal).flatMap(({ text = main, range }) => linesOf(text, range));
  const items = document.items.filter((item) => isRefused(item, version)).flatMap((item) => linesOf(item.text, rangeOf(item)));
  const lines = [...fatal, ...items];
  return document.complete ? { refused: lines.length > 0, lines } : { refused: true, lines: undefined };
}

function rangeOf(item: PgbouncerItem): Range {
  return item.kind === 'header' ? item.name.range : item.key.range;
}

/** The log may name the line after it, too: PgBouncer counts when it has gone on reading. */
function linesOf({ path, content }: Text, { start }: Range): readonly Line[] {
  const line = content.slice(0, start).split('\n').length;
  return [`${path}:${line}`, `${path}:${line + 1}`];
}

function isRefused(item: PgbouncerItem, version: Version): boolean {
  if (item.kind === 'header') return item.name.value === 'peers' && isBefore(version, [1, 19, 0]);
  if (item.key.quoted && isBefore(version, [1, 25, 0])) return true;
  if (item.kind === 'setting') return !takes('pgbouncer', item.key.value, item.value.value, version);
  if (item.section === 'databases' && item.key.value === '*') return false;
  return item.parameters.some(({ key, value }) => !takes(item.section, key.value, value.value, version));
}

function takes(section: PgbouncerSection, name: string, value: string, version: Version): boolean {
  const setting = pgbouncerSetting(section, name);
  return setting !== undefined && isKnownTo(setting, version) && takesValue(setting, section, value);
}

type Row = Readonly<Record<string, string | number | null>>;

/** What the console shows of each subject, by the first column. */
async function consoleShows(...subjects: readonly string[]): Promise<readonly ReadonlyMap<string, Row>[]> {
  const client = new Client({ host: '127.0.0.1', port, user: 'admin', database: 'pgbouncer' });
  await client.connect();
  const shown: ReadonlyMap<string, Row>[] = [];
  for (const subject of subjects) {
    const { rows, fields } = await client.query<Row>(`SHOW ${subject}`);
    shown.push(new Map(rows.map((row) => [String(row[fields[0]?.name ?? '']), row])));
  }
  await client.end();
  return shown;
}

const listen = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\nadmin_users = admin\n`;
const section = `[pgbouncer]\n${listen}`;

const blamed = /ERROR .*\((.+?:\d+)\)/;

/** It refuses the files when we say so, and for a line that we blame; of what it takes it shows what we read. */
async function agrees(build: Build, files: Files): Promise<void> {
  const { child, loaded, log } = await start(build, files);
  const { refused, lines } = refusals(build, files);
  const line = blamed.exec(log)?.[1];
  try {
    expect({ refused: !loaded, log }).toEqual({ refused, log });
    if (!loaded && lines && line !== undefined) expect({ lines, log }).toEqual({ lines: expect.arrayContaining([line]), log });
    if (loaded && log.includes('process up')) await showsWhatWeRead(build, parse(files).document);
  } finally {
    await stop(child);
  }
}

async function showsWhatWeRead({ version }: Build, document: PgbouncerDocument): Promise<void> {
  const hasPeers = !isBefore(version, [1, 19, 0]);
  const [config, databases, users, peers] = await consoleShows('CONFIG', 'DATABASES', 'USERS', ...(hasPeers ? ['PEERS'] : []));
  const setting = (name: string) => String(config?.get(name)?.['value'] ?? '');
  const written = [...document.settings].map(([name, { value }]) => [name, asShown(name, value.value)]);
  expect(written.map(([name = '']) => [name, config?.get(name)?.['value']])).toEqual(written);
  for (const [name, { value, default: usual }] of config ?? [])
    if (!document.settings.has(name) && usual !== null && usual !== undefined)
      expect([name, value]).toEqual([name, asShown(name, String(usual))]);
  const named = [...document.databases.keys()].filter((name) => name !== '*');
  expect([...(databases?.keys() ?? [])].filter((name) => name !== 'pgbouncer').toSorted()).toEqual(named.toSorted());
  for (const name of named) expectShown(databases?.get(name), databaseAsShown(document.databases.get(name), setting));
  for (const [name, user] of document.users) expectShown(users?.get(name), userAsShown(user, setting));
  if (hasPeers) expect([...(peers?.keys() ?? [])].toSorted()).toEqual([...document.peers.keys()].map(idOf).toSorted());
  for (const [id, peer] of document.peers) expectShown(peers?.get(idOf(id)), peerAsShown(peer, setting));
}

function idOf(peer: string): string {
  return String(Number(peer));
}

/** A version does not show every column. */
function expectShown(row: Row | undefined, expected: Readonly<Record<string, string>>): void {
  const columns = Object.keys(expected).filter((column) => row?.[column] !== undefined);
  expect(columns.length).toBeGreaterThan(0);
  expect(Object.fromEntries(columns.map((column) => [column, String(row?.[column] ?? '').trim()]))).toEqual(
    Object.fromEntries(columns.map((column) => [column, expected[column]])),
  );
}

/** Included files that include the next one. */
function chain(length: number): Files {
  const names = Array.from({ length }, (_, index) => [`${index + 1}.ini`, index + 1 < length ? `%include ${index + 2}.ini` : '; end']);
  return Object.fromEntries(names) as Files;
}

/** Lines after a `[pgbouncer]` section. */
const lines = [
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
  'pkt_buf = 4294971392',
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
  '[peers]\n1 = host=/tmp/a port=x',
  '[peers]\n2 = host=a port=7000 pool_size=3x',
  '[peers]\n2 = host=a pool_mode=session',
  '[peers]\n0 = host=a',
  '[peers]\na = host=a',
  '[peers]\n1 = port=5',
  '[peers]\n1 =',
  '[peers]\n65535 = host=a',
  '[peers]\n65536 = host=a',
  '[peers]\n65537 = host=a',
  '[peers]\n1x = host=a',
  '[peers]\n010 = host=a',
  '[peers]\n0x1 = host=a',
  '[peers]\n-1 = host=a',
  '[peers]\n4294967297 = host=a',
  '[peers]\n1 = port=5 x',
  '[Peers]\n1 = host=a',
  '[users]\na = pool_mode=session\na = max_user_connections=3',
  '[users]\na = pool_size=4',
  '[users]\na = reserve_pool_size=4',
  '[users]\na = query_timeout=5s',
  '[users]\na = query_wait_timeout=5',
  '[users]\na = transaction_timeout=5',
  '[users]\na = max_user_connections = 3',
  "[users]\na = max_user_connections='3'",
  "[users]\n'a' = max_user_connections=3",
  '[users]\n* = max_user_connections=3',
  '[users]\na =',
  '[users]\na = port=5',
  '[databases]\na = host=a,b,c',
  "[databases]\na = host='a, b'",
  '[databases]\na = host=a,,b port=1',
  '[databases]\na = host=/tmp,a',
  '[databases]\na = host=a,b load_balance_hosts=disable',
  '[databases]\na = host=a,b load_balance_hosts=Round-Robin',
  '[databases]\na = host=a,b load_balance_hosts=random',
  '[databases]\na = host=a reserve_pool=3',
  '[databases]\na = host=a reserve_pool_size=3',
  '[databases]\na = min_pool_size=2 pool_size=0',
  '[databases]\na = pool_size=-2',
  '[databases]\na = query_wait_timeout=3',
  '[databases]\na = pool_mode=foo',
  "[databases]\na = pool_mode='Session'",
  "[databases]\na = connect_query='select ''x'''",
  '[databases]\n* = host=a\na = host=b',
  '[databases]\n* = host=a pool_mode=foo',
  '[databases]\n*a = host=b',
  "[databases]\n'*' = host=a",
  "[databases]\n'a\"b' = host=a",
  "[databases]\n'' = host=a",
  "[databases]\n'it''s' = host=a",
  "[databases]\n'a = host=a",
  '%include "more.ini"',
  '%includemore.ini',
  '%INCLUDE more.ini',
  ' %include\tgone.ini ',
];

const wholes: readonly (readonly [string, Files])[] = [
  ['no section', { 'pgbouncer.ini': '' }],
  ['no [pgbouncer]', { 'pgbouncer.ini': '[databases]\na = host=b' }],
  ['a key before the first section', { 'pgbouncer.ini': `pool_mode = session\n${section}` }],
  ['headers on one line', { 'pgbouncer.ini': `[databases][users]${section}` }],
  ['an include that leaves its section open', { 'pgbouncer.ini': `${section}%include a.ini\nmin_pool_size = 2`, 'a.ini': '[databases]\n' }],
  [
    'an include in the middle of a section',
    { 'pgbouncer.ini': `${section}%include a.ini\nmin_pool_size = 2`, 'a.ini': 'query_timeout = 1' },
  ],
  ['an include that includes itself', { 'pgbouncer.ini': `${section}%include a.ini`, 'a.ini': '%include a.ini' }],
  ['includes at the nesting limit', { 'pgbouncer.ini': `${section}%include 1.ini`, ...chain(10) }],
  ['includes beyond the nesting limit', { 'pgbouncer.ini': `${section}%include 1.ini`, ...chain(11) }],
  [
    'includes that leave sections open, one after another',
    {
      'pgbouncer.ini': `${section}%include a.ini\nb = host=x\n%include b.ini\nu = pool_mode=session`,
      'a.ini': '[databases]\na = host=y',
      'b.ini': '[users]',
    },
  ],
  ['a wrong line in an included file', { 'pgbouncer.ini': `${section}%include a.ini`, 'a.ini': '; fine\n\npool_mode = foo' }],
  [
    'a file of everything',
    {
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
    },
  ],
];

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
    fc.constantFrom(
      'host',
      'host',
      'port',
      'dbname',
      'user',
      'pool_size',
      'min_pool_size',
      'max_db_connections',
      'pool_mode',
      'password',
      'sslmode',
    ),
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
const named = (...names: readonly string[]) =>
  fc.tuple(fc.constantFrom(...names), pairs).map(([name, parts]) => `${name} = ${parts.flat().join('')}`);
const inSection = (name: string, entry: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: entry }, fc.constantFrom('; x', '')), { maxLength: 3 })
    .map((entries) => `[${name}]\n${entries.join('\n')}`);
const connections = fc.oneof(
  inSection('databases', named('a', 'b_1', '*', 'a b', "'b.c'")),
  inSection(
    'users',
    fc
      .tuple(
        fc.constantFrom('u', 'v', "'w'"),
        fc.constantFrom(
          'pool_mode=session',
          "max_user_connections='3'",
          'max_user_connections=4x',
          'pool_size=3',
          'max_user_connections=-1',
          'pool_mode=x',
          '',
        ),
      )
      .map((parts) => parts.join(' = ')),
  ),
  inSection(
    'peers',
    fc
      .tuple(fc.constantFrom('1', '2', '03', '0'), fc.constantFrom('host=/tmp', 'host=a port=7', "host='b' pool_size=4", 'host=a,b'))
      .map((parts) => parts.join(' = ')),
  ),
);
const generated = fc.oneof(
  fc.array(line, { maxLength: 5 }).map((lines) => section + lines.join('\n')),
  fc.array(connections, { minLength: 1, maxLength: 3 }).map((sections) => section + sections.join('\n')),
);

/** No default is shown of `verbose`, and Debian has given its 1.18 the safer `auth_query` of 1.24.1. */
const setElsewhere: ReadonlySet<string> = new Set(['verbose', 'auth_query']);

/** Enough of both verdicts, or nothing was shown. */
function expectBoth(build: Build, contents: readonly Files[]): void {
  const refused = contents.filter((files) => refusals(build, files).refused).length;
  expect(Math.min(refused, contents.length - refused)).toBeGreaterThan(contents.length / 5);
}

describe.each(builds)('PgBouncer $version', (build) => {
  describe('refuses the lines that we call fatal, and says of others what we read', () => {
    test.each(lines)('%j', (text) => agrees(build, { 'pgbouncer.ini': section + text }));
    test.each(wholes)('%s', (_, files) => agrees(build, files));
  });

  test('has the settings that we know, with the defaults that we know', async () => {
    const { child } = await start(build, { 'pgbouncer.ini': section });
    const [config] = await consoleShows('CONFIG').finally(() => stop(child));
    const known = pgbouncerSettings.pgbouncer.filter((setting) => isKnownTo(setting, build.version)).map(({ name }) => name);
    expect([...(config?.keys() ?? [])].toSorted()).toEqual(known.toSorted());
    const compared = known.filter((name) => !setElsewhere.has(name));
    const defaults = (of: (name: string) => unknown) => compared.map((name) => [name, of(name) ?? undefined]);
    expect(defaults((name) => config?.get(name)?.['default'])).toEqual(defaults((name) => pgbouncerDefault(name, build.version)));
  });

  test('agrees on generated files', async () => {
    const included = { 'more.ini': 'query_timeout = 3\n[databases]\nmore = host=c' };
    const samples = fc.sample(generated, { numRuns: 200, seed: 20 }).map((content) => ({ 'pgbouncer.ini': content, ...included }));
    expectBoth(build, samples);
    for (const files of samples) await agrees(build, files);
  }, 120_000);
});

/** What a setting of `[pgbouncer]` is, as the console shows it. */
type SettingShown = (name: string) => string;

function asShown(name: string, value: string): string {
  const type = pgbouncerSetting('pgbouncer', name)?.type;
  if (type === 'enum') return value.toLowerCase();
  if (type === 'seconds') return String(readSeconds(value));
  return type === 'int' || type === 'bool' || type === 'bytes' ? String(readInt(value)) : value;
}

function databaseAsShown(connection: Connection | undefined, setting: SettingShown): Readonly<Record<string, string>> {
  const { text, number } = reader(connection);
  const reserve = number('reserve_pool_size', number('reserve_pool', setting('reserve_pool_size')));
  return {
    host: text('host'),
    port: number('port', '5432'),
    database: text('dbname') || (connection?.key.value ?? ''),
    force_user: text('user'),
    pool_size: number('pool_size', setting('default_pool_size')),
    min_pool_size: number('min_pool_size', setting('min_pool_size')),
    reserve_pool: reserve,
    reserve_pool_size: reserve,
    max_connections: number('max_db_connections', setting('max_db_connections')),
    pool_mode: text('pool_mode').toLowerCase(),
    load_balance_hosts: text('load_balance_hosts').toLowerCase() || (text('host').includes(',') ? 'round-robin' : ''),
  };
}

/** A size that is not set is left out: 1.24 shows another user's then. */
function userAsShown(user: Connection, setting: SettingShown): Readonly<Record<string, string>> {
  const { text, number } = reader(user);
  const size = number('pool_size', '');
  return {
    pool_mode: text('pool_mode').toLowerCase(),
    ...(Number(size) > 0 && { pool_size: size }),
    max_user_connections: number('max_user_connections', setting('max_user_connections')),
  };
}

function peerAsShown(peer: Connection, setting: SettingShown): Readonly<Record<string, string>> {
  const { text, number } = reader(peer);
  return { host: text('host'), port: number('port', '6432'), pool_size: number('pool_size', setting('default_pool_size')) };
}

/** A negative number is none. */
function reader(connection: Connection | undefined) {
  const text = (key: string) => (connection && parameter(connection, key)?.value) ?? '';
  const number = (key: string, otherwise: string) => {
    const value = readAtoi(text(key) || '-1') ?? -1;
    return value < 0 ? otherwise : String(value);
  };
  return { text, number };
}
