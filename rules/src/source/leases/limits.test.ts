import { expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

/** What docs/limits.md says of connections, each with the verdict of today: right, silent or wrong. */
function verdictsOn(source: string, others: Record<string, string> = {}): readonly string[] {
  const program = programOf(projectOf({ 'src/a.ts': source, ...others }));
  return program.modules.flatMap((module) =>
    program.leases.in(module).map((site) => {
      const misuses = program.leases.misuses(site).map(({ kind }) => kind);
      return [program.leases.leak(site)?.kind ?? 'ok', ...misuses].join();
    }),
  );
}

const file = (code: string) => `import { Pool, type PoolClient } from 'pg'; const pool = new Pool(); ${code}`;
const run = (body: string, parameters = '') => file(`export async function run(${parameters}) { ${body} }`);
const tx = (body: string, parameters = '') => run(`const c = await pool.connect(); ${body}`, parameters);

test.each<readonly [limit: string, source: string, verdicts: readonly string[]]>([
  [
    'a pool out of a container is not known',
    "import { container } from './container'; export async function run() { const c = await container.get('db').connect(); await c.query('x'); c.release(); }",
    [],
  ],
  [
    'an untyped parameter is not known',
    'export async function run(pool) { const c = await pool.connect(); await c.query("x"); c.release(); }',
    [],
  ],
  [
    'a computed type is not followed',
    file(
      'const make = () => new Pool(); export async function run(p: ReturnType<typeof make>) { const c = await p.connect(); await c.query("x"); }',
    ),
    [],
  ],
  [
    'a variable with two different values is neither',
    file(
      'import { createPool } from "mysql2/promise"; export async function run(ok: boolean) { let p; if (ok) p = new Pool(); else p = createPool({}); const c = await p.connect(); await c.query("x"); }',
    ),
    [],
  ],
  [
    'a class that is a function with methods on its prototype is not known',
    file(
      "function Db() { this.pool = new Pool(); } Db.prototype.run = async function () { const c = await this.pool.connect(); await c.query('x'); };",
    ),
    [],
  ],
  ['a callback that gets it is taken to have been given', tx('if (next) next(c);', 'next?: (c: PoolClient) => void'), ['ok']],
  ['other synchronous code is taken not to throw', tx('const size = (undefined as any).length; c.release(); return size;'), ['ok']],
  ['the same condition is understood', tx('if (!own) c.release(); if (own) c.release();', 'own: boolean'), ['ok']],
  [
    'conditions that depend in another way are not',
    tx('const n = Math.random(); if (n > 0.5) c.release(); if (n <= 0.5) c.release();'),
    ['leaves,released-again'],
  ],
  [
    'a flag that a callback sets is not seen',
    tx('let out = true; work(() => { out = false; }); if (out) c.release();', 'work: (f: () => void) => void'),
    ['ok'],
  ],
  ['a list keeps it', tx('kept.push(c);', 'kept: PoolClient[]'), ['ok']],
  [
    'a field that others can reach keeps it',
    file(
      'export class Unit { client?: PoolClient; async begin() { this.client = await pool.connect(); } async end() { await this.client!.query("COMMIT"); this.client!.release(); } }',
    ),
    ['ok'],
  ],
  [
    'code outside the root keeps it',
    file('import { work } from "work"; export async function run() { const c = await pool.connect(); await work(c); }'),
    ['ok'],
  ],
  [
    'what is given back afterwards was not kept',
    file('import { work } from "work"; export async function run() { const c = await pool.connect(); await work(c); c.release(); }'),
    ['raises'],
  ],
  ['a closure that could give it back is taken to', tx('setTimeout(() => { if (ok) c.release(); }, 100);', 'ok: boolean'), ['ok']],
  ['a listener that never hears its event is not seen', tx('c.on("never", () => c.release());'), ['ok']],
  [
    'a promise that is kept and settles later is not seen',
    tx('const later = work(); const use = later.then(() => c.query("x")); c.release(); await use;', 'work: () => Promise<void>'),
    ['ok'],
  ],
  [
    'work in the background that something is awaited after is not seen',
    tx('[1].forEach(async () => { await c.query("x"); await c.query("y"); }); await c.query("z"); c.release();'),
    ['raises'],
  ],
  ['a chain that nobody waits for counts as waited for', tx('c.query("x").catch(() => {}); c.release();'), ['ok']],
  [
    'what a function is told counts only as a constant',
    file(
      'async function work(c: PoolClient, keep: boolean) { await c.query("x").catch(() => {}); if (!keep) c.release(); } export async function run() { const keep = Boolean(1); const c = await pool.connect(); await work(c, keep); }',
    ),
    ['ok'],
  ],
  [
    'recursion changes nothing',
    file(
      'function back(c: PoolClient, n: number) { if (n > 0) back(c, n - 1); else c.release(); } export async function run() { const c = await pool.connect(); back(c, 3); }',
    ),
    ['ok'],
  ],
  [
    'clients in a list are not followed',
    run('const cs = await Promise.all([pool.connect(), pool.connect()]); await cs[0].query("x");'),
    ['ok', 'ok'],
  ],
  [
    'a generator that is not run to its end is not seen',
    file(
      'async function* rows() { const c = await pool.connect(); try { yield 1; } finally { c.release(); } } export const first = () => rows().next();',
    ),
    ['ok'],
  ],
  [
    'a listener and the function are not compared',
    tx(
      'from.on("close", () => c.release()); try { for await (const row of from) console.log(row); } finally { c.release(); }',
      'from: import("node:stream").Readable',
    ),
    ['ok'],
  ],
  [
    'what was never taken fails by itself',
    run('let c; try { c = await pool.connect(); await c.query("x"); } finally { c!.release(); }'),
    ['ok'],
  ],
  [
    'an open cursor is not seen',
    file(
      'import Cursor from "pg-cursor"; export async function run() { const c = await pool.connect(); try { const cursor = c.query(new Cursor("x")); return await cursor.read(10); } finally { c.release(); } }',
    ),
    ['ok'],
  ],
  [
    'a mocked driver lends nothing',
    file('import { vi } from "vitest"; vi.mock("pg"); export async function run() { const c = await pool.connect(); await c.query("x"); }'),
    [],
  ],
  ['what is disposed of is given back', run('await using c = await pool.connect(); await c.query("x");'), ['ok']],
  [
    'SQL whose first words are a variable is not known',
    tx('try { await c.query(`${begin} WORK`); } finally { c.release(); }', 'begin: string'),
    ['ok'],
  ],
  [
    'SQL that a DO block runs is not looked into',
    tx('try { await c.query("DO $$ BEGIN PERFORM 1; END $$"); } finally { c.release(); }'),
    ['ok'],
  ],
  ['an endless function is not followed', tx('if (a) { b(); } '.repeat(9_000), 'a: boolean, b: () => void'), ['ok']],
])('%s', (_limit, source, verdicts) => {
  expect(verdictsOn(source)).toEqual(verdicts);
});
