import { describe, expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

function sitesIn(body: string) {
  const source = `import { Readable, Writable, Duplex } from 'node:stream'; import { createServer } from 'node:http'; import { Pool } from 'pg';
    import type { Response } from 'express'; const pool = new Pool();
    export async function run(from: Readable, to: Writable, both: Duplex, res: Response, other, ok: boolean) { const c = await pool.connect(); ${body} }`;
  const program = programOf(projectOf({ 'src/a.ts': source }));
  return program.modules.flatMap((module) => program.leases.in(module).map((site) => ({ site, leases: program.leases })));
}

const eventsIn = (body: string) =>
  sitesIn(body).flatMap(({ site, leases }) => leases.releasedAgain(site).map(({ events }) => `${events.first} → ${events.again}`));

describe('one event after the other gives it back again', () => {
  test.each([
    ["'end' of from → 'close' of from", "from.on('end', () => c.release()).on('close', () => c.release());"],
    ["'finish' of res → 'close' of res", "const done = () => c.release(); res.once('finish', done); res.once('close', done);"],
    ["'error' of both → 'close' of both", "both.on('error', (e) => c.release(e)); both.on('close', () => c.release());"],
    ["'error' of from → 'error' of to", "from.on('error', (e) => { to.destroy(e); c.release(e); }); to.on('error', (e) => c.release(e));"],
    ["'error' of from → 'close' of to", "from.on('error', (e) => { c.release(e); to.destroy(); }); to.on('close', () => c.release());"],
  ])('%s', (events, body) => expect(eventsIn(body)).toEqual([events]));

  test.each([
    "from.on('end', () => c.release()).on('error', (e) => c.release(e));",
    "to.on('finish', () => c.release()); from.on('close', () => c.release());",
    "both.on('end', () => c.release()); both.on('close', () => c.release());",
    "from.on('error', (e) => { c.release(e); to.destroy(); }); to.on('error', (e) => c.release(e));",
    "from.on('error', (e) => { if (ok) to.destroy(e); c.release(e); }); to.on('error', (e) => c.release(e));",
    "from.on('end', () => { if (ok) c.release(); }); from.on('close', () => c.release());",
    "let out = true; const done = () => { if (out) { out = false; c.release(); } }; res.on('finish', done).on('close', done);",
    "if (ok) { res.on('finish', () => c.release()); } else { res.on('close', () => c.release()); }",
    "function done() { res.removeListener('close', done); c.release(); } res.on('finish', done).on('close', done);",
    "other.on('finish', () => c.release()); other.on('close', () => c.release());",
  ])('not %s', (body) => expect(eventsIn(body)).toEqual([]));
});

describe('given back only when a response is finished', () => {
  const leakIn = (body: string) => sitesIn(body).map(({ site, leases }) => leases.leak(site)?.kind);

  test.each([
    "res.on('finish', () => c.release());",
    "res.locals.c = c; res.once('finish', () => { c.release(); });",
    "const done = () => c.release(); res.on('finish', done);",
    "createServer(async (q, r) => { const d = await pool.connect(); r.on('finish', () => d.release()); }); c.release();",
  ])('%s', (body) => expect(leakIn(body)).toContain('unfinished'));

  test.each([
    "res.on('close', () => c.release());",
    "res.on('finish', () => c.release()); res.on('close', () => { if (ok) c.release(); });",
    "to.on('finish', () => c.release());",
    "other.on('finish', () => c.release());",
    "res.on('finish', () => c.release()); hand(c);",
    "res.on('finish', () => c.release()); return c;",
    "res.on('finish', () => console.log('finished')); c.release();",
  ])('not %s', (body) => expect(leakIn(body)).toEqual([undefined]));
});

test('a connection kept in the request is found there', () => {
  const source = `import { Pool } from 'pg'; import type { Request, Response } from 'express'; const pool = new Pool();
    export async function run(req: Request, res: Response) { req.db = await pool.connect(); res.on('finish', () => req.db.release()); }`;
  const program = programOf(projectOf({ 'src/a.ts': source }));
  expect(program.modules.flatMap((module) => program.leases.in(module).map((site) => program.leases.leak(site)?.kind))).toEqual([
    'unfinished',
  ]);
});
