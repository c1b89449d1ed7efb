import { expect, test } from 'vitest';
import { roleOf } from './role.ts';

test.each([
  ['src/db.ts', 'production'],
  ['services/orders/src/latest/contest.ts', 'production'],
  ['src/attestation/pool.ts', 'production'],
  ['src/inspect/index.ts', 'production'],
  ['src/db.test.ts', 'test'],
  ['src/__tests__/db.ts', 'test'],
  ['test/helpers/db.ts', 'test'],
  ['integration-tests/pg.ts', 'test'],
  ['type-tests/pg/index.ts', 'test'],
  ['packages/api/test-utils/pool.ts', 'test'],
  ['perfTest/init.js', 'test'],
  ['vitest.config.ts', 'test'],
  ['src/migrations/001.ts', 'migration'],
  ['scripts/backfill.ts', 'script'],
  ['knexfile.js', 'script'],
  ['examples/basic/index.ts', 'example'],
  ['bench/run.js', 'example'],
  ['src/generated/client.ts', 'generated'],
  ['types/pg.d.ts', 'generated'],
] as const)('%s is %s', (path, role) => expect(roleOf(path)).toBe(role));
