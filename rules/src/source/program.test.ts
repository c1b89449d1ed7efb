import { describe, expect, test } from 'vitest';
import { projectOf } from '../project.ts';
import { programOf } from './program.ts';
import { evaluate } from './setting.ts';

function poolsOf(files: Record<string, string>) {
  return programOf(projectOf(files)).pools.map((pool) => ({
    path: pool.module.path,
    driver: pool.driver.name,
    name: pool.name,
    max: pool.max && evaluate(pool.max, () => ({ state: 'unset' }))?.map(({ value }) => value),
    complete: pool.complete,
  }));
}

describe('pools are found by what they are, not by their names', () => {
  test.each([
    ["import { Pool } from 'pg'; export const db = new Pool({ max: 7 });", 'pg', 'db', [7]],
    ["import pg from 'pg'; const db = new pg.Pool({ max: 7 });", 'pg', 'db', [7]],
    ["import * as pg from 'pg'; const db = new pg.Pool();", 'pg', 'db', undefined],
    ["const { Pool: P } = require('pg'); const db = new P({ max: 3 });", 'pg', 'db', [3]],
    ["const Pool = require('pg').native.Pool; module.exports = { db: new Pool({ max: 3 }) };", 'pg', 'db', [3]],
    ["import Pool from 'pg-pool'; class A { private db = new Pool({ max: 2 }); }", 'pg', 'db', [2]],
    ["import mysql from 'mysql2/promise'; let db; db ??= mysql.createPool({ connectionLimit: 4 });", 'mysql2', 'db', [4]],
    ["import { Pool } from 'pg'; const c = { max: 9 }; const db = new Pool({ ...c, port: 1 });", 'pg', 'db', [9]],
    ["import { Pool } from 'pg'; const db = new Pool({ max: Number(process.env.N ?? 10) * 2 });", 'pg', 'db', [20]],
    [
      "import { Pool } from 'pg'; const { N = '6' } = process.env; const db = new Pool({ max: parseInt(process.env.M || '5', 10) });",
      'pg',
      'db',
      [5],
    ],
  ])('%s', (source, driver, name, max) => {
    expect(poolsOf({ 'src/a.ts': source })).toMatchObject([{ driver, name, ...(max ? { max } : {}) }]);
  });

  test.each([
    "import { Pool } from 'undici'; const db = new Pool('http://a');",
    "class Pool {} const pool = new Pool({ max: 3 }); export type T = import('pg').Pool;",
    "import type { Pool } from 'pg'; declare const make: () => Pool; const pool = make();",
  ])('no pool in %s', (source) => {
    expect(poolsOf({ 'src/a.ts': source })).toEqual([]);
  });
});

describe('configuration is followed across files', () => {
  test('constants, tsconfig paths, workspace packages, re-exports', () => {
    const pools = poolsOf({
      'tsconfig.json': '{ // comment\n "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/config.ts': 'export const config = { db: { max: 12 } } as const;',
      'src/db.ts':
        "import { Pool } from 'pg'; import { config } from '@/config'; import { timeouts } from '@acme/shared'; export const pool = new Pool({ max: config.db.max, ...timeouts });",
      'packages/shared/package.json': '{ "name": "@acme/shared", "main": "dist/index.js" }',
      'packages/shared/src/index.ts': "export * from './timeouts.js';",
      'packages/shared/src/timeouts.ts': 'export const timeouts = { connectionTimeoutMillis: 1 };',
    });
    expect(pools).toEqual([{ path: 'src/db.ts', driver: 'pg', name: 'pool', max: [12], complete: true }]);
  });

  test('an object that cannot be read whole is not complete', () => {
    expect(poolsOf({ 'a.ts': "import { Pool } from 'pg'; export const make = (o) => new Pool({ max: 3, ...o });" })).toMatchObject([
      { complete: false },
    ]);
  });
});

test('drivers are known behind modules that export them again', () => {
  const pools = poolsOf({
    'package.json': '{ "workspaces": ["packages/*"] }',
    'packages/db/package.json': '{ "name": "@acme/db", "main": "index.ts" }',
    'packages/db/index.ts': "export * from './client';\nexport * from 'pg';",
    'packages/db/client.ts': "export { PrismaClient } from '../generated/prisma';",
    'src/a.ts': "import { Pool, PrismaClient } from '@acme/db'; const pool = new Pool({ max: 3 }); const prisma = new PrismaClient();",
  });
  expect(pools).toMatchObject([
    { driver: 'pg', name: 'pool', max: [3] },
    { driver: 'Prisma', name: 'prisma' },
  ]);
});

test('only files that name a driver, and their importers, are parsed', () => {
  const program = programOf(
    projectOf({
      'db.ts': "import { Pool } from 'pg'; export const pool = new Pool();",
      'orders.ts': "import { pool } from './db.js'; export const all = () => pool.query('SELECT 1');",
      'main.ts': "import './orders.js';",
      'unrelated.ts': "import fs from 'node:fs'; const broken = {",
    }),
  );
  expect(program.modules.map(({ path }) => path)).toEqual(['db.ts', 'main.ts', 'orders.ts']);
  expect(program.problems).toEqual([]);
  expect(program.reaches('main.ts', 'db.ts')).toBe(true);
  expect(program.reaches('db.ts', 'main.ts')).toBe(false);
});
