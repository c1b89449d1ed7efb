import { textOf } from '@poolcheck/parsers/text';
import { structuredPatch } from 'diff';
import { prose, visible } from './neutral.ts';
import { secretsIn, withoutRanges } from './redact.ts';

/** A unified diff of one file, as git prints it. Secrets are taken out of it, so that a patch with one in its context does not apply. */
export function patchOf(path: string, before: string, after: string): string {
  const { hunks } = structuredPatch('', '', harmless(path, before), harmless(path, after), undefined, undefined, { context: 3 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return [`--- a/${prose(path)}`, `+++ b/${prose(path)}`, ...lines].map((line) => `${visible(line)}\n`).join('');
}

function harmless(path: string, content: string): string {
  return withoutRanges(content, secretsIn(textOf(path, content)));
}
