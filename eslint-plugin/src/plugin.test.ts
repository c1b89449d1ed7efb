import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '@poolcheck/rules/catalogue';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type declared from '../index.d.ts';
import plugin from './index.ts';
import { lint, parsers, typedParser, type LanguageOptions } from './testing/hosts.ts';

/** The lines on which a rule speaks. */
function lines(root: string, path: string, content: string, rule = 'release-in-finally', options?: LanguageOptions): readonly number[] {
  const messages = lint(rule, root, path, content, options);
  expect(messages.filter(({ ruleId }) => ruleId !== `poolcheck/${rule}`)).toEqual([]);
  return messages.map(({ line }) => line);
}

const database = "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionTimeoutMillis: 5_000 });\n";
const leak = `import { pool } from './db.js';
export async function f() {
  const client = await pool.connect();
  await client.query('SELECT 1');
  client.release();
}
`;

describe('the plugin', () => {
  test('has every module rule, by the names and levels of the catalogue', () => {
    const modules = catalogue.filter(({ looksAt }) => looksAt === 'module');
    const level = { error: 'error', warning: 'warn', info: 'warn' };
    const rules = (chosen: typeof modules) => Object.fromEntries(chosen.map(({ id, severity }) => [`poolcheck/${id}`, level[severity]]));
    expect(Object.keys(plugin.rules)).toEqual(modules.map(({ id }) => id));
    expect(plugin.configs.all.rules).toEqual(rules(modules));
    expect(plugin.configs.recommended.rules).toEqual(rules(modules.filter(({ severity }) => severity !== 'info')));
    expect(plugin.configs.recommended.plugins).toEqual({ poolcheck: plugin });
  });

  test('is what its declaration says', () => {
    const asDeclared: typeof declared = plugin;
    expect(asDeclared.meta).toMatchObject({ name: 'eslint-plugin-poolcheck', namespace: 'poolcheck' });
  });

  test.each(Object.entries(plugin.rules))('says what %s is about and where its page is', (id, { meta }) => {
    expect(meta?.docs?.description).toMatch(/^[A-Z].*\.$/);
    expect(meta?.docs?.url).toMatch(new RegExp(`/docs/rules/${id}\\.md$`));
  });
});

describe('a file is seen with the rest of its project', () => {
  test('through imports', () => {
    const root = temporaryFolder({ 'src/db.js': database });
    expect(lines(root, 'src/a.js', leak)).toEqual([3]);
    expect(lines(root, 'elsewhere/a.js', leak)).toEqual([]);
  });

  test('the root of which is where poolcheck.yaml is', () => {
    const root = temporaryFolder({ 'poolcheck.yaml': '', 'db.js': database, 'package/poolcheck.yaml': '' });
    const outside = leak.replace('./db.js', '../db.js');
    expect(lines(join(root, 'other'), 'a.js', outside)).toEqual([3]);
    expect(lines(join(root, 'package'), 'a.js', outside)).toEqual([]);
  });

  test('as it stands in the editor, not as it was saved', () => {
    const root = temporaryFolder({ 'src/db.js': database, 'src/a.js': leak });
    const released = leak.replace("  await client.query('SELECT 1');\n", '');
    expect(lines(root, 'src/a.js', released)).toEqual([]);
    expect(lines(root, 'src/a.js', leak)).toEqual([3]);
    expect(lines(root, 'src/a.js', `\n${leak}`)).toEqual([4]);
    expect(lines(root, 'src/a.js', leak.replace('./db.js', './other.js'))).toEqual([]);
  });

  test('a byte-order mark and other line breaks move nothing', () => {
    const root = temporaryFolder({ 'src/db.js': database, 'src/a.js': `\uFEFF${leak.replaceAll('\n', '\r\n')}` });
    expect(lines(root, 'src/a.js', `\uFEFF${leak.replaceAll('\n', '\r\n')}`)).toEqual([3]);
  });
});

describe('while the host lives', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    return () => vi.useRealTimers();
  });

  function later(): void {
    vi.advanceTimersByTime(3_600_000);
  }

  test('changes of other files are seen', () => {
    const root = temporaryFolder({ 'src/db.js': database, 'src/a.js': leak });
    expect(lines(root, 'src/a.js', leak)).toEqual([3]);
    writeFileSync(join(root, 'src/db.js'), 'export const pool = { connect() {} };\n');
    later();
    expect(lines(root, 'src/a.js', leak)).toEqual([]);
    writeFileSync(join(root, 'src/db.js'), database);
    later();
    expect(lines(root, 'src/a.js', leak)).toEqual([3]);
    rmSync(join(root, 'src/db.js'));
    later();
    expect(lines(root, 'src/a.js', leak)).toEqual([]);
  });

  test('new files are seen', () => {
    const root = temporaryFolder({ 'src/a.js': leak });
    expect(lines(root, 'src/a.js', leak)).toEqual([]);
    writeFileSync(join(root, 'src/db.js'), database);
    later();
    expect(lines(root, 'src/a.js', leak)).toEqual([3]);
  });
});

describe('with the types of the host', () => {
  const installed = {
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }',
    'node_modules/@types/pg/package.json': '{ "name": "@types/pg", "types": "index.d.ts" }',
    'node_modules/@types/pg/index.d.ts': `
      export interface PoolClient { query(sql: string): Promise<void>; release(): void }
      export class Pool { connect(): Promise<PoolClient> }`,
    'node_modules/@acme/db/package.json': '{ "name": "@acme/db", "types": "index.d.ts", "dependencies": { "pg": "*" } }',
    'node_modules/@acme/db/index.d.ts': "export declare const db: { readonly pool: import('pg').Pool };",
  };
  const viaPackage = leak.replace("import { pool } from './db.js';", "import { db } from '@acme/db';").replace('pool.', 'db.pool.');
  const viaFile = leak.replace('./db.js', './db.ts');

  function typedLines(root: string, path: string, content: string): readonly number[] {
    return lines(root, path, content, 'release-in-finally', typedParser(root));
  }

  test('more is known, and nothing less', () => {
    const root = temporaryFolder({ ...installed, 'a.ts': viaPackage, 'b.ts': viaFile, 'db.ts': database });
    expect(typedLines(root, 'a.ts', viaPackage)).toEqual([3]);
    expect(typedLines(root, 'b.ts', viaFile)).toEqual([3]);
    expect(lines(root, 'a.ts', viaPackage, 'release-in-finally', parsers['typescript-eslint'])).toEqual([]);
    expect(lines(root, 'b.ts', viaFile, 'release-in-finally', parsers['typescript-eslint'])).toEqual([3]);
  });

  test('a file is seen as it stands in the editor', () => {
    const root = temporaryFolder({ ...installed, 'a.ts': viaPackage });
    expect(typedLines(root, 'a.ts', viaPackage.replace("  await client.query('SELECT 1');\n", ''))).toEqual([]);
    expect(typedLines(root, 'a.ts', `\n${viaPackage}`)).toEqual([4]);
    expect(typedLines(root, 'a.ts', viaPackage)).toEqual([3]);
  });

  test('each file has those of its own tsconfig.json', () => {
    const { 'tsconfig.json': tsconfig, ...packages } = installed;
    const configs = { 'a/tsconfig.json': tsconfig, 'b/tsconfig.json': tsconfig };
    const root = temporaryFolder({ ...packages, ...configs, 'a/a.ts': viaPackage, 'b/b.ts': viaPackage });
    expect(typedLines(root, 'a/a.ts', viaPackage)).toEqual([3]);
    expect(typedLines(root, 'b/b.ts', viaPackage)).toEqual([3]);
  });
});

describe('what is not a module of its own', () => {
  test('the scripts of a component, at their place in it', () => {
    const root = temporaryFolder({ 'src/db.js': database });
    const template = "<template>\n  <p>{{ '<script>' }}</p>\n</template>\n";
    const setup = `<script setup lang="ts" generic="T extends Array<string>">\n${leak}</script>\n`;
    const said = (content: string) => lines(root, 'src/a.vue', content, 'release-in-finally', parsers['vue-eslint-parser']);
    expect(said(template + setup)).toEqual([7]);
    expect(said(setup + template)).toEqual([4]);
  });

  test('a block of a Markdown file', () => {
    const root = temporaryFolder({ 'README.md': '', 'db.js': database });
    expect(lines(root, 'README.md/0.js', leak.replace('./db.js', '../db.js'))).toEqual([3]);
  });
});

test('advice is for production, leaks are found everywhere', () => {
  const root = temporaryFolder({});
  const code = leak.replace("import { pool } from './db.js';", "import { Pool } from 'pg'; const pool = new Pool();");
  expect(lines(root, 'src/a.js', code, 'require-acquire-timeout')).toEqual([1]);
  expect(lines(root, 'test/a.js', code, 'require-acquire-timeout')).toEqual([]);
  expect(lines(root, 'test/a.js', code, 'release-in-finally')).toEqual([3]);
});
