import type { Range } from '../text.ts';

/** A YAML text in which template holes are filled so that offsets stay and the rest can be parsed. */
export interface Filled {
  readonly content: string;
  /** `{{ … }}`, in ascending order. */
  readonly holes: readonly Hole[];
}

export interface Hole extends Range {
  /** No value stands on its line: it is an action (`{{- if … }}`) or a block of unknown lines. */
  readonly alone: boolean;
}

/** Fills `{{ … }}` before parsing: `{{ a }}` is valid YAML, for a map whose key is a map. */
export function fillHoles(content: string): Filled {
  const holes = linesOfHoles(content).flatMap((line) => {
    const alone = standAlone(content, line);
    return line.map((hole) => ({ ...hole, alone }));
  });
  let filled = '';
  let from = 0;
  for (const { start, end, alone } of holes) {
    filled += content.slice(from, start) + content.slice(start, end).replace(alone ? /[^\r\n]/g : /[^]/g, alone ? ' ' : 'x');
    from = end;
  }
  return { content: filled + content.slice(from), holes };
}

export function overlapsHole(holes: readonly Hole[], range: Range): boolean {
  let low = 0;
  let high = holes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((holes[middle]?.start ?? 0) < range.end) low = middle + 1;
    else high = middle;
  }
  return (holes[low - 1]?.end ?? -1) > range.start;
}

/** The holes, those of one line together. */
function linesOfHoles(content: string): readonly Range[][] {
  const lines: Range[][] = [];
  let last = -1;
  for (let start = content.indexOf('{{'); start !== -1; start = content.indexOf('{{', last)) {
    const close = content.indexOf('}}', start);
    if (close === -1) break;
    const line = last === -1 || content.slice(last, start).includes('\n') ? undefined : lines.at(-1);
    const hole = { start, end: close + 2 };
    if (line) line.push(hole);
    else lines.push([hole]);
    last = hole.end;
  }
  return lines;
}

function standAlone(content: string, line: readonly Range[]): boolean {
  const first = line[0]?.start ?? 0;
  const last = line.at(-1)?.end ?? 0;
  const lineStart = content.lastIndexOf('\n', first - 1) + 1;
  const lineEnd = content.indexOf('\n', last);
  const ends = [lineStart, ...line.map((hole) => hole.end)];
  const starts = [...line.map((hole) => hole.start), lineEnd === -1 ? content.length : lineEnd];
  return ends.every((end, gap) => content.slice(end, starts[gap]).trim() === '');
}
