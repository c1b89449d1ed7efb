import { lineRange, type Range, type Text } from '@poolcheck/parsers/text';
import { visible } from './neutral.ts';
import { redacted, secretsIn, withoutRanges } from './redact.ts';

/** A line as it is shown: its secrets redacted, tabs expanded, nothing in it that acts on a terminal, and a piece of it when it is long. */
export interface ShownLine {
  readonly text: string;
  /** The columns, from 0, that a range of the file takes up in it; at least one. */
  columnsOf(range: Range): Range;
}

const tab = '  ';
const longest = 200;

/** Of a line that takes more than `room` columns, or very many, the piece around the offset `interest`. */
export function showLine(text: Text, line: number, interest: number, room: number): ShownLine {
  const whole = lineRange(text, line);
  const { start, end } = pieceAround(whole, interest, Math.min(room, longest));
  const secrets = secretsIn(text).filter((secret) => secret.start < end && start < secret.end);

  let shown = start > whole.start ? '…' : '';
  let width = shown.length;
  /** The column of each offset, from `start` on. */
  const columns: number[] = [];
  for (let at = start; at < end;) {
    const secret = secrets.find((range) => range.start <= at && at < range.end);
    const character = String.fromCodePoint(text.content.codePointAt(at) ?? 0);
    const next = secret ? Math.min(secret.end, end) : at + character.length;
    const piece = secret ? redacted : pieceOf(character);
    for (; at < next; at++) columns.push(width);
    shown += piece;
    width += widthOf(piece);
  }
  const columnOf = (offset: number) => (offset < start ? 0 : (columns[offset - start] ?? width));
  return {
    text: visible(end < whole.end ? `${shown}…` : shown).trimEnd(),
    columnsOf: ({ start: from, end: to }) => ({ start: columnOf(from), end: Math.max(columnOf(to), columnOf(from) + 1) }),
  };
}

function pieceAround(whole: Range, interest: number, size: number): Range {
  if (whole.end - whole.start <= size) return whole;
  const isNear = interest < whole.start + size / 2;
  const start = isNear ? whole.start : Math.min(interest, whole.end) - Math.floor(size / 4);
  return { start, end: Math.min(whole.end, start + size - 2) };
}

/** The lines at a range that covers whole ones, as {@link showLine} shows them. */
export function showLines(text: Text, range: Range): readonly string[] {
  const secrets = secretsIn(text)
    .filter((secret) => secret.start < range.end && range.start < secret.end)
    .map((secret) => ({ start: Math.max(secret.start, range.start) - range.start, end: Math.min(secret.end, range.end) - range.start }));
  const lines = withoutRanges(text.content.slice(range.start, range.end), secrets).split(/\r\n|\r|\n/);
  return lines.map((line) => {
    const shown = visible(line.slice(0, 2 * longest).replaceAll('\t', tab)).trimEnd();
    return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
  });
}

function pieceOf(character: string): string {
  return character === '\t' ? tab : visible(character);
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const combining = /\p{Mn}|\p{Me}/u;

/** The columns that a text takes up in a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : combining.test(character) ? 0 : 1;
  return width;
}

/** A text in lines of at most `width` columns, broken between words. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= width) lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
}
