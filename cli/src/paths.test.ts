import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsFrom, repositoryOf } from './paths.ts';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';

test.each([
  ['/repo', '/repo', 'src/a.ts', 'src/a.ts'],
  ['/repo', '/repo/shop', 'src/a.ts', 'shop/src/a.ts'],
  ['/repo/shop/src', '/repo/shop', 'k8s/a.yaml', '../k8s/a.yaml'],
  ['/repo/a', '/repo', 'a/b.ts', 'b.ts'],
  ['/repo', '/repo', '', '.'],
  ['/repo', '/repo/shop', '', 'shop'],
])('from %s, in %s, %j is %s', (base, root, path, shown) => expect(pathsFrom(base, root)(path)).toBe(shown));

test('the repository is what CI says, else the folder with .git, else the root', () => {
  const top = temporaryFolder({ 'shop/src/a.ts': '' });
  const root = join(top, 'shop');
  expect(repositoryOf(root, {})).toBe(root);
  mkdirSync(join(top, '.git'));
  expect(repositoryOf(root, {})).toBe(top);
  expect(repositoryOf(root, { GITHUB_WORKSPACE: root })).toBe(root);
  expect(repositoryOf(root, { CI_PROJECT_DIR: '/elsewhere' })).toBe(top);
});
