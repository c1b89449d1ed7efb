import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isInside } from './read.ts';

export const configName = 'poolcheck.yaml';

/** The nearest folder at or above with a poolcheck.yaml, else the folder itself, or for a file the working directory. */
export function rootOf(place: string, isFolder: boolean, here: string): string {
  const start = isFolder ? place : dirname(place);
  for (let folder = start; ; folder = dirname(folder)) {
    if (isFile(resolve(folder, configName))) return folder;
    if (folder === dirname(folder)) break;
  }
  return isFolder || !isInside(here, place) ? start : here;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
