import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { lockfileNames } from '@poolcheck/parsers/lockfile/parse';
import { decode, type Decoded } from './decode.ts';

/** A file that a person wrote is smaller. */
const sizeLimit = 2 * 1024 * 1024;

/** A lockfile grows with what is installed. */
const lockfileLimit = 16 * 1024 * 1024;

/**
 * Reads a root-relative path. Only a regular file whose real path is inside the root is ever opened: a tree that is checked may hold a
 * pgbouncer.ini that links to /proc/self/environ, or a FIFO. `root` is a real path itself.
 */
export function readInside(root: string, path: string): Decoded {
  return readWhere(join(root, path), (real) => isInside(root, real));
}

/** Reads a file wherever its links lead: for what the user, not the checked tree, names. */
export function readFile(path: string): Decoded {
  return readWhere(path, () => true);
}

function readWhere(path: string, allowed: (real: string) => boolean): Decoded {
  try {
    const real = realpathSync.native(path);
    if (!allowed(real)) return { problem: 'link out of the root, which is not followed' };
    if (!lstatSync(real).isFile()) return { problem: 'not a regular file' };
    return readRegularFile(real);
  } catch (error) {
    return { problem: `cannot be read: ${reasonOf(error)}` };
  }
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The file may be another one by now: what counts is what was opened. */
function readRegularFile(path: string): Decoded {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { problem: 'not a regular file' };
    const limit = lockfileNames.includes(basename(path)) ? lockfileLimit : sizeLimit;
    if (stats.size > limit)
      return { problem: `too large to be checked (${mebibytes(stats.size)} MiB; the limit is ${mebibytes(limit)} MiB)` };
    const bytes = Buffer.allocUnsafe(stats.size);
    return decode(bytes.subarray(0, readSync(file, bytes, 0, stats.size, 0)));
  } finally {
    closeSync(file);
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  ELOOP: 'its links lead nowhere',
  ENAMETOOLONG: 'its name is too long',
};

/** What went wrong with a file, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? (code || error.message);
}
