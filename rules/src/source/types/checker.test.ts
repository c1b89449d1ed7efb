import { createProgram, createSourceFile, ModuleKind, ModuleResolutionKind, ScriptTarget, type CompilerHost } from 'typescript';
import { describe, expect, test } from 'vitest';
import { declaredTypesAt } from './checker.ts';

const packages = {
  '/app/node_modules/@types/pg/index.d.ts': `
    declare class Emitter { on(): this }
    export class ClientBase extends Emitter { query(): void }
    export interface PoolClient extends ClientBase { release(): void }
    export class Client extends ClientBase { end(): void }
    export class Pool<T = unknown> extends Emitter { connect(): Promise<PoolClient>; options: T }`,
  '/app/node_modules/knex/package.json': '{ "types": "types/index.d.ts" }',
  '/app/node_modules/knex/types/index.d.ts': 'export declare namespace Knex { interface Transaction { rollback(): void } }',
  '/app/node_modules/postgres/package.json': '{ "types": "types/index.d.ts" }',
  '/app/node_modules/postgres/types/index.d.ts': 'declare namespace postgres { interface Sql { end(): void } } export = postgres;',
  '/app/node_modules/mysql2/promise.d.ts': 'export interface Pool { end(): void }',
  '/app/node_modules/redis/index.d.ts': 'export type RedisClientType = { a(): void } & { b(): void };',
  '/app/node_modules/acme/index.d.ts': 'export default class { end(): void }',
};

const imports = `
  import { Pool, PoolClient, Client } from 'pg';
  import { Knex } from 'knex';
  import type { Sql } from 'postgres';
  import type * as mysql from 'mysql2/promise';
  import type { RedisClientType } from 'redis';
  import Acme from 'acme';
`;

/** What the expression \`it\` is, declared like this. */
function typesOf(declaration: string, asked = imports + declaration): readonly string[] {
  const source = `${imports}${declaration}\nit;`;
  const program = createProgram(['/app/a.ts'], options, hostOf({ ...packages, '/app/a.ts': source }));
  const start = source.lastIndexOf('it;');
  const text = { path: 'a.ts', content: `${asked}\nit;` };
  return declaredTypesAt(program, '/app/a.ts', { text, range: { start, end: start + 2 } }).map((type) =>
    [type.package, type.file, type.name].join(' '),
  );
}

const options = { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler, noLib: true, types: [], strict: true };

function hostOf(files: Readonly<Record<string, string>>): CompilerHost {
  return {
    fileExists: (path) => path in files,
    readFile: (path) => files[path],
    getSourceFile: (path) => (path in files ? createSourceFile(path, files[path] ?? '', ScriptTarget.ESNext) : undefined),
    getDefaultLibFileName: () => '',
    writeFile: () => undefined,
    getCurrentDirectory: () => '/app',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  };
}

const pool = ['pg index Pool', 'pg index Emitter'];
const client = ['pg index PoolClient', 'pg index ClientBase', 'pg index Emitter'];

describe('a type is known', () => {
  test.each([
    ['by its declaration, then by what it extends', 'declare const it: PoolClient;', client],
    ['when it is generic', 'declare const it: Pool<string>;', pool],
    ['when it is inferred', 'declare const db: { pool: Pool }; const it = db.pool;', pool],
    ['through an alias', 'type Db = Pool; declare const it: Db;', pool],
    ['when it may be missing', 'declare const it: Pool | undefined | null;', pool],
    ['by what a type parameter extends', 'function f<T extends Pool>(it: T) {', pool],
    ['of a class of the root, by what that extends', 'class Db extends Pool {} const it = new Db();', pool],
    ['of an intersection, by its parts', 'declare const it: Pool & { readonly name: string };', pool],
    ['of a union, by what all have in common', 'declare const it: PoolClient | Client;', ['pg index ClientBase', 'pg index Emitter']],
    ['in a namespace', 'declare const it: Knex.Transaction;', ['knex types/index Knex.Transaction']],
    ['in a namespace that is the whole export', 'declare const it: Sql;', ['postgres types/index postgres.Sql']],
    ['in a file of its own', 'declare const it: mysql.Pool;', ['mysql2 promise Pool']],
    ['by an alias that stands for no name', 'declare const it: RedisClientType;', ['redis index RedisClientType']],
    ['when it has no name', 'declare const it: Acme;', ['acme index ']],
  ])('%s', (_, declaration, expected) => {
    expect(typesOf(declaration)).toEqual(expected);
  });
});

describe('nothing is known', () => {
  test.each([
    ['of any', 'declare const it: any;'],
    ['of unknown', 'declare const it: unknown;'],
    ['of what cannot be resolved', "import { it } from 'missing';"],
    ['of a type of the root', 'interface Pool2 { connect(): void } declare const it: Pool2;'],
    ['of one thing or another', 'declare const it: Pool | Knex.Transaction;'],
    ['of what only looks alike', 'declare const it: { connect(): Promise<PoolClient> };'],
  ])('%s', (_, declaration) => {
    expect(typesOf(declaration)).toEqual([]);
  });

  test('of a file that reads otherwise now', () => {
    expect(typesOf('declare const it: Pool;', `${imports}declare const it: Pool ;`)).toEqual([]);
  });
});
