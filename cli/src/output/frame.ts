import { lineCount, lineRange, positionAt, slice, type Range, type Text } from '@poolcheck/parsers/text';
import { showLine, widthOf, wrapped, type ShownLine } from './lines.ts';
import type { Palette } from './palette.ts';

/** A range to be underlined in a frame, with what is said beside the underline. */
export interface Mark {
  readonly range: Range;
  readonly label: string;
  /** What the finding is about; the others are steps on its way. */
  readonly primary: boolean;
}

type Paint = (text: string) => string;

export interface FrameStyle {
  /** How the primary mark is painted. */
  readonly paint: Paint;
  readonly palette: Palette;
  /** Stands above the frame. */
  readonly title: string | undefined;
  /** How wide it may be. */
  readonly columns: number;
}

/** The marked lines of a file, with what stands around the primary mark, numbered and underlined. */
export function frame(text: Text, marks: readonly Mark[], { paint, palette, title, columns }: FrameStyle): readonly string[] {
  const numbers = linesToShow(text, marks);
  const gutter = Math.max(5, String(numbers.at(-1)).length + 2);
  const room = Math.max(20, columns - gutter - 3);
  const row = (head: string, separator: string, content: string) =>
    `${palette.faint(`${head.padStart(gutter)} ${separator}`)} ${content}`.trimEnd();
  const out = title === undefined ? [] : [row('', '╭', palette.faint(title))];
  numbers.forEach((line, index) => {
    const here = marks.filter(({ range }) => lineOf(text, range) === line);
    const shown = showLine(text, line, here[0]?.range.start ?? 0, room);
    if (index > 0 && numbers[index - 1] !== line - 1) out.push(row('', '⋮', ''));
    out.push(row(String(line), '│', shown.text));
    for (const mark of here) {
      for (const under of underlines(mark, shown, mark.primary ? paint : palette.step, room)) out.push(row('', '│', under));
    }
  });
  return out;
}

/** The underline with its label beside it, or below it when there is no room. */
function underlines({ range, label, primary }: Mark, line: ShownLine, paint: Paint, room: number): readonly string[] {
  const { start, end } = line.columnsOf(range);
  const mark = (primary ? '━' : '─').repeat(end - start);
  const indent = ' '.repeat(start);
  if (label === '') return [indent + paint(mark)];
  if (end + 1 + widthOf(label) <= room) return [indent + paint(`${mark} ${label}`)];
  const lines = wrapped(label, room);
  const below = ' '.repeat(Math.max(0, Math.min(start, room - Math.max(...lines.map(widthOf)))));
  return [indent + paint(mark), ...lines.map((line) => below + paint(line))];
}

function lineOf(text: Text, range: Range): number {
  return positionAt(text, range.start).line;
}

/** In order: the marked lines, what stands around the primary one, and a single line between two of them. */
function linesToShow(text: Text, marks: readonly Mark[]): readonly number[] {
  const lines = new Set(marks.map(({ range }) => lineOf(text, range)));
  for (const { range } of marks.filter(({ primary }) => primary)) {
    const line = lineOf(text, range);
    for (const near of [line - 1, line + 1]) if (!isBlank(text, near)) lines.add(near);
  }
  const sorted = [...lines].sort((a, b) => a - b);
  return sorted.flatMap((line, index) => (sorted[index - 1] === line - 2 ? [line - 1, line] : [line]));
}

function isBlank(text: Text, line: number): boolean {
  return line < 1 || line > lineCount(text) || slice(text, lineRange(text, line)).trim() === '';
}
