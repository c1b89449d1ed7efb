import { expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

/** What is wrong with the leases that a file takes, in order. */
function verdictOn(source: string): readonly string[] {
  const program = programOf(projectOf({ 'src/a.ts': source }));
  if (!program.modules.some((module) => program.leases.in(module).length > 0)) return ['no lease'];
  return program.modules.flatMap((module) =>
    program.leases.in(module).flatMap((site) => {
      const leak = program.leases.leak(site)?.kind;
      return [...(leak ? [leak] : []), ...program.leases.misuses(site).map(({ kind }) => kind)];
    }),
  );
}

const file = (code: string) =>
  `import { Pool, type PoolClient } from 'pg'; import mysql from 'mysql2/promise'; import { DataSource } from 'typeorm'; import QueryStream from 'pg-query-stream'; import { Semaphore } from 'async-mutex';
   const pool = new Pool(); const db = mysql.createPool({}); const semaphore = new Semaphore(2); ${code}`;

const run = (body: string) =>
  file(`export async function run(ids: number[], ok: boolean, source: DataSource, other: PoolClient | undefined) { ${body} }`);

const tx = (body: string) => run(`const c = await pool.connect(); ${body}`);

/** The shape, its code, and the verdict on it. */
type Shape = readonly [string, string, readonly string[]];

const known: readonly Shape[] = [
  [
    'BEGIN ahead of the try',
    tx(
      'await c.query("BEGIN"); try { await c.query("x"); await c.query("COMMIT"); } catch (e) { await c.query("ROLLBACK"); throw e; } finally { c.release(); }',
    ),
    ['setup'],
  ],
  [
    'connect() of a runner ahead of the try',
    run('const r = source.createQueryRunner(); await r.connect(); try { await r.query("x"); } finally { await r.release(); }'),
    [],
  ],
  [
    'startTransaction() of a runner ahead of the try',
    run(
      'const r = source.createQueryRunner(); await r.connect(); await r.startTransaction(); try { await r.commitTransaction(); } catch (e) { await r.rollbackTransaction(); throw e; } finally { await r.release(); }',
    ),
    ['setup'],
  ],
  [
    'BEGIN sent through what works on it',
    tx('const work = new Work(c); await work.execute(sql`begin ${ids}`); try { await c.query("x"); } finally { c.release(); }'),
    ['setup'],
  ],
  [
    'something else sent through what works on it',
    tx('const work = new Work(c); await work.execute(sql`select ${ids}`); try { await c.query("x"); } finally { c.release(); }'),
    ['raises'],
  ],
  [
    'something else awaited ahead of the try',
    tx('const body = await fetch("http://a"); try { await c.query("x"); } finally { c.release(); }'),
    ['raises'],
  ],
  [
    'ROLLBACK ahead of the release in a catch',
    tx('try { await c.query("x"); c.release(); } catch (e) { await c.query("ROLLBACK"); c.release(); throw e; }'),
    ['raises'],
  ],
  [
    'ROLLBACK that cannot fail',
    tx('try { await c.query("x"); } catch (e) { await c.query("ROLLBACK").catch(() => {}); c.release(); throw e; } c.release();'),
    [],
  ],
  ['release under a condition in finally', tx('try { await c.query("x"); } finally { if (ok) c.release(); }'), ['leaves']],
  [
    'release in finally if it was taken',
    run('let c; try { c = await pool.connect(); await c.query("x"); } finally { if (c) c.release(); }'),
    [],
  ],
  [
    'release in finally if it is its own',
    run('const c = other ?? (await pool.connect()); try { await c.query("x"); } finally { if (!other) c.release(); }'),
    [],
  ],
  ['finally of a promise', tx('await c.query("x").finally(() => c.release());'), []],
  ['finally of a returned promise', run('return pool.connect().then((c) => c.query("x").finally(() => c.release()));'), []],
  ['then without catch', run('return pool.connect().then(async (c) => { await c.query("x"); c.release(); });'), ['raises']],
  ['health check that keeps nothing', run('await pool.connect(); return "up";'), ['dropped']],
  ['health check that gives back', tx('c.release(); return "up";'), []],
  ['health check that gives back at once', run('(await pool.connect()).release();'), []],
  ['release and return', tx('if (ok) { c.release(); return; } c.release();'), []],
  ['release and throw', tx('if (ok) { c.release(); throw new Error(); } c.release();'), []],
  [
    'release and continue',
    run('for (const id of ids) { const c = await pool.connect(); if (id > 1) { c.release(); continue; } c.release(); }'),
    [],
  ],
  [
    'release and no continue',
    run('for (const id of ids) { const c = await pool.connect(); if (id > 1) c.release(); c.release(); }'),
    ['released-again'],
  ],
  [
    'continue without release',
    run('for (const id of ids) { const c = await pool.connect(); if (id > 1) continue; c.release(); }'),
    ['leaves'],
  ],
  [
    'release at the end or error of a stream',
    tx('const s = c.query(new QueryStream("x")); s.on("end", () => c.release()); s.on("error", (e) => c.release(e)); s.resume();'),
    [],
  ],
  [
    'release-once closure',
    tx(
      'let out = true; const done = () => { if (!out) return; out = false; c.release(); }; try { await c.query("x"); done(); } finally { done(); }',
    ),
    [],
  ],
  [
    'release-once closure for a timer',
    tx(
      'let out = true; const done = () => { if (out) { out = false; c.release(); } }; const t = setTimeout(done, 1000); try { await c.query("x"); } finally { clearTimeout(t); done(); }',
    ),
    [],
  ],
  [
    'a semaphore and a lock',
    run(
      'const [, release] = await semaphore.acquire(); await fetch("http://a"); release(); const lock = await navigator.locks.acquire("a"); await fetch("http://b"); lock.release(); lock.release();',
    ),
    ['no lease'],
  ],
  [
    'a script that exits',
    tx('try { await c.query("x"); } catch (e) { console.error(e); process.exit(1); } c.release(); process.exit(0);'),
    [],
  ],
  ['a script that exits without a release', tx('await c.query("x").catch(() => process.exit(1)); process.exit(0);'), []],
];

const language: readonly Shape[] = [
  [
    'generator with finally',
    file(
      'export async function* rows() { const c = await pool.connect(); try { const r = await c.query("x"); for (const row of r.rows) yield row; } finally { c.release(); } }',
    ),
    [],
  ],
  [
    'generator without finally',
    file(
      'export async function* rows() { const c = await pool.connect(); const r = await c.query("x").catch(() => []); yield* r; c.release(); }',
    ),
    ['raises'],
  ],
  [
    'labelled jumps',
    tx('outer: for (const a of ids) { for (const b of ids) { if (a > b) break outer; if (b > a) continue outer; } } c.release();'),
    [],
  ],
  ['labelled block', tx('work: { if (ok) break work; c.release(); }'), ['leaves']],
  [
    'labelled jump through finally',
    run(
      'outer: for (const a of ids) { const c = await pool.connect(); try { for (const b of ids) if (a > b) continue outer; } finally { c.release(); } }',
    ),
    [],
  ],
  ['optional chain', run('let c; try { c = await pool.connect(); await c?.query?.("x"); } finally { c?.release?.(); }'), []],
  ['optional chain around another condition', tx('other?.query((c.release(), "x")); return;'), ['leaves']],
  [
    'nullish assignment',
    run('let c = other; c ??= await pool.connect(); try { await c.query("x"); } finally { if (c !== other) c.release(); }'),
    [],
  ],
  ['using', run('using c = await pool.connect(); await c.query("x");'), []],
  ['await using', run('await using c = await db.getConnection(); await c.query("x");'), []],
  ['field initialiser', file('export class Jobs { client = pool.connect(); static ready = pool.connect(); }'), ['no lease']],
  [
    'static block',
    file('export class Jobs { static { void (async () => { const c = await pool.connect(); await c.query("x"); c.release(); })(); } }'),
    ['raises'],
  ],
  [
    'decorated method',
    file('export class Jobs { @logged() async run() { const c = await pool.connect(); await c.query("x"); c.release(); } }'),
    ['raises'],
  ],
  [
    'accessor and computed names',
    file(
      'export class Jobs { accessor size = 1; async ["run"]() { const c = await pool.connect(); try { await c.query("x"); } finally { c.release(); } } }',
    ),
    [],
  ],
  [
    'enum and namespace in the way',
    file(
      'enum Kind { A = 1 } namespace Jobs { export async function run() { const c = await pool.connect(); if (Kind.A) await c.query("x"); c.release(); } }',
    ),
    ['raises'],
  ],
  [
    'declarations in the way',
    tx('type Row = { id: number }; interface Rows { rows: Row[] } enum Kind { A } class Local {} function local() {} ; c.release();'),
    [],
  ],
  ['Promise.all over clients', run('const cs = await Promise.all(ids.map(() => pool.connect())); for (const c of cs) c.release();'), []],
  [
    'map that takes and gives back',
    run(
      'await Promise.all(ids.map(async (id) => { const c = await pool.connect(); try { await c.query(String(id)); } finally { c.release(); } }));',
    ),
    [],
  ],
  [
    'map that loses',
    run('await Promise.all(ids.map(async (id) => { const c = await pool.connect(); await c.query(String(id)); c.release(); }));'),
    ['raises'],
  ],
  ['Promise.all over queries', tx('try { await Promise.all([c.query("x"), c.query("y")]); } finally { c.release(); }'), []],
  ['for await over a cursor', tx('for await (const row of c.query(new QueryStream("x"))) console.log(row); c.release();'), ['raises']],
  [
    'for await over a cursor, in a try',
    tx('try { for await (const row of c.query(new QueryStream("x"))) console.log(row); } finally { c.release(); }'),
    [],
  ],
  [
    'async arrow with an expression',
    file('export const run = async () => { const c = await pool.connect(); return c.query("x").finally(() => c.release()); };'),
    [],
  ],
  ['sequence and comma', tx('(await c.query("x"), c.release());'), ['raises']],
  ['switch with fallthrough', tx('switch (ids.length) { case 1: case 2: c.release(); break; default: c.release(); }'), []],
  ['return in finally', tx('try { await c.query("x"); } finally { c.release(); return 1; }'), []],
  ['return in finally ahead of the release', tx('try { await c.query("x"); } finally { if (ok) return 1; c.release(); }'), ['leaves']],
  ['destructured release', run('const { release } = await pool.connect(); try { await fetch("http://a"); } finally { release(); }'), []],
];

test.each([...known, ...language])('%s', (_shape, source, verdict) => {
  expect(verdictOn(source)).toEqual(verdict);
});
