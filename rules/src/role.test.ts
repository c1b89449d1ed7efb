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
  ['src/helpers.test/pool.ts', 'test'],
  ['vitest.config.ts', 'test'],
  ['src/migrations/001.ts', 'migration'],
  ['scripts/backfill.ts', 'script'],
  ['knexfile.js', 'script'],
  ['examples/basic/index.ts', 'example'],
  ['bench/run.js', 'example'],
  ['src/generated/client.ts', 'generated'],
  ['types/pg.d.ts', 'generated'],
  ['.github/wait-for-postgres.js', 'script'],
] as const)('%s is %s', (path, role) => expect(roleOf(path)).toBe(role));

const pool = "const { Pool } = require('pg'); const pool = new Pool();";

test.each([
  ['script', `${pool} async function main() { await pool.query('x'); await pool.end(); } main();`],
  ['script', `${pool} pool.query('x').then(() => process.exit(0));`],
  ['production', `${pool} async function main() { await pool.query('x'); } main();`],
  ['production', `${pool} app.listen(3000); process.on('SIGTERM', () => pool.end());`],
  ['production', `${pool} setInterval(() => pool.query('x'), 1000); process.on('exit', () => pool.end());`],
  ['production', `${pool} module.exports = { close: () => pool.end() };`],
  ['production', `import { Pool } from 'pg';\nexport const pool = new Pool();\nexport const close = () => pool.end();`],
  ['generated', `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n${pool}`],
  ['generated', `"use strict";\nvar __importDefault = (this && this.__importDefault) || function () {};\n${pool}`],
] as const)('by its content: %s', (role, content) => expect(roleOf('backend/run.js', content)).toBe(role));
