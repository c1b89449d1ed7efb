import { expect, test } from 'vitest';
import { fatesIn } from '../../testing/fates.ts';

const typeorm = (body: string) => `import type { DataSource, QueryRunner } from 'typeorm';
  export async function store(source: DataSource, runner?: QueryRunner) { ${body} }`;

test('a flag that was made from a condition agrees with it later', () => {
  const store = (last: string) =>
    typeorm(`
    const owns = runner === undefined || runner.isBusy();
    if (runner === undefined || owns) { runner = source.createQueryRunner(); }
    try { await runner.query('SELECT 1'); } finally { ${last} }`);
  expect(fatesIn(store('if (owns) await runner.release();'))).toEqual(['ok']);
  expect(fatesIn(store('if (!owns) await runner.release();'))).toEqual(['never']);
});

test.each([
  ['ok', 'if (!own.isReleased) await own.release();'],
  ['ok', 'if (own.isReleased === false) await own.release();'],
  ['never', 'if (own.isReleased) await own.release();'],
  ['ok', 'if (!own.isTransactionActive && own.isReleased === false) await own.release();'],
])('a lease says how it stands: %s for %s', (fate, last) => {
  const body = `const own = source.createQueryRunner();
    try { await own.startTransaction(); await own.query('SELECT 1'); await own.commitTransaction(); }
    catch (error) { if (own.isTransactionActive) await own.rollbackTransaction().catch(() => {}); throw error; }
    finally { ${last} }`;
  expect(fatesIn(typeorm(body))).toEqual([fate]);
});

test('a transaction says whether it is over', () => {
  const knex = (last: string) => `import knex from 'knex'; const db = knex({ client: 'pg' });
    export async function store() {
      const trx = await db.transaction();
      try { await trx('a').insert({}); await trx.commit(); } finally { ${last} }
    }`;
  expect(fatesIn(knex('if (!trx.isCompleted()) await trx.rollback();'))).toEqual(['ok']);
  expect(fatesIn(knex('if (trx.isCompleted()) await trx.rollback();'))).toEqual(['raises']);
});

const choice = (test: string, other: string) =>
  typeorm(`
    const own = source.options.type === 'postgres' ? source.createQueryRunner() : undefined;
    try { await own?.query('SELECT 1'); } finally { if (${test}) await close(); else if (${other}) await own?.release(); }`);

test.each([
  ['ok', "source.options.type === 'sqlite'", 'own'],
  ['ok', "source.options.type !== 'postgres'", 'true'],
  ['never', "source.options.type !== 'sqlite'", 'own'],
])('what equals one text does not equal another: %s for %s', (fate, test, other) => {
  expect(fatesIn(choice(test, other))).toEqual([fate]);
});

test('a case is a condition', () => {
  const run = (other: string) => `import { Pool } from 'pg'; const pool = new Pool();
    export async function run(mode: string) {
      let client;
      switch (mode) { case 'read': client = await pool.connect(); break; case 'skip': return; }
      switch (mode) { case ${other}: break; default: client?.release(); }
    }`;
  expect(fatesIn(run("'write'"))).toEqual(['ok']);
  expect(fatesIn(run("'read'"))).toEqual(['never']);
});
