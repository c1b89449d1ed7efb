import type { Place } from '@poolcheck/parsers/text';
import { severities, type Finding, type Fix, type ProjectProblem, type Related, type Severity } from '@poolcheck/rules/finding';
import { countsOf, open, type Report } from '../report.ts';
import { hunksOf, type Hunk } from './diff.ts';
import { frame, type Mark } from './frame.ts';
import { widthOf } from './lines.ts';
import { prose } from './neutral.ts';
import { paletteOf, type Palette } from './palette.ts';
import { numbered, plural, positionOf, tally } from './words.ts';

const symbols: Readonly<Record<Severity, string>> = { error: '✖', warning: '▲', info: '●' };
const indent = '  ';

export interface PrettyOptions {
  readonly color: boolean;
  /** Where messages are wrapped; undefined: nowhere. */
  readonly columns: number | undefined;
}

/** For people at a terminal. */
export function pretty(report: Report, { color, columns }: PrettyOptions): string {
  const palette = paletteOf(color);
  const findings = open(report).map((finding) => findingLines(finding, palette, columns ?? Infinity));
  const blocks = [...findings, problemLines(report.problems, palette), [summaryLine(report, palette)]];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function findingLines(finding: Finding, palette: Palette, columns: number): readonly string[] {
  const { severity, rule, at, message } = finding;
  const title = [palette[severity](`${symbols[severity]} ${severity}`), palette.strong(rule), positionOf(at)].join(indent);
  return [
    title,
    ...wrapped(prose(message), Math.max(40, columns - indent.length)).map((line) => indent + line),
    '',
    ...pathLines(finding, palette),
    ...finding.fixes.slice(0, 1).flatMap((fix) => ['', ...fixLines(fix, palette)]),
    '',
    indent + palette.faint(`more: poolcheck --explain ${rule}`),
  ];
}

/** The finding's own file first, each other file that the path goes through below. */
function pathLines({ severity, at, related }: Finding, palette: Palette): readonly string[] {
  return [...marksByFile(at, related)].flatMap(([path, { place, marks }]) => {
    const title = path === at.text.path ? undefined : positionOf(place);
    return frame(place.text, marks, { paint: palette[severity], palette, title });
  });
}

interface FileMarks {
  readonly place: Place;
  readonly marks: readonly Mark[];
}

function marksByFile(at: Place, related: readonly Related[]): ReadonlyMap<string, FileMarks> {
  const files = new Map<string, FileMarks>();
  const steps = related.map((step, index) => ({ ...step, label: `${numbered(index, related.length)}${prose(step.message)}` }));
  const own = steps.find((step) => samePlace(step.at, at));
  const marks = [
    { at, label: own?.label ?? '', primary: true },
    ...steps.filter((step) => step !== own).map((step) => ({ ...step, primary: false })),
  ];
  for (const { at: place, label, primary } of marks) {
    const file = files.get(place.text.path) ?? { place, marks: [] };
    files.set(place.text.path, { ...file, marks: [...file.marks, { range: place.range, label, primary }] });
  }
  return files;
}

function samePlace(a: Place, b: Place): boolean {
  return a.text.path === b.text.path && a.range.start === b.range.start && a.range.end === b.range.end;
}

function fixLines(fix: Fix, palette: Palette): readonly string[] {
  const title = `${fix.safe ? 'fix' : 'possible fix'}: ${prose(fix.title)}`;
  return [indent + palette.strong(title), ...hunksOf(fix).flatMap((hunk) => hunkLines(hunk, palette))];
}

function hunkLines({ line, removed, added }: Hunk, palette: Palette): readonly string[] {
  const gutter = (number: number) => palette.faint(String(number).padStart(5));
  return [
    ...removed.map((text, index) => `${gutter(line + index)} ${palette.removed(`- ${text}`.trimEnd())}`),
    ...added.map((text, index) => `${gutter(line + index)} ${palette.added(`+ ${text}`.trimEnd())}`),
  ];
}

function problemLines(problems: readonly ProjectProblem[], palette: Palette): readonly string[] {
  if (problems.length === 0) return [];
  const title = palette.strong(`${symbols.info} not everything could be checked`);
  return [
    title,
    ...problems.map(({ path, at, message }) => `${indent}${palette.faint(at ? positionOf(at) : prose(path))}  ${prose(message)}`),
  ];
}

function summaryLine(report: Report, palette: Palette): string {
  const counts = countsOf(report);
  const worst = severities.find((severity) => counts[severity] > 0);
  const suppressed = counts.suppressed > 0 ? `, ${counts.suppressed} suppressed` : '';
  const problems = report.problems.length > 0 ? `, ${plural(report.problems.length, 'problem')}` : '';
  const text = `${tally(counts)} in ${plural(report.files, 'file')}${suppressed}${problems}`;
  return worst ? palette[worst](`${symbols[worst]} ${text}`) : palette.added(`✔ ${text}`);
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= width) lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
}
