import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isInside } from '@poolcheck/rules/disk/read';

/** What the shown paths are relative to: where the user stands, or the repository that a service shows. */
export type PathsFrom = 'cwd' | 'repository';

/** How the files of `root` are called from the folder `base`: relative, `/`-separated. */
export function pathsFrom(base: string, root: string): (path: string) => string {
  return (path) => relative(base, join(root, path)).replaceAll(sep, '/') || '.';
}

/** The repository that a root lies in, as CI says or as its .git shows; else the root itself. */
export function repositoryOf(root: string, env: Readonly<Record<string, string | undefined>>): string {
  const workspace = env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'];
  if (workspace && isInside(workspace, root)) return workspace;
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return root;
  }
}
