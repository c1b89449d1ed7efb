import { expect, test } from 'vitest';
import { fatesIn } from '../../testing/fates.ts';

const typeorm = (body: string, options = '') => `import { DataSource } from 'typeorm'; import { load } from 'elsewhere';
  const source = new DataSource({ ${options} });
  export async function run() { const runner = source.createQueryRunner(); ${body} }`;

test.each([
  ['ok', 'await load(); await runner.release();'],
  ['ok', 'console.log(runner.isReleased);'],
  ['raises', 'await load(); await runner.query("x"); await runner.release();'],
  ['raises', 'await runner.getTables(); await runner.release();'],
  ['raises', 'const orders = runner.manager; await load(); await runner.release();'],
  ['raises', 'await load(runner); await runner.release();'],
])('a runner that has no connection before its first use cannot lose one: %s', (fate, body) => {
  expect(fatesIn(typeorm(body))).toEqual([fate]);
});

test.each([
  [[], "type: 'better-sqlite3', database: ':memory:'"],
  [['raises'], "type: 'postgres'"],
])('a database without a pool lends nothing: %j', (fates, options) => {
  expect(fatesIn(typeorm('await runner.query("x"); await runner.release();', options))).toEqual(fates);
});

test('a variable that holds one of several databases may hold one with a pool', () => {
  const source = `import { DataSource } from 'typeorm';
    let source: DataSource;
    switch (process.env.DB) {
      case 'sqlite': source = new DataSource({ type: 'sqlite', database: 'x' }); break;
      default: source = new DataSource({ type: 'postgres' });
    }
    export async function run() { const runner = source.createQueryRunner(); await runner.query('x'); await runner.release(); }`;
  expect(fatesIn(source)).toEqual(['raises']);
});

test.each([
  ['ok', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
  ['ok', 'await sleep(100);'],
  ['ok', 'await pause(100);'],
  ['raises', 'await new Promise((resolve, reject) => setTimeout(reject, 100));'],
])('a timer does not fail: %s', (fate, wait) => {
  const source = `import { Pool } from 'pg'; import { setTimeout as pause } from 'node:timers/promises'; const pool = new Pool();
    const sleep = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });
    export async function run() { const c = await pool.connect(); ${wait} c.release(); }`;
  expect(fatesIn(source)).toEqual([fate]);
});
