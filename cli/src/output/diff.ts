import { lineRange, positionAt, textOf, type Range, type Text } from '@poolcheck/parsers/text';
import type { Edit, Fix } from '@poolcheck/rules/finding';
import { groupBy } from '@poolcheck/rules/group';
import { showLines } from './lines.ts';

/** Lines of a file that a fix replaces by others, as they are shown. */
export interface Hunk {
  readonly path: string;
  /** The first line that is replaced. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What a fix changes, line by line; nothing when its edits overlap. */
export function hunksOf({ edits }: Fix): readonly Hunk[] {
  return [...groupBy(edits, ({ text }) => text)].flatMap(([text, mine]) => {
    const after = applyEdits(text, mine);
    return after === undefined ? [] : hunksBetween(text, textOf(text.path, after), mine);
  });
}

/** A file's contents after edits of it; undefined when they overlap. */
export function applyEdits(text: Text, edits: readonly Edit[]): string | undefined {
  let result = '';
  let at = 0;
  for (const { range, insert } of inOrder(edits)) {
    if (range.start < at) return undefined;
    result += text.content.slice(at, range.start) + insert;
    at = range.end;
  }
  return result + text.content.slice(at);
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** Edits of the same or of neighbouring lines make one hunk. */
function hunksBetween(before: Text, after: Text, edits: readonly Edit[]): readonly Hunk[] {
  const hunks: { lines: Range; shift: number; growth: number }[] = [];
  let shift = 0;
  for (const { range, insert } of inOrder(edits)) {
    const lines = { start: positionAt(before, range.start).line, end: positionAt(before, range.end).line };
    const growth = insert.length - (range.end - range.start);
    const last = hunks.at(-1);
    if (last && lines.start <= last.lines.end + 1) {
      last.lines = { start: last.lines.start, end: Math.max(last.lines.end, lines.end) };
      last.growth += growth;
    } else {
      hunks.push({ lines, shift, growth });
    }
    shift += growth;
  }
  return hunks.map(({ lines, shift: moved, growth }) => {
    const start = lineRange(before, lines.start).start;
    const end = lineRange(before, lines.end).end;
    const removed = showLines(before, { start, end });
    const added = showLines(after, { start: start + moved, end: end + moved + growth });
    return trimmed({ path: before.path, line: lines.start, removed, added });
  });
}

/** Without the lines that stay as they are at its ends. */
function trimmed({ path, line, removed, added }: Hunk): Hunk {
  let first = 0;
  while (first < Math.min(removed.length, added.length) && removed[first] === added[first]) first++;
  let last = 0;
  while (last < Math.min(removed.length, added.length) - first && removed.at(-1 - last) === added.at(-1 - last)) last++;
  return { path, line: line + first, removed: removed.slice(first, removed.length - last), added: added.slice(first, added.length - last) };
}
