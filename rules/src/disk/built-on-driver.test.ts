import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { builtOnDriverIn } from './built-on-driver.ts';

function manifest(dependencies: object): string {
  return JSON.stringify({ name: 'a', ...dependencies });
}

describe('a package is built on a driver', () => {
  const root = () =>
    temporaryFolder({
      'node_modules/@acme/db/package.json': manifest({ dependencies: { pg: '^8.0.0' } }),
      'node_modules/orm/package.json': manifest({ peerDependencies: { mysql2: '*' } }),
      'node_modules/maybe/package.json': manifest({ optionalDependencies: { '@types/node': '*', ioredis: '*' } }),
      'node_modules/lodash/package.json': manifest({}),
      'node_modules/broken/package.json': '{ "dependencies": [',
      'node_modules/tested/package.json': manifest({ devDependencies: { pg: '*' } }),
      'packages/a/node_modules/lodash/package.json': manifest({ dependencies: { pg: '*' } }),
    });

  test.each([
    ['src/a.ts', '@acme/db', true],
    ['src/a.ts', '@acme/db/pools.js', true],
    ['packages/a/src/deep/a.ts', '@acme/db', true],
    ['a.ts', 'orm', true],
    ['a.ts', 'maybe', true],
    ['a.ts', 'lodash', false],
    ['packages/a/a.ts', 'lodash/fp', true],
    ['a.ts', 'tested', false],
    ['a.ts', 'broken', false],
    ['a.ts', 'missing', false],
    ['a.ts', './orm', false],
    ['a.ts', '../node_modules/orm', false],
    ['a.ts', 'node:fs', false],
    ['a.ts', '@acme', false],
  ])('for %s, %s: %s', (from, specifier, expected) => {
    expect(builtOnDriverIn(root())(from, specifier)).toBe(expected);
  });

  test('but not one that lies outside the root', () => {
    const outside = temporaryFolder({ 'db/package.json': manifest({ dependencies: { pg: '*' } }) });
    const inside = temporaryFolder({});
    mkdirSync(join(inside, 'node_modules'));
    symlinkSync(join(outside, 'db'), join(inside, 'node_modules/db'));
    expect(builtOnDriverIn(inside)('a.ts', 'db')).toBe(false);
  });
});
