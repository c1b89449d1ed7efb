import { readFileSync, realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Fixed } from './fix.ts';
import { prose } from './output/neutral.ts';
import { patchOf } from './output/patch.ts';
import { plural } from './output/words.ts';
import { writeFile } from './write-file.ts';

/** What fixes would change, as one patch for `git apply` in the working directory. */
export function patchesOf({ contents, before }: Fixed, cwd: string): string {
  return [...contents].map(([path, after]) => patchOf(shownFrom(cwd, path), before.get(path) ?? '', after)).join('');
}

/** Writes what fixes have changed, and says what was done. A file that is another one by now, or is not UTF-8, is left alone. */
export function writeFixed({ contents, before, made }: Fixed, cwd: string): string {
  const lines: string[] = [];
  let written = 0;
  for (const [path, after] of contents) {
    const mark = markOf(path, before.get(path) ?? '');
    if (mark === undefined) lines.push(`${prose(shownFrom(cwd, path))} was left alone: it has changed, or is not UTF-8`);
    else {
      writeFile(realpathSync.native(path), mark + after, cwd);
      written++;
    }
  }
  lines.push(made === 0 ? 'there is nothing to mend by itself' : `${plural(made, 'fix', 'fixes')} made in ${plural(written, 'file')}`);
  return lines.map((line) => `poolcheck: ${line}\n`).join('');
}

/** The byte-order mark of a file, or "", when it still holds what was checked. */
function markOf(path: string, checked: string): string | undefined {
  const bytes = readFileSync(path);
  return ['', '\uFEFF'].find((mark) => Buffer.from(mark + checked).equals(bytes));
}

function shownFrom(cwd: string, path: string): string {
  return relative(realpathSync.native(cwd), path).replaceAll(sep, '/');
}
