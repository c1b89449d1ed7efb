import { expect, test } from 'vitest';
import { declaredIn } from './declared-type.ts';

test.each([
  ['/app/node_modules/@types/pg/index.d.ts', 'pg', 'index'],
  ['/app/node_modules/@types/acme__db/lib/pool.d.ts', '@acme/db', 'lib/pool'],
  ['/app/node_modules/mysql2/promise.d.ts', 'mysql2', 'promise'],
  ['/app/node_modules/@neondatabase/serverless/index.d.mts', '@neondatabase/serverless', 'index'],
  ['/app/node_modules/.pnpm/pg@8.0.0/node_modules/pg/lib/a.d.cts', 'pg', 'lib/a'],
  ['/app/node_modules/acme/src/db.ts', 'acme', 'src/db'],
])('%s belongs to %s', (path, name, file) => {
  expect(declaredIn(path)).toEqual({ package: name, file });
});

test.each(['/app/src/db.ts', '/app/types/pg.d.ts', '/app/node_modules/pg/index.js'])('%s declares nothing of a package', (path) => {
  expect(declaredIn(path)).toBeUndefined();
});
