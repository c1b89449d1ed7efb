import { severities, type Finding, type Fix, type ProjectProblem, type Severity } from '@poolcheck/rules/finding';
import { groupBy } from '@poolcheck/rules/group';
import { countsOf, open, type Report } from '../report.ts';
import { hunksOf, type Hunk } from './diff.ts';
import { widthOf, wrapped } from './lines.ts';
import { prose } from './neutral.ts';
import { paletteOf, type Palette } from './palette.ts';
import { pathFrames } from './path-frames.ts';
import { placeOfProblem, plural, positionOf, tallyOf } from './words.ts';

const symbols: Readonly<Record<Severity, string>> = { error: '✖', warning: '▲', info: '●' };
const indent = '  ';
/** So many places of one problem are shown. */
const fewProblems = 5;

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
  const { rule, message } = finding;
  return [
    ...titleLines(finding, palette, columns),
    ...wrapped(prose(message), Math.max(40, columns - indent.length)).map((line) => indent + line),
    '',
    ...pathFrames(finding, palette, columns),
    ...finding.fixes.slice(0, 1).flatMap((fix) => ['', ...fixLines(fix, palette)]),
    '',
    indent + palette.faint(`more: poolcheck --explain ${rule}`),
  ];
}

/** What and where, in one line if they fit. */
function titleLines({ severity, rule, at }: Finding, palette: Palette, columns: number): readonly string[] {
  const level = `${symbols[severity]} ${severity}`;
  const position = positionOf(at);
  const what = palette[severity](level) + indent + palette.strong(rule);
  const width = widthOf([level, rule, position].join(indent));
  return width <= columns ? [what + indent + position] : [what, indent + position];
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

/** Of the problems that say the same, the first few. */
function problemLines(problems: readonly ProjectProblem[], palette: Palette): readonly string[] {
  if (problems.length === 0) return [];
  const title = palette.strong(`${symbols.info} not everything could be checked`);
  const groups = groupBy(problems, ({ message }) => message);
  return [title, ...[...groups].flatMap(([message, alike]) => alikeLines(prose(message), alike.map(placeOfProblem), palette))];
}

function alikeLines(message: string, places: readonly string[], palette: Palette): readonly string[] {
  const [only, ...others] = places;
  if (others.length === 0) return [`${indent}${palette.faint(only ?? '')}  ${message}`];
  const more = places.length > fewProblems ? [`…and ${places.length - fewProblems} more`] : [];
  return [indent + message, ...[...places.slice(0, fewProblems), ...more].map((line) => indent + indent + palette.faint(line))];
}

function summaryLine(report: Report, palette: Palette): string {
  const counts = countsOf(report);
  const worst = severities.find((severity) => counts[severity] > 0);
  const problems = report.problems.length > 0 ? `, ${plural(report.problems.length, 'problem')}` : '';
  const text = `${tallyOf(report)}${problems}`;
  return worst ? palette[worst](`${symbols[worst]} ${text}`) : palette.added(`✔ ${text}`);
}
