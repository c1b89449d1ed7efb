import { expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

/** Whether a call of a helper between taking and giving back is said to be able to lose the lease. */
function canFail(helper: string, call: string): boolean {
  const source = `import { Pool } from 'pg'; const pool = new Pool(); const kinds = { a: 1 }; let ready = false;
    ${helper}
    export async function run(id: string) { const c = await pool.connect(); ${call}; c.release(); }`;
  const program = programOf(projectOf({ 'src/a.ts': source }));
  return program.modules.some((module) => program.leases.in(module).some((site) => program.leases.leak(site)?.kind === 'raises'));
}

test.each([
  ['what it is given', 'function check(id) { if (!id) throw new Error(); }', 'check(id)'],
  ['a part of what it is given', 'function check({ id }) { if (!id) throw new Error(); }', 'check({ id })'],
  ['what it makes of that', 'function check(id) { const n = Number(id); if (Number.isNaN(n)) throw new Error(); }', 'check(id)'],
  ['what another function says', 'function check() { if (Math.random()) throw new Error(); }', 'check()'],
  ['nothing', 'function fail() { throw new Error(); }', 'fail()'],
  ['what a parser makes of it', 'function parse(id) { return JSON.parse(id); }', 'parse(id)'],
  ['what an inner helper is given', 'function inner(id) { if (!id) throw new Error(); } function check(id) { inner(id); }', 'check(id)'],
])('a helper that throws for %s can fail', (_, helper, call) => {
  expect(canFail(helper, call)).toBe(true);
});

test.each([
  ['a constant', 'function count(kind) { if (!(kind in kinds)) throw new Error(); }', 'count("a")'],
  ['a constant that it passes on', 'function inner(kind) { if (!kind) throw new Error(); } function log(e) { inner("log"); }', 'log(id)'],
  ['state of its own', 'function log(e) { if (!ready) throw new Error(); }', 'log(id)'],
])('a helper that throws for %s only guards an invariant', (_, helper, call) => {
  expect(canFail(helper, call)).toBe(false);
});
