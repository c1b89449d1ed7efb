import { describe, expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

function misusesIn(source: string): readonly string[] {
  const program = programOf(projectOf({ 'src/a.ts': source }));
  return program.modules.flatMap((module) =>
    program.leases.in(module).flatMap((site) => program.leases.misuses(site).map(({ kind }) => kind)),
  );
}

const pg = (body: string, parameters = '') =>
  `import { Pool, type PoolClient } from 'pg'; const pool = new Pool(); export async function run(${parameters}) { ${body} }`;

const tx = (body: string, parameters = '') => pg(`const c = await pool.connect(); ${body}`, parameters);

describe('given back twice', () => {
  test.each([
    tx('try { await c.query("x"); } catch (e) { c.release(); throw e; } finally { c.release(); }'),
    tx('try { await c.query("x"); c.release(); } catch (e) { c.release(); }').replace(
      'c.release(); } catch',
      'c.release(); JSON.parse("{"); } catch',
    ),
    tx('if (done) c.release(); c.release();', 'done: boolean'),
  ])('%s', (source) => expect(misusesIn(source)).toEqual(['released-again']));

  test.each([
    tx('try { await c.query("x"); c.release(); } catch (e) { c.release(); }'),
    tx('if (done) { c.release(); return; } c.release();', 'done: boolean'),
    tx('let out = false; try { await c.query("x"); out = true; c.release(); } finally { if (!out) c.release(); }'),
    pg('let c = await pool.connect(); c.release(); c = await pool.connect(); c.release();'),
    pg('for (;;) { const c = await pool.connect(); c.release(); }'),
  ])('not %s', (source) => expect(misusesIn(source)).toEqual([]));
});

describe('used after it was given back', () => {
  test.each([tx('c.release(); await c.query("x");'), tx('try { await c.query("x"); } finally { c.release(); } await c.query("y");')])(
    '%s',
    (source) => expect(misusesIn(source)).toEqual(['used-after-release']),
  );

  test.each([
    tx('c.release(); c.removeAllListeners();'),
    pg('let c = await pool.connect(); c.release(); c = await pool.connect(); await c.query("x"); c.release();'),
    tx('if (early) { c.release(); return; } await c.query("x"); c.release();', 'early: boolean'),
  ])('not %s', (source) => expect(misusesIn(source)).toEqual([]));
});

describe('given back while it is in use', () => {
  const each = (start: string) => tx(`try { ${start} } finally { c.release(); }`, 'ids: number[]');

  test.each([
    each('ids.forEach(async (id) => { await c.query("x"); await c.query("y"); });'),
    each('ids.map(async (id) => { await sleep(id); await c.query("x"); });'),
    each('return Promise.all(ids.map(async (id) => { const r = await c.query("x"); return c.query(r.text); }));'),
    each('void work(c);').replace('export', 'async function work(w: PoolClient) { await sleep(1); await w.query("x"); } export'),
    each('const later = async () => { await sleep(1); await c.query("x"); }; later();'),
    each('(async () => { for (const id of ids) await c.query("x"); })();'),
  ])('later: %s', (source) => expect(misusesIn(source)).toEqual(['used-after-release']));

  test.each([
    each('c.query("x");'),
    each('return c.query("x");'),
    each('return Promise.all([c.query("x"), c.query("y")]);'),
    each('ids.forEach(async (id) => { await c.query("x"); });'),
    tx('c.query("x", (error, result) => report(result)); c.release();'),
    tx('void c.query("x"); giveBack(c);').replace('export', 'function giveBack(g: PoolClient) { g.release(); } export'),
  ])('at once: %s', (source) => expect(misusesIn(source)).toContain('released-in-use'));

  test.each([
    each('await Promise.all(ids.map(async (id) => { await c.query("x"); await c.query("y"); }));'),
    each('return await Promise.all(ids.map((id) => c.query("x")));'),
    each('for (const id of ids) await c.query("x");'),
    each('const pending = ids.map(async (id) => { await c.query("x"); await c.query("y"); }); await Promise.all(pending);'),
    each('ids.forEach(async (id) => { await pool.query("x"); });'),
    each('c.query("x"); await c.query("y");'),
    each('c.on("notice", async () => { await c.query("x"); await c.query("y"); });'),
    tx('c.query("x"); c.release(new Error());'),
    tx('return c.query("x").finally(() => c.release());'),
    tx('return c.query("x").then(() => { return c.query("y"); }).finally(() => c.release());'),
    tx('void (async () => { try { await c.query("x"); } finally { c.release(); } })(); await pool.query("x");'),
    tx('const run = async () => { await c.query("x"); await c.query("y"); }; await run(); c.release();'),
  ])('not %s', (source) => expect(misusesIn(source)).toEqual([]));
});

describe('given back inside a transaction', () => {
  test.each([
    tx('try { await c.query("BEGIN"); await c.query("x"); await c.query("COMMIT"); } finally { c.release(); }'),
    tx(
      'try { await c.query("BEGIN"); if (none) return; await c.query("COMMIT"); } catch (e) { await c.query("ROLLBACK"); throw e; } finally { c.release(); }',
      'none: boolean',
    ),
    tx('try { await c.query("start transaction"); } finally { c.release(false); }'),
    tx(
      'let broken; try { await c.query("BEGIN"); if (none) return; await c.query("COMMIT"); } catch (e) { await c.query("ROLLBACK").catch((r) => { broken = r; }); throw e; } finally { c.release(broken); }',
      'none: boolean',
    ),
    tx('try { await c.query("BEGIN"); await c.query("COMMIT AND CHAIN"); } finally { c.release(); }'),
    `import mysql from 'mysql2/promise'; const pool = mysql.createPool({}); export async function run() { const c = await pool.getConnection();
      try { await c.beginTransaction(); await c.query('x'); await c.commit(); } finally { c.release(); } }`,
  ])('%s', (source) => expect(misusesIn(source)).toContain('released-in-transaction'));

  test.each([
    tx(
      'try { await c.query("BEGIN"); await c.query("x"); await c.query("COMMIT"); } catch (e) { await c.query("ROLLBACK"); throw e; } finally { c.release(); }',
    ),
    tx(
      'try { await c.query("BEGIN"); await c.query("COMMIT"); } catch (e) { await c.query("ROLLBACK").catch(() => {}); throw e; } finally { c.release(); }',
    ),
    tx('try { await c.query("BEGIN"); } finally { c.release(true); }'),
    tx('try { await c.query("BEGIN"); await c.query("x"); await c.query("COMMIT"); c.release(); } catch (e) { c.release(e); }'),
    tx('await c.query("BEGIN; UPDATE a SET b = 1; COMMIT"); c.release();'),
    tx('try { await begin(c); await c.query("x"); } finally { await end(c); c.release(); }').replace(
      'export',
      'async function begin(c: PoolClient) { await c.query("BEGIN"); } async function end(c: PoolClient) { await c.query("ROLLBACK"); } export',
    ),
    tx('try { await c.query("BEGIN"); await rollbackOf(c); } finally { c.release(); }').replace(
      'export',
      'import { rollbackOf } from "elsewhere"; export',
    ),
  ])('not %s', (source) => expect(misusesIn(source)).not.toContain('released-in-transaction'));
});

describe('a connection that is a tag', () => {
  const reserved = (body: string) =>
    `import postgres from 'postgres'; const sql = postgres(); export async function run() { const c = await sql.reserve(); ${body} }`;

  test.each([
    [reserved('try { await c`BEGIN`; await c`SELECT 1`; await c`COMMIT`; } finally { c.release(); }'), ['released-in-transaction']],
    [reserved('try { await c`BEGIN`; await c`COMMIT`; } catch (e) { await c`ROLLBACK`; throw e; } finally { c.release(); }'), []],
    [reserved('c.release(); await c`SELECT 1`;'), ['used-after-release']],
    [reserved('c.release(); await sql`SELECT 1`;'), []],
  ])('%s', (source, expected) => expect(misusesIn(source)).toEqual(expected));
});
