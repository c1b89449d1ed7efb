import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@poolcheck/parsers/text';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { expect, test } from 'vitest';
import { parseConfiguration } from '../configuration.ts';
import { ruleIds } from '../rule-ids.ts';
import { run } from '../testing/run.ts';

const compose = `services:
  orders:
    build: .
    environment:
      DATABASE_URL: postgres://orders:hush@orders.c1a2b3.eu-west-1.rds.amazonaws.com/orders
      QUEUE_URL: postgres://queue@db/queue
    deploy: { replicas: 12 }
  db:
    image: postgres
`;
const source = `import { Pool } from 'pg';
export const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
export const queue = new Pool({ connectionString: process.env.QUEUE_URL, max: 2 });
`;

const written = (folder: string) => readFileSync(join(folder, 'poolcheck.yaml'), 'utf8');

test('what was found is written down, and what nobody can tell is asked for', async () => {
  const folder = temporaryFolder({ 'compose.yaml': compose, 'src/db.ts': source });
  expect(await run(folder, ['init'])).toMatchObject({ status: 0, out: 'poolcheck.yaml is written. Fill in what has a "?": 2.\n' });
  expect(written(folder)).toMatchInlineSnapshot(`
    "# poolcheck reads the root of this repository, and what is said here. Every key is optional:
    # docs/configuration.md of poolcheck tells them all. Lines with a "?" are what its files do not tell.

    # What was found:
    #   compose.yaml: postgresql db (compose.yaml:9) accepts 100
    #   compose.yaml: orders (compose.yaml:2) → orders.c1a2b3.eu-west-1.rds.amazonaws.com: 12 × 10 connections
    #   compose.yaml: orders (compose.yaml:2) → db: 12 × 2 connections

    # databases:
    #   orders: # orders
    #     host: orders.c1a2b3.eu-west-1.rds.amazonaws.com
    #     max_connections: ? # what SHOW max_connections says there

    # versions:
    #   postgresql: ? # compose.yaml:9 does not tell
    "
  `);
  expect(written(folder)).not.toContain('hush');
});

test('it is valid as it is, and counts once it is filled in', async () => {
  const folder = temporaryFolder({ 'compose.yaml': compose, 'src/db.ts': source });
  await run(folder, ['init']);
  parseConfiguration(textOf('poolcheck.yaml', written(folder)), 'poolcheck.yaml', ruleIds);
  expect((await run(folder, ['budget'])).status).toBe(0);
  const filled = written(folder)
    .replace('max_connections: ?', 'max_connections: 100')
    .replace('postgresql: ?', 'postgresql: 17')
    .replace(/^# (databases:|versions:| {2})/gm, '$1')
    .replace(/^ {2}compose\.yaml: .*\n/gm, '');
  writeFileSync(join(folder, 'poolcheck.yaml'), filled);
  parseConfiguration(textOf('poolcheck.yaml', filled), 'poolcheck.yaml', ruleIds);
  const { status, out } = await run(folder, ['budget']);
  expect([status, out]).toEqual([1, expect.stringContaining('orders refuses connections')]);
});

test('what is there is never written over, whatever it is', async () => {
  const folder = temporaryFolder({ 'poolcheck.yaml': 'rules: {}\n', 'inner/compose.yaml': compose });
  expect(await run(folder, ['init'])).toMatchObject({ status: 2, err: 'poolcheck: poolcheck.yaml is there already\n' });
  expect(await run(folder, ['init', 'inner'])).toMatchObject({ status: 2, err: 'poolcheck: poolcheck.yaml is there already\n' });
  expect(written(folder)).toBe('rules: {}\n');
  const linked = temporaryFolder({ 'compose.yaml': compose });
  symlinkSync(join(folder, 'elsewhere.yaml'), join(linked, 'poolcheck.yaml'));
  expect((await run(linked, ['init'])).status).toBe(2);
  expect(existsSync(join(folder, 'elsewhere.yaml'))).toBe(false);
});

test('in an empty folder there is only how to go on', async () => {
  const folder = temporaryFolder({});
  expect(await run(folder, ['init'])).toMatchObject({ status: 0, out: 'poolcheck.yaml is written.\n' });
  parseConfiguration(textOf('poolcheck.yaml', written(folder)), 'poolcheck.yaml', ruleIds);
});
