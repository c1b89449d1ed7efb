import { describe, expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { excerpt } from '../describe.ts';
import { programOf } from '../program.ts';

/** What is waited for while a connection is held, but for what is sent on it. */
function waitsIn(source: string): readonly string[] {
  const program = programOf(projectOf({ 'src/a.ts': source }));
  return program.modules.flatMap((module) =>
    program.held
      .in(module)
      .flatMap(({ waits }) => waits.map((node) => excerpt(module, node)).filter((text) => !/^(c|tx|work)\b/.test(text))),
  );
}

const head = `import { Pool } from 'pg'; import { PrismaClient } from '@prisma/client'; const pool = new Pool(); const prisma = new PrismaClient();`;
const lease = (body: string) => `${head} export async function run() { const c = await pool.connect(); ${body} }`;
const scoped = (body: string) => `${head} export const run = () => prisma.$transaction(async (tx) => { ${body} });`;

describe('waited for while it is held', () => {
  test.each([
    lease('await f(); c.release();'),
    lease('try { return await f(); } finally { c.release(); }'),
    lease('await Promise.all([f(), c.query("x")]); c.release();'),
    lease('await Promise.all([1].map(async () => { await f(); })); c.release();'),
    lease('const p = f(); await c.query("x"); await p; c.release();'),
    lease('await (async () => { await f(); })(); c.release();'),
    lease('await c.query("x").then(() => f()); c.release();'),
    scoped('await f();'),
    scoped('return f();'),
    scoped('await (ok ? f() : tx.a.count());'),
    scoped('for await (const x of f()) x;'),
    `${head} const borrow = async (work) => { const c = await pool.connect(); try { return await work(c); } finally { c.release(); } };
     export const run = () => borrow(async (c) => { await f(); });`,
  ])('%s', (source) => expect(waitsIn(source)).toContain('f()'));

  test.each([
    lease('c.release(); await f();'),
    lease('void f(); c.release();'),
    lease('f().catch(() => 0); c.release();'),
    lease('try { return f(); } finally { c.release(); }'),
    lease('[1].forEach(async () => { await f(); }); c.release();'),
    lease('setTimeout(async () => { await f(); }); c.release();'),
    scoped('void f();'),
    scoped('const later = async () => { await f(); }; return later;'),
    `${head} const now = async (work) => work(); export const run = () => now(async () => { await f(); });`,
  ])('not %s', (source) => expect(waitsIn(source)).not.toContain('f()'));
});
