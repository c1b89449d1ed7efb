import { randomUUID } from 'node:crypto';
import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside, reasonOf } from '@poolcheck/rules/disk/read';
import { UserError } from './exit.ts';

/**
 * Writes a file that the user names. What stands below the working directory may be the checked tree's doing: there a file is replaced
 * as a whole, so that a link in its place is not followed, and no folder may be a link out of it. Throws a UserError when it cannot be written.
 */
export function writeFile(path: string, content: string, cwd: string): void {
  const here = realpathSync.native(cwd);
  const file = resolve(here, path);
  try {
    if (!isInside(here, file)) {
      writeFileSync(file, content);
      return;
    }
    const folder = realpathSync.native(dirname(file));
    if (!isInside(here, folder)) throw new UserError(`${path}: link out of what is checked, which is not followed`);
    replaceFile(join(folder, basename(file)), content);
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`${path}: cannot be written: ${reasonOf(error)}`);
  }
}

/** Whole or not at all, with the permissions of the file that it replaces. */
function replaceFile(file: string, content: string): void {
  const before = lstatSync(file, { throwIfNoEntry: false });
  if (before && !before.isFile() && !before.isSymbolicLink()) throw new UserError(`${file}: cannot be written: not a regular file`);
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    writeFileSync(temporary, content, { flag: 'wx', ...(before?.isFile() && { mode: before.mode }) });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
