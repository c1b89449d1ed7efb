import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { run } from '../testing/run.ts';

const pgTypes = `
export interface PoolClient { query(sql: string): Promise<void>; release(): void }
export class Pool { connect(): Promise<PoolClient>; query(sql: string): Promise<void> }
`;

// TypeScript takes its time.
vi.setConfig({ testTimeout: 60_000 });

/** A package that hands out what pg makes, as it would be installed. */
const installed = {
  'node_modules/@types/pg/package.json': '{ "name": "@types/pg", "types": "index.d.ts" }',
  'node_modules/@types/pg/index.d.ts': pgTypes,
  'node_modules/@acme/db/package.json': '{ "name": "@acme/db", "types": "index.d.ts", "dependencies": { "pg": "^8.0.0" } }',
  'node_modules/@acme/db/index.d.ts': `
import type { Pool, PoolClient } from 'pg';
export interface Database { readonly pool: Pool; lend(): Promise<PoolClient> }
export declare const db: Database;
export declare class AcmePool extends Pool {}
export declare function open<Kind>(kind: Kind): { readonly kind: Kind; readonly pools: Pool[] };
`,
};

const tsconfig = '{ "compilerOptions": { "module": "nodenext", "strict": true } }';

/** Takes a connection, and loses it when the query fails. */
function leak(take: string, setUp = ''): string {
  return `import * as acme from '@acme/db';
${setUp}
export async function f() {
  const client = await ${take};
  await client.query('SELECT 1');
  client.release();
}
`;
}

async function check(root: string, ...argv: readonly string[]) {
  const { status, out, err } = await run(root, ['--format', 'json', ...argv]);
  if (status === 2) return { status, err, findings: [], problems: [] };
  const report = JSON.parse(out) as {
    readonly findings: readonly { rule: string; file: string }[];
    readonly problems: readonly { file: string; message: string }[];
  };
  return {
    status,
    err,
    findings: report.findings.map(({ rule, file }) => `${rule} ${file}`),
    problems: report.problems.map(({ file, message }) => `${file} ${message}`),
  };
}

const found = ['release-in-finally a.ts'];

describe('--types finds a connection', () => {
  test.each([
    ['of a pool in a package', 'acme.db.pool.connect()', ''],
    ['of a pool in a generic object', 'opened.pools[0]!.connect()', "const opened = acme.open('orders');"],
    ['of a pool that a package derives', 'pool.connect()', 'const pool = new acme.AcmePool();'],
    ['of a pool in a field', 'new Orders().pool.connect()', 'class Orders { readonly pool = acme.db.pool; }'],
    ['of a computed type', 'pool.connect()', "declare const pool: ReturnType<typeof acme.open>['pools'][number];"],
  ])('%s', async (_, take, setUp) => {
    const root = temporaryFolder({ ...installed, 'tsconfig.json': tsconfig, 'a.ts': leak(take, setUp) });
    expect((await check(root)).findings).toEqual([]);
    expect(await check(root, '--types')).toMatchObject({ status: 1, findings: found, problems: [] });
  });

  test('in JavaScript, whose types are inferred', async () => {
    const root = temporaryFolder({
      ...installed,
      'jsconfig.json': tsconfig,
      'package.json': '{ "type": "module" }',
      'a.js': leak('acme.db.pool.connect()'),
    });
    expect((await check(root, '--types')).findings).toEqual(['release-in-finally a.js']);
  });
});

test.each([
  ['that a package lends', 'acme.db.lend()', ''],
  ['of what only looks like a pool', 'pool.connect()', 'declare const pool: { connect(): ReturnType<typeof acme.db.lend> };'],
  ['of any', 'pool.connect()', 'declare const pool: any;'],
])('--types says nothing of a connection %s', async (_, take, setUp) => {
  const root = temporaryFolder({ ...installed, 'tsconfig.json': tsconfig, 'a.ts': leak(take, setUp) });
  expect(await check(root, '--types')).toMatchObject({ status: 0, findings: [] });
});

describe('each file is under its own tsconfig.json', () => {
  const code = leak('db.pool.connect()').replace("import * as acme from '@acme/db'", "import { db } from '~db'");
  const paths = (target: string) => JSON.stringify({ compilerOptions: { module: 'nodenext', paths: { '~db': [target] } } });
  const wrapper = "export { db } from '@acme/db';\n";

  test('the nearest', async () => {
    const root = temporaryFolder({
      ...installed,
      'tsconfig.json': paths('./nowhere.ts'),
      'packages/a/tsconfig.json': paths('./db.ts'),
      'packages/a/db.ts': wrapper,
      'packages/a/a.ts': code,
      'packages/b/b.ts': code,
    });
    expect((await check(root, '--types')).findings).toEqual(['release-in-finally packages/a/a.ts']);
  });

  test('or the one that it refers to', async () => {
    const root = temporaryFolder({
      ...installed,
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json': tsconfig,
      'a.ts': leak('acme.db.pool.connect()'),
    });
    expect((await check(root, '--types')).findings).toEqual(found);
  });

  test('with the declarations beside it', async () => {
    const root = temporaryFolder({
      ...installed,
      'tsconfig.json': tsconfig,
      'types/app.d.ts': "declare const app: { pool: import('pg').Pool };",
      'a.ts': leak('app.pool.connect()'),
    });
    expect((await check(root, '--types')).findings).toEqual(found);
  });
});

describe('what is not known is said', () => {
  test('no tsconfig.json', async () => {
    const root = temporaryFolder({ ...installed, 'a.ts': leak('acme.db.pool.connect()') });
    expect(await check(root, '--types')).toMatchObject({
      status: 2,
      err: `poolcheck: --types needs a tsconfig.json; there is none in ${root}\n`,
    });
  });

  test('a tsconfig.json that cannot be read', async () => {
    const root = temporaryFolder({ ...installed, 'tsconfig.json': '{ "compilerOptions": [', 'a.ts': leak('acme.db.pool.connect()') });
    expect((await check(root, '--types')).status).not.toBe(2);
  });

  test('nothing installed', async () => {
    const root = temporaryFolder({ 'tsconfig.json': tsconfig, 'a.ts': `import 'pg';\n${leak('acme.db.pool.connect()')}` });
    expect(await check(root, '--types')).toMatchObject({
      status: 0,
      problems: ['tsconfig.json types are not known: there is no node_modules here or above in the root'],
    });
  });
});

describe('a hostile tree', () => {
  /** A folder outside the root, which holds what would be found if it were read. */
  function outside(files: Readonly<Record<string, string>>): string {
    return temporaryFolder({ ...installed, ...files });
  }

  function link(root: string, path: string, target: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }

  test('does not lead out of the root by links', async () => {
    const root = temporaryFolder({ 'tsconfig.json': tsconfig, 'a.ts': `import 'pg';\n${leak('acme.db.pool.connect()')}` });
    link(root, 'node_modules/@acme', join(outside({}), 'node_modules/@acme'));
    link(root, 'node_modules/@types', join(outside({}), 'node_modules/@types'));
    expect((await check(root, '--types')).findings).toEqual([]);
  });

  test('nor by what tsconfig.json says', async () => {
    const other = outside({
      'db.ts': "export declare const db: { pool: import('pg').Pool };",
      'base.json': '{ "compilerOptions": { "strict": true } }',
    });
    const hostile = {
      extends: join(other, 'base.json'),
      compilerOptions: {
        paths: { '@acme/db': [join(other, 'db.ts')], pg: [join(other, 'node_modules/@types/pg/index.d.ts')] },
        typeRoots: [join(other, 'node_modules/@types')],
        types: ['pg', join(other, 'node_modules/@types/pg')],
        rootDirs: [other],
        plugins: [{ name: './plugin.cjs' }],
      },
      include: [`${other}/**/*`],
      references: [{ path: other }],
    };
    const marker = join(other, 'executed');
    const root = temporaryFolder({
      'tsconfig.json': JSON.stringify(hostile),
      'plugin.cjs': `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '');`,
      'a.ts': `/// <reference path="${other}/node_modules/@types/pg/index.d.ts" />\nimport 'pg';\n${leak('acme.db.pool.connect()')}`,
    });
    expect((await check(root, '--types')).findings).toEqual([]);
    expect(() => {
      writeFileSync(marker, '', { flag: 'wx' });
    }).not.toThrow();
  });

  test('cannot stop the check of the rest', async () => {
    const deep = `export const deep = ${'('.repeat(20_000)}1${')'.repeat(20_000)};`;
    const root = temporaryFolder({
      ...installed,
      'tsconfig.json': tsconfig,
      'deep.ts': deep,
      'a.ts': `import './deep.js';\n${leak('acme.db.pool.connect()')}`,
      'b.ts': leak(
        'pool.connect()',
        "import { Pool } from 'pg';\nconst pool = new Pool({ connectionTimeoutMillis: 1 });\npool.on('error', () => {});",
      ),
    });
    const { status, findings, problems } = await check(root, '--types');
    expect(status).toBe(1);
    expect(findings).toContain('release-in-finally b.ts');
    expect(problems).toContainEqual(expect.stringMatching(/^tsconfig\.json types are not known: /));
  });
});
