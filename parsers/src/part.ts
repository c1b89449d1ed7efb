import type { Range, Text } from './text.ts';

/** A stretch of a text as a text of its own, whose ranges map back. */
export function partOf(text: Text, { start, end }: Range): Text {
  const content = text.content.slice(start, end);
  return { path: text.path, content, within: { outer: text, pieces: [{ inner: 0, outer: start, length: content.length }] } };
}
