import { describe, expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

function leaksIn(source: string): readonly (string | undefined)[] {
  const program = programOf(projectOf({ 'src/a.ts': source }));
  return program.modules.flatMap((module) =>
    program.leases.in(module).map((site) => {
      const leak = program.leases.leak(site);
      return leak && 'cause' in leak ? module.text.content.slice(...leak.cause.range) : leak?.kind;
    }),
  );
}

const begin = 'async begin() { this.client = await this.pool.connect(); await this.client.query("BEGIN"); }';
const commit = 'async commit() { await this.client!.query("COMMIT"); this.client!.release(); }';
const rollback = 'async rollback() { await this.client!.query("ROLLBACK"); this.client!.release(); }';
const safeRollback = 'async rollback() { try { await this.client!.query("ROLLBACK"); } finally { this.client!.release(); } }';
const release = 'private release() { this.client?.release(); this.client = undefined; }';

const unit = (...methods: readonly string[]) =>
  `import { Pool, type PoolClient } from 'pg'; export class Unit { private client?: PoolClient; constructor(private readonly pool: Pool) {} ${methods.join(' ')} }`;

describe('a class loses the lease of its field', () => {
  test.each([
    unit(begin, commit, rollback),
    unit(begin, commit, rollback).replaceAll('this.client', 'this.#client').replace('private client', '#client'),
    unit(
      'async begin() { const c = await this.pool.connect(); this.client = c; await c.query("BEGIN"); }',
      'commit = async () => { await this.client!.query("COMMIT"); this.release(); };',
      'async rollback() { if (!this.client) return; await this.client.query("ROLLBACK"); this.release(); }',
      release,
    ),
    unit(
      begin.replace('async', 'private async'),
      'async run(work: () => Promise<void>) { await this.begin(); try { await work(); await this.client!.query("COMMIT"); this.release(); } catch (e) { await this.rollback(); throw e; } }',
      rollback.replace('async', 'private async'),
      release,
    ),
  ])('%s', (source) => expect(leaksIn(source)).toEqual([expect.stringContaining('ROLLBACK')]));

  test('of TypeORM, by its methods', () => {
    const source = `import { DataSource, type QueryRunner } from 'typeorm'; export class Unit { private runner!: QueryRunner; constructor(private readonly source: DataSource) {}
      async begin() { this.runner = this.source.createQueryRunner(); await this.runner.startTransaction(); }
      async commit() { await this.runner.commitTransaction(); await this.runner.release(); }
      async rollback() { await this.runner.rollbackTransaction(); await this.runner.release(); } }`;
    expect(leaksIn(source)).toEqual(['await this.runner.rollbackTransaction()']);
  });
});

describe('a class keeps its lease, or nobody can tell', () => {
  test.each([
    unit(begin, commit, safeRollback),
    unit(begin, commit, 'async rollback() { await this.client!.query("ROLLBACK").catch(() => {}); this.client!.release(); }'),
    unit(begin, commit, rollback, 'close() { this.client?.release(); }'),
    unit(begin, commit, rollback, 'async [Symbol.asyncDispose]() { this.client?.release(); }'),
    unit(begin, commit, rollback, 'get connection() { return this.client; }'),
    unit(begin, commit, rollback, 'async save() { await save(this.client); }'),
    unit(begin, commit, rollback).replace('private client', 'client'),
    unit(begin, 'async query(text: string) { return this.client!.query(text); }'),
    unit(
      'async start() { this.client = await this.pool.connect(); this.client.on("notification", () => {}); await this.client.query("LISTEN jobs"); }',
      'async stop() { await this.client!.query("UNLISTEN jobs"); this.client!.release(); }',
    ),
    unit(
      begin.replace('async', 'private async'),
      'async run(work: () => Promise<void>) { try { await this.begin(); await work(); await this.client!.query("COMMIT"); } catch (e) { await this.client?.query("ROLLBACK"); throw e; } finally { this.release(); } }',
      release,
    ),
  ])('%s', (source) => expect(leaksIn(source)).toEqual([undefined]));
});
