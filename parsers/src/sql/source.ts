import type { Range, Text } from '../text.ts';

/** SQL as a text puts it together, in order: one string, a template with expressions in it, a concatenation. */
export interface SqlSource {
  readonly text: Text;
  readonly pieces: readonly SqlPiece[];
}

export type SqlPiece =
  /** What stands at the range between the quotes, and what it means once JavaScript's escapes are undone. */
  | { readonly kind: 'sql'; readonly value: string; readonly range: Range }
  /** An expression: any SQL, or none. */
  | { readonly kind: 'hole'; readonly range: Range };

/** A hole in the joined SQL, where a NUL cannot stand by itself. */
export const hole = '\0';

/** The pieces as one string, and the way back to the text. */
export interface JoinedSql {
  readonly text: Text;
  readonly sql: string;
  /** Where the characters from `start` up to `end` (at least one) are written. */
  readonly rangeOf: (start: number, end: number) => Range;
}

export function joinSql({ text, pieces }: SqlSource): JoinedSql {
  const placed: PlacedPiece[] = [];
  let sql = '';
  for (const piece of pieces) {
    const value = piece.kind === 'hole' ? hole : piece.value;
    if (value === '') continue;
    placed.push({ at: sql.length, range: piece.range, offsets: piece.kind === 'hole' ? undefined : offsetsOf(value, text, piece.range) });
    sql += value;
  }
  return { text, sql, rangeOf: (start, end) => rangeIn(placed, start, end) };
}

interface PlacedPiece {
  /** Where it begins in the joined SQL. */
  readonly at: number;
  readonly range: Range;
  /** The offset in its range of each character and of its end; `same` when the characters stand as they are; undefined: anywhere. */
  readonly offsets: 'same' | readonly number[] | undefined;
}

function rangeIn(pieces: readonly PlacedPiece[], start: number, end: number): Range {
  const first = pieceAt(pieces, start);
  const last = pieceAt(pieces, end - 1);
  if (!first || !last) return { start: 0, end: 0 };
  const from = first.range.start + offsetIn(first, start - first.at, 0);
  const to = last.range.start + offsetIn(last, end - last.at, last.range.end - last.range.start);
  return { start: from, end: Math.max(from, to) };
}

function offsetIn({ offsets }: PlacedPiece, index: number, otherwise: number): number {
  if (offsets === 'same') return index;
  return offsets?.[index] ?? otherwise;
}

function pieceAt(pieces: readonly PlacedPiece[], at: number): PlacedPiece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

// One character of a JavaScript string or template as it is written.
const writtenCharacter = /\\(?:u\{([0-9a-fA-F]+)\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-3]?[0-7]{1,2}|\r\n|[^])|\r\n|[^]/g;
const lineContinuation = /^\\[\r\n\u2028\u2029]/;

/** Escapes make the written text longer than its value, never shorter: equal lengths mean that there are none. */
function offsetsOf(value: string, text: Text, { start, end }: Range): PlacedPiece['offsets'] {
  if (end - start === value.length) return 'same';
  const offsets: number[] = [];
  for (const match of text.content.slice(start, end).matchAll(writtenCharacter)) {
    for (let unit = 0; unit < unitsOf(match); unit++) offsets.push(match.index);
  }
  offsets.push(end - start);
  return offsets.length === value.length + 1 ? offsets : undefined;
}

/** How many UTF-16 units of the value a written character makes. */
function unitsOf([written, codePoint]: RegExpMatchArray): number {
  if (written && lineContinuation.test(written)) return 0;
  return codePoint && Number.parseInt(codePoint, 16) > 0xffff ? 2 : 1;
}
