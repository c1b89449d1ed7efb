/** A half-open span of UTF-16 offsets. Line and column are worked out at the edge, by {@link positionAt}. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A file, or a value inside one that is a document of its own (a pgbouncer.ini in a ConfigMap). */
export interface Text {
  /** Root-relative, `/`-separated. An embedded text has the path of the file it stands in. */
  readonly path: string;
  readonly content: string;
  readonly within?: Embedding;
}

/** Where an embedded text stands: `pieces` cover its content in ascending order, without gaps. */
export interface Embedding {
  readonly outer: Text;
  readonly pieces: readonly EmbeddedPiece[];
}

/** `length` characters from `inner` stand literally from `outer` on; length 0 means "made of the characters at `outer`". */
export interface EmbeddedPiece {
  readonly inner: number;
  readonly outer: number;
  readonly length: number;
}

/** A range of a text: what findings, evidence and edits point at. */
export interface Place {
  readonly text: Text;
  readonly range: Range;
}

/** A value with the range it was written at. */
export interface Written<T> {
  readonly value: T;
  readonly range: Range;
}

/** Something a parser could not read. Parsers collect these and go on. */
export interface Problem {
  readonly range: Range;
  /** The included file it is in, when it is not in the text that was parsed. */
  readonly text?: Text;
  readonly message: string;
  /** The program that owns this file refuses to start because of it. */
  readonly fatal?: boolean;
}

/** What every parser returns: always a document, possibly empty, and what was wrong with the text. */
export interface Parsed<Document> {
  readonly document: Document;
  readonly problems: readonly Problem[];
}

/** Line and column, both counted from 1; columns are UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Makes a text from decoded file contents; a byte-order mark is not part of it. */
export function textOf(path: string, content: string): Text {
  return { path, content: content.startsWith('\uFEFF') ? content.slice(1) : content };
}

export function placeOf(text: Text, range: Range): Place {
  return { text, range };
}

/** The text at a range. */
export function slice(text: Text, range: Range): string {
  return text.content.slice(range.start, range.end);
}

/** The same place in the file that is on disk. */
export function outermost(place: Place): Place {
  const { text, range } = place;
  if (!text.within) return place;
  const start = outerOffset(text.within, range.start);
  const end = range.end === range.start ? start : outerOffset(text.within, range.end - 1) + 1;
  return outermost({ text: text.within.outer, range: { start, end: Math.max(start, end) } });
}

/** The same place in the file that is on disk, if its characters stand there one by one: not in base64, nor across lines. */
export function literally(place: Place): Place | undefined {
  const { text, range } = place;
  if (!text.within) return place;
  const piece = text.within.pieces.find(({ inner, length }) => length > 0 && inner <= range.start && range.end <= inner + length);
  if (!piece) return undefined;
  const shift = piece.outer - piece.inner;
  return literally({ text: text.within.outer, range: { start: range.start + shift, end: range.end + shift } });
}

function outerOffset({ pieces }: Embedding, inner: number): number {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.inner ?? 0) <= inner) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  return piece ? piece.outer + Math.max(0, Math.min(inner - piece.inner, piece.length)) : 0;
}

const lineStarts = new WeakMap<Text, readonly number[]>();

function lineStartsOf(text: Text): readonly number[] {
  const known = lineStarts.get(text);
  if (known) return known;
  const starts = [0];
  const { content } = text;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === 10 || (code === 13 && content.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  lineStarts.set(text, starts);
  return starts;
}

export function positionAt(text: Text, offset: number): Position {
  const starts = lineStartsOf(text);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

export function lineCount(text: Text): number {
  return lineStartsOf(text).length;
}

/** The range of a line counted from 1, without its line break. */
export function lineRange(text: Text, line: number): Range {
  const starts = lineStartsOf(text);
  const start = starts[line - 1] ?? text.content.length;
  const next = starts[line] ?? text.content.length + 1;
  let end = Math.min(next, text.content.length);
  while (end > start && '\r\n'.includes(text.content[end - 1] ?? ' ')) end--;
  return { start, end };
}

export function contains(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
