import { describe, expect, test } from 'vitest';
import { fatesIn } from '../../testing/fates.ts';

const pg = (body: string, parameters = '') =>
  `import { Pool, type PoolClient } from 'pg'; const pool = new Pool(); export async function run(${parameters}) { ${body} }`;

const mysql = (body: string) =>
  `import mysql from 'mysql2/promise'; const pool = mysql.createPool({}); export async function run(ids: string[]) { ${body} }`;

const cb = (body: string) =>
  `const { Pool } = require('pg'); const pool = new Pool(); module.exports = function run(id, next) { ${body} };`;

describe('leases that do not come back', () => {
  test.each([
    ['raises', pg('const c = await pool.connect(); await c.query("x"); c.release();')],
    ['leaves', pg('const c = await pool.connect(); const r = await c.query("x"); if (!r.rows.length) return null; c.release();')],
    ['never', pg('const c = await pool.connect(); return (await c.query("x")).rows;')],
    ['setup', pg('const c = await pool.connect(); await c.query("BEGIN"); try { await c.query("x"); } finally { c.release(); }')],
    ['raises', pg('const c = await pool.connect(); await fetch("http://a"); try { await c.query("x"); } finally { c.release(); }')],
    ['dropped', pg('await pool.connect();')],
    ['dropped', pg('pool.connect().then(() => console.log("up"));')],
    ['dropped', pg('return (await pool.connect()).query("x");')],
    ['overwritten', pg('let c; for (const id of ids) { c = await pool.connect(); await c.query(id); } c.release();', 'ids: string[]')],
    ['raises', pg('const c = await pool.connect(); const v = JSON.parse(text); c.release(); return v;', 'text: string')],
    [
      'raises',
      pg('const c = await pool.connect(); try { await c.query("x"); c.release(); } catch (e) { await c.query("ROLLBACK"); c.release(); }'),
    ],
    ['raises', pg('const c = await pool.connect(); try { await c.query("x"); c.release(); } catch (e) { console.error(e); }')],
    ['leaves', pg('const c = await pool.connect(); try { await c.query("x"); } finally { if (ok) c.release(); }', 'ok: boolean')],
    ['raises', pg('const c = await pool.connect(); try { await c.query("x"); } finally { await c.query("RESET ALL"); c.release(); }')],
    [
      'raises',
      pg('const c = await pool.connect(); const r = await work(c); c.release(); return r;', 'work: (c: PoolClient) => Promise<void>'),
    ],
    ['raises', pg('return pool.connect().then((c) => c.query("x").then((r) => { c.release(); return r; }));')],
    [
      'leaves',
      pg(
        'const c = await pool.connect(); switch (kind) { case 1: c.release(); break; case 2: break; default: c.release(); }',
        'kind: number',
      ),
    ],
    [
      'leaves',
      pg(
        'const c = await pool.connect(); outer: for (;;) { for (;;) { if (ids.length) break outer; break; } c.release(); break; }',
        'ids: string[]',
      ),
    ],
    ['raises', pg('let c; try { c = await pool.connect(); await c.query("x"); } catch (e) { throw e; } c.release();')],
    ['leaves', mysql('for (const id of ids) { const c = await pool.getConnection(); if (!id) continue; c.release(); }')],
    ['raises', mysql('const c = await pool.getConnection(); await c.beginTransaction(); await c.commit(); c.release();')],
    [
      'leaves',
      cb(
        'pool.connect((err, client, done) => { if (err) return next(err); client.query("x", (e, r) => { if (e) return next(e); done(); next(null, r); }); });',
      ),
    ],
    ['leaves', cb('pool.connect(function (err, client, done) { if (err) { return next(err); } if (!id) { return next(); } done(); });')],
    ['raises', cb('pool.connect(async (err, client, done) => { if (err) throw err; await client.query("x"); done(); });')],
    ['never', cb('pool.connect((err, client) => { client.query("x"); next(); });')],
  ])('%s: %s', (kind, source) => {
    expect(fatesIn(source)).toEqual([kind]);
  });
});

describe('leases that do', () => {
  test.each([
    pg('const c = await pool.connect(); try { return await c.query("x"); } finally { c.release(); }'),
    pg('let c: PoolClient | undefined; try { c = await pool.connect(); await c.query("x"); } finally { c?.release(); }'),
    pg('let c; try { c = await pool.connect(); await c.query("x"); } finally { if (c) c.release(); }'),
    pg('let c; try { c = await pool.connect(); await c.query("x"); } finally { if (c !== undefined && c !== null) { c.release(); } }'),
    pg('const c = await pool.connect(); try { await c.query("x"); } catch (e) { c.release(true); throw e; } c.release();'),
    pg('const c = await pool.connect(); c.release();'),
    pg('(await pool.connect()).release();'),
    pg('const c = await pool.connect(); return c;'),
    pg('const c = await pool.connect(); return { c, done: () => c.release() };'),
    pg('const c = await pool.connect(); held.push(c);', 'held: PoolClient[]'),
    pg('const c = await pool.connect(); return new Session(c);').replace(
      'export',
      'class Session { constructor(readonly c: PoolClient) {} } export',
    ),
    pg('return pool.connect().then((c) => c.query("x").finally(() => c.release()));'),
    pg('const c = await pool.connect(); return c.query("x").finally(() => { c.release(); });'),
    pg('const c = await pool.connect(); await c.query("x").then(() => c.release(), (e) => { c.release(e); throw e; });'),
    pg('const c = await pool.connect(); try { await c.query("x"); await c.query("ROLLBACK").catch(() => {}); } finally { c.release(); }'),
    pg(
      'const c = await pool.connect(); try { await c.query("x"); } catch (e) { await c.query("ROLLBACK").catch(() => {}); c.release(); throw e; } c.release();',
    ),
    pg(
      'const own = !given; const c = given ?? (await pool.connect()); try { await c.query("x"); } finally { if (own) c.release(); }',
      'given?: PoolClient',
    ),
    pg(
      'let c = given; if (!given) c = await pool.connect(); try { await c!.query("x"); } finally { if (!given) c!.release(); }',
      'given?: PoolClient',
    ),
    pg(
      'let done = false; const c = await pool.connect(); try { await c.query("x"); c.release(); done = true; } finally { if (!done) c.release(); }',
    ),
    pg('const c = await pool.connect(); const finish = () => c.release(); try { await c.query("x"); } finally { finish(); }'),
    pg(
      'const c = await pool.connect(); const s = c.query(q); s.on("end", () => c.release()); s.on("error", (e) => c.release(e));',
      'q: never',
    ),
    pg('const c = await pool.connect(); res.on("close", c.release);', 'res: never'),
    pg('const c = await pool.connect(); if (!ok) { process.exit(1); } c.release();', 'ok: boolean'),
    pg('const { release } = await pool.connect(); release();'),
    pg('const c = await pool.connect(); const again = (n: number) => { if (n > 0) again(n - 1); c.release(); }; again(3);'),
    pg(
      'for (;;) { const c = await pool.connect(); try { await c.query("x"); if (stop()) break; else continue; } finally { c.release(); } }',
      'stop: () => boolean',
    ),
    pg('await using c = await pool.connect(); await c.query("x");'),
    mysql('const c = await pool.getConnection(); try { await c.query("x"); } finally { pool.releaseConnection(c); }'),
    mysql(
      'await Promise.all(ids.map(async (id) => { const c = await pool.getConnection(); try { await c.query(id); } finally { c.release(); } }));',
    ),
    cb('pool.connect((err, client, done) => { if (err) return next(err); client.query("x", (e, r) => { done(e); next(e, r); }); });'),
    cb('pool.connect((err, client, done) => { if (err) return next(err); steps(client, done); });'),
  ])('%s', (source) => {
    expect(new Set(fatesIn(source))).toEqual(new Set(['ok']));
  });
});

describe('across functions and files', () => {
  const db = {
    'src/db.ts': `import { Pool, type PoolClient } from 'pg';
      export const pool = new Pool();
      export async function getClient(): Promise<PoolClient> { const client = await pool.connect(); return client; }
      export function giveBack(client: PoolClient) { client.release(); }
      export async function log(client: PoolClient) { await client.query('INSERT'); }
      export async function safely() { try { await fetch('http://a'); } catch { return; } }`,
  };

  test.each([
    [
      'raises',
      "import { getClient } from './db.js'; export async function run() { const c = await getClient(); await c.query('x'); c.release(); }",
    ],
    [
      'ok',
      "import { getClient } from './db.js'; export async function run() { const c = await getClient(); try { await c.query('x'); } finally { c.release(); } }",
    ],
    [
      'ok',
      "import { pool, giveBack } from './db.js'; export async function run() { const c = await pool.connect(); try { await c.query('x'); } finally { giveBack(c); } }",
    ],
    ['never', "import { pool, log } from './db.js'; export async function run() { const c = await pool.connect(); await log(c); }"],
    [
      'ok',
      "import { pool, safely } from './db.js'; export async function run() { const c = await pool.connect(); await safely(); c.release(); }",
    ],
    [
      'raises',
      "import { pool, log } from './db.js'; export async function run() { const c = await pool.connect(); await log(c); c.release(); }",
    ],
  ])('%s: %s', (kind, source) => {
    expect(fatesIn({ 'src/a.ts': source, ...db }, 'src/a.ts')).toEqual([kind]);
  });
});

test('a name proves nothing', () => {
  expect(
    fatesIn('export async function run(pool) { const client = await pool.connect(); await client.query("x"); client.release(); }'),
  ).toEqual([]);
});

test('a pool that is ended takes what is out of it along, where the driver does so', () => {
  const typeorm = (last: string) => `import { DataSource } from 'typeorm';
    export async function check(options) {
      const source = new DataSource(options);
      try { const runner = source.createQueryRunner(); await runner.query('SELECT 1'); await runner.release(); } finally { ${last} }
    }`;
  expect(fatesIn(typeorm('await source.destroy();'))).toEqual(['ok']);
  expect(fatesIn(typeorm('console.log("done");'))).toEqual(['raises']);
});

test('a helper that gives the lease back later in the function shows that nobody else kept it', () => {
  const source = `import { Pool } from 'pg'; import { load } from 'elsewhere'; const pool = new Pool();
    async function commit(c) { await c.query('COMMIT'); c.release(); }
    async function rollback(c) { try { await c.query('ROLLBACK'); } finally { c.release(); } }
    export async function run() {
      const c = await pool.connect();
      try { const row = await load(c); if (!row) return; await commit(c); } catch (e) { await rollback(c); }
    }`;
  expect(fatesIn(source)).toEqual(['leaves']);
});

test('a callback of Node style that has a name is not followed', () => {
  expect(fatesIn(cb('pool.connect(onClient); function onClient(err, client, done) { done(); }'))).toEqual([]);
});

test.each([
  ['raises', "await c.query('ROLLBACK'); c.release();"],
  ['ok', "try { await c.query('ROLLBACK'); } finally { c.release(); }"],
  ['ok', 'if (!c) throw new Error(); c.release();'],
])('a helper that rejects before it gives the lease back leaves it out: %s', (fate, rollback) => {
  const source = `import { Pool } from 'pg'; const pool = new Pool();
    async function rollback(c) { ${rollback} }
    export async function run() {
      const c = await pool.connect();
      try { await c.query('x'); } catch (e) { await rollback(c); throw e; }
      c.release();
    }`;
  expect(fatesIn(source)).toEqual([fate]);
});
