import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Named } from '@poolcheck/rules/disk/disk-project';
import { isInside, reasonOf } from '@poolcheck/rules/disk/read';
import { rootOf } from '@poolcheck/rules/disk/root';
import { UserError } from './exit.ts';

/** One root, and what the user named in it. */
export interface Target {
  /** A real, absolute path. */
  readonly root: string;
  readonly named: readonly Named[];
}

/** The roots that the arguments belong to, in their order. Throws a UserError for a path that cannot be read. */
export function targetsOf(paths: readonly string[], cwd: string): readonly Target[] {
  const here = realpathSync.native(cwd);
  const byRoot = new Map<string, Named[]>();
  for (const path of paths) {
    const { place, real, isFolder } = look(path, here);
    const root = rootOf(place, isFolder, here);
    // A tree that is checked may have put a link where the command line expects a file or a folder of its own.
    const bounds = isInside(here, resolve(here, path)) ? rootOf(here, true, here) : root;
    if (!isInside(bounds, real)) throw new UserError(`${path}: link out of what is checked, which is not followed`);
    const named = { path: relative(root, place).replaceAll(sep, '/'), isFolder };
    byRoot.set(root, [...(byRoot.get(root) ?? []), named]);
  }
  return [...byRoot].map(([root, named]) => ({ root, named }));
}

interface Found {
  /** Absolute; real but for the last name of a file. */
  readonly place: string;
  readonly real: string;
  readonly isFolder: boolean;
}

function look(path: string, here: string): Found {
  const absolute = resolve(here, path);
  try {
    const real = realpathSync.native(absolute);
    accessSync(real, constants.R_OK);
    const stats = statSync(real);
    if (stats.isDirectory()) return { place: real, real, isFolder: true };
    if (stats.isFile()) return { place: resolve(realpathSync.native(dirname(absolute)), basename(absolute)), real, isFolder: false };
  } catch (error) {
    throw new UserError(`${path}: cannot be read: ${reasonOf(error)}`);
  }
  throw new UserError(`${path}: neither a file nor a folder`);
}
