import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { targetsOf } from './targets.ts';

test('a folder is its own root, unless it or one above has a poolcheck.yaml', () => {
  const cwd = temporaryFolder({ 'plain/a.ts': '', 'shop/poolcheck.yaml': '', 'shop/src/deep/a.ts': '' });
  expect(targetsOf(['plain', 'shop/src/deep'], cwd)).toEqual([
    { root: join(cwd, 'plain'), named: [{ path: '', isFolder: true }] },
    { root: join(cwd, 'shop'), named: [{ path: 'src/deep', isFolder: true }] },
  ]);
});

test('a file belongs to the working directory', () => {
  const cwd = temporaryFolder({ 'src/a.ts': '', 'src/b.ts': '' });
  expect(targetsOf(['src/a.ts', 'src/b.ts'], cwd)).toEqual([
    {
      root: cwd,
      named: [
        { path: 'src/a.ts', isFolder: false },
        { path: 'src/b.ts', isFolder: false },
      ],
    },
  ]);
});

test('a file elsewhere belongs to its folder', () => {
  const cwd = temporaryFolder({});
  const elsewhere = temporaryFolder({ 'a.ts': '' });
  expect(targetsOf([join(elsewhere, 'a.ts')], cwd)).toEqual([{ root: elsewhere, named: [{ path: 'a.ts', isFolder: false }] }]);
});

test.each(['missing', 'x'.repeat(5000), 'file.ts/below', ''.padEnd(3, '\0')])('%j cannot be read', (path) => {
  const cwd = temporaryFolder({ 'file.ts': '' });
  expect(() => targetsOf([path], cwd)).toThrow(/cannot be read/);
});

test('a link out of the working directory is not followed, though it is named', () => {
  const cwd = temporaryFolder({ 'inside/a.ts': '' });
  const outside = temporaryFolder({ 'pgbouncer.ini': '' });
  symlinkSync(outside, join(cwd, 'config'));
  symlinkSync(join(outside, 'pgbouncer.ini'), join(cwd, 'pgbouncer.ini'));
  symlinkSync('inside', join(cwd, 'alias'));
  for (const path of ['config', 'config/pgbouncer.ini', 'pgbouncer.ini', join(cwd, 'pgbouncer.ini')]) {
    expect(() => targetsOf([path], cwd)).toThrow(/link out of what is checked/);
  }
  expect(targetsOf(['alias'], cwd)[0]?.root).toBe(join(cwd, 'inside'));
});

test('a device is neither a file nor a folder', () => {
  expect(() => targetsOf(['/dev/null'], '/')).toThrow('/dev/null: neither a file nor a folder');
});
