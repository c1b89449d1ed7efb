import type { Lines } from './change.ts';

const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The lines that the patch of one file adds or alters, as runs in its new version. */
export function changedLines(patch: string): readonly Lines[] {
  const runs: Lines[] = [];
  let line = 0;
  for (const text of patch.split('\n')) {
    const start = hunk.exec(text)?.[1];
    if (start !== undefined) line = Number(start);
    else if (text.startsWith('+')) {
      const last = runs.at(-1);
      if (last?.last === line - 1) runs.splice(-1, 1, { first: last.first, last: line });
      else runs.push({ first: line, last: line });
      line++;
    } else if (text.startsWith(' ')) line++;
  }
  return runs;
}
