import { expect, test } from 'vitest';
import { fatesIn } from '../../testing/fates.ts';

const session = (body: string) => `import { Pool, type PoolClient } from 'pg';
  class Session { client: Pool | PoolClient; constructor(client: Pool | PoolClient, log?: Console) { this.client = client; }
    async transaction(work: (session: Session) => Promise<void>) { const isPool = this.client instanceof Pool; ${body} } }`;

const give = 'if (isPool) (session.client as PoolClient).release();';

test.each([
  [
    'raises',
    `const session = isPool ? new Session(await this.client.connect()) : this; await work(session); try { await work(session); } finally { ${give} }`,
  ],
  ['ok', `const session = isPool ? new Session(await this.client.connect()) : this; try { await work(session); } finally { ${give} }`],
  ['raises', `const session = isPool ? new Session(await this.client.connect()) : this; await work(session); ${give}`],
  ['ok', 'const session = isPool ? new Session(await this.client.connect()) : this; return session;'],
  [
    'raises',
    'const held = { client: await (this.client as Pool).connect(), at: Date.now() }; await held.client.query("x"); held.client.release();',
  ],
  [
    'ok',
    'const held = { client: await (this.client as Pool).connect() }; try { await held.client.query("x"); } finally { held.client.release(); }',
  ],
  ['ok', 'const held = { client: await (this.client as Pool).connect() }; await work(this); return () => held.client.release();'],
])('a lease that a local object keeps: %s', (fate, body) => {
  expect(fatesIn(session(body))).toEqual([fate]);
});

const builder = (body: string, others = '') => `import type { DataSource, QueryRunner } from 'typeorm';
  class Builder { protected runner!: QueryRunner; constructor(private source: DataSource) {}
    async build() { ${body} } ${others} }`;

test.each([
  [
    'raises',
    builder(
      'this.runner = this.source.createQueryRunner(); await this.prepare(); try { await this.prepare(); } finally { await this.runner.release(); }',
    ),
  ],
  ['ok', builder('this.runner = this.source.createQueryRunner(); try { await this.prepare(); } finally { await this.runner.release(); }')],
  ['ok', builder('this.runner = this.source.createQueryRunner(); await this.prepare();', 'async close() { await this.runner.release(); }')],
  [
    'ok',
    builder(
      'this.runner = this.source.createQueryRunner(); await this.prepare(); await this.runner.release();',
      'async close() { await this.runner.release(); }',
    ),
  ],
])('a lease that a field keeps while one method runs: %s', (fate, source) => {
  expect(fatesIn(source)).toEqual([fate]);
});
