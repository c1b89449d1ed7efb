import { describe, expect, test } from 'vitest';
import { check } from '../../check.ts';
import { projectOf } from '../../project.ts';
import type { DeclaredType } from '../../knowledge/declared-type.ts';
import type { Types } from './oracle.ts';

const pool: DeclaredType = { package: 'pg', file: 'index', name: 'Pool' };
const client: DeclaredType = { package: 'pg', file: 'index', name: 'PoolClient' };
const emitter: DeclaredType = { package: '@types/node', file: 'events', name: 'EventEmitter' };

/** A checker that knows expressions by how they are written, and remembers what it was asked. */
function typesBy(known: Readonly<Record<string, readonly DeclaredType[]>>) {
  const asked: string[] = [];
  const types: Types = {
    isBuiltOnDriver: (_, specifier) => specifier === '@acme/db',
    about: () => ({
      typesOf({ text, range }) {
        const written = text.content.slice(range.start, range.end);
        asked.push(written);
        return known[written] ?? [];
      },
    }),
    problems: () => [],
  };
  return { types, asked };
}

const imports = "import { db } from '@acme/db';\n";

function findingsIn(code: string, types?: Types): readonly string[] {
  const { findings } = check(projectOf({ 'src/a.ts': imports + code }), { severities: new Map() }, types);
  return findings.map(({ rule, at }) => `${rule} ${at.text.content.slice(at.range.start, at.range.end)}`);
}

const use = (take: string) => `export async function f() {
  const client = await ${take};
  await client.query('SELECT 1');
  client.release();
}`;

describe('a type', () => {
  test('says what a value is that comes from a package', () => {
    const { types } = typesBy({ 'db.pool': [pool] });
    expect(findingsIn(use('db.pool.connect()'))).toEqual([]);
    expect(findingsIn(use('db.pool.connect()'), types)).toEqual(['release-in-finally db.pool.connect()']);
  });

  test.each([
    [
      'a field',
      'class A { private p = db.pool; async f() { const c = await this.p.connect(); await c.query(""); c.release(); } }',
      'this.p',
    ],
    ['a variable', 'const p = db.pool; export async function f() { const c = await p.connect(); await c.query(""); c.release(); }', 'p'],
    ['a call', 'export async function f() { const c = await db.get().connect(); await c.query(""); c.release(); }', 'db.get()'],
    ['a parameter', 'export async function f(p) { const c = await p.connect(); await c.query(""); c.release(); }', 'p'],
    ['what was awaited', 'export async function f() { const c = await (await db).connect(); await c.query(""); c.release(); }', 'await db'],
  ])('of %s counts', (_, code, written) => {
    expect(findingsIn(code, typesBy({ [written]: [pool] }).types)).toEqual([expect.stringMatching(/^release-in-finally /)]);
  });

  test('that a driver does not know is as good as what it is derived from', () => {
    const { types } = typesBy({ 'db.pool': [{ ...pool, package: 'acme' }, pool, emitter] });
    expect(findingsIn(use('db.pool.connect()'), types)).toHaveLength(1);
  });

  test('does not say who has to give a connection back', () => {
    const { types } = typesBy({ client: [client] });
    expect(findingsIn(use('db.lend()'), types)).toEqual([]);
    expect(findingsIn('export async function f(client) { await client.query("SELECT 1"); client.release(); }', types)).toEqual([]);
  });

  test('does not make a package method one that takes a connection', () => {
    const { types } = typesBy({ db: [{ package: '@acme/db', file: 'index', name: 'Pool' }], 'db.connect()': [client] });
    expect(findingsIn(use('db.connect()'), types)).toEqual([]);
  });
});

describe('a checker is asked', () => {
  test('only of what syntax and imports leave open', () => {
    const { types, asked } = typesBy({});
    const known = "import { Pool } from 'pg';\nconst pool = new Pool({ connectionTimeoutMillis: 1 });\npool.on('error', () => {});\n";
    findingsIn(known + use('pool.connect()'), types);
    expect(asked).toEqual([]);
  });

  test('only of what has a member that some driver has', () => {
    const { types, asked } = typesBy({});
    findingsIn('export const all = db.list.sorted().forEach((each) => each.name.trim());\nexport const c = db.pool.connect();', types);
    expect(asked.toSorted()).toEqual(['db', 'db.pool']);
  });

  test('once of each place', () => {
    const { types, asked } = typesBy({ 'db.pool': [pool] });
    findingsIn(use('db.pool.connect()'), types);
    expect(asked).toEqual([...new Set(asked)]);
  });

  test('nothing in files that have to do with no driver', () => {
    const { types, asked } = typesBy({});
    const files = { 'src/a.ts': "import { db } from 'other';\ndb.pool.connect();" };
    expect(check(projectOf(files), { severities: new Map() }, types).files).toBe(0);
    expect(asked).toEqual([]);
  });
});

test('what is found without types is said once, and as it was', () => {
  const code = `import { Pool } from 'pg';
const pool = new Pool({ connectionTimeoutMillis: 1 });
pool.on('error', () => {});
export async function f() {
  const client = await pool.connect();
  await db.log.query('SELECT 1');
  client.release();
}`;
  const { types } = typesBy({ 'db.log': [pool] });
  expect(findingsIn(code, types)).toEqual(findingsIn(code));
});
