import { positionAt } from '@poolcheck/parsers/text';
import { severities, type Finding, type Fix, type ProjectProblem, type Severity } from '@poolcheck/rules/finding';
import type { DatabasePicture, Picture, Term } from '../picture.ts';
import { groupBy } from '@poolcheck/rules/group';
import { open, type Report } from '../report.ts';
import { hunksOf } from './diff.ts';
import { htmlCode, markdownBlock, markdownCode, markdownProse, markdownRow, markdownText, prose } from './neutral.ts';
import { paletteOf } from './palette.ts';
import { pathFrames } from './path-frames.ts';
import { placeOfProblem, plural, positionOf, symbols, tally, tallyOf } from './words.ts';

/** GitHub takes 65,536 characters. */
const sizeLimit = 60_000;
const mostProblems = 50;

/** One comment for a pull request. */
export function markdown(report: Report): string {
  const head = `### poolcheck: ${tallyOf(report)}`;
  const tail = [...report.deployments.flatMap(deploymentSections), ...problemSections(report.problems)];
  const room = sizeLimit - [head, ...tail].join('\n\n').length;
  return `${[head, ...fileSections(open(report), room), ...tail].join('\n\n')}\n`;
}

/** The findings by file, the worst files first, as many as there is room for. */
function fileSections(findings: readonly Finding[], room: number): readonly string[] {
  const files = groupBy(findings, ({ at }) => at.text.path);
  const sections: string[] = [];
  let left = room;
  let told = 0;
  for (const [path, mine] of [...files].sort(([, a], [, b]) => rank(worst(a)) - rank(worst(b)))) {
    const section = fileSection(path, mine);
    if (section.length + 200 > left) break;
    left -= section.length + 2;
    told += mine.length;
    sections.push(section);
  }
  const untold = findings.length - told;
  return untold === 0
    ? sections
    : [...sections, `…and ${untold} more, for which there is no room here: run \`npx poolcheck\` to see them.`];
}

function fileSection(path: string, findings: readonly Finding[]): string {
  const severity = worst(findings);
  const counts = { error: 0, warning: 0, info: 0, suppressed: 0 };
  for (const finding of findings) counts[finding.severity]++;
  return [
    `<details${severity === 'error' ? ' open' : ''}><summary>${symbols[severity]} ${htmlCode(path)}: ${tally(counts)}</summary>`,
    ...findings.map(findingSection),
    '</details>',
  ].join('\n\n');
}

function findingSection(finding: Finding): string {
  const { rule, severity, message, at, fixes } = finding;
  const line = positionAt(at.text, at.range.start).line;
  return [
    `${symbols[severity]} **${rule}**, line ${line}: ${markdownProse(message)}`,
    markdownBlock(pathFrames(finding, paletteOf(false))),
    ...fixes.slice(0, 1).map(fixSection),
  ].join('\n\n');
}

function fixSection(fix: Fix): string {
  const lines = hunksOf(fix).flatMap(({ removed, added }) => [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]);
  return `${fix.safe ? 'Fix' : 'Possible fix'}: ${markdownProse(fix.title)}\n\n${markdownBlock(lines, 'diff')}`;
}

const verdicts: Readonly<Record<DatabasePicture['verdict'], string>> = {
  fits: '✅ fits',
  over: '❌ too many',
  'maybe-over': '⚠️ too many, as far as is known',
};

/** The budget of each database, and the graph. */
function deploymentSections({ name, databases, graph }: Picture): readonly string[] {
  if (databases.length === 0) return [];
  const picture = graph.length > 0 ? [markdownBlock(graph, 'mermaid')] : [];
  return [`#### Connections in ${markdownCode(name)}`, ...databases.map(budgetTable), ...picture];
}

function budgetTable({ verdict, terms, demand, accepts }: DatabasePicture): string {
  return [
    markdownRow(['who', 'most connections at once', 'read from']),
    markdownRow(['---', '---', '---']),
    ...terms.map((term) => termRow(markdownText(term.name), term)),
    markdownRow(['**together**', `**${demand}**, ${verdicts[verdict]}`, '']),
    termRow(`${markdownText(accepts.name)} accepts`, accepts),
  ].join('\n');
}

function termRow(name: string, { sum, evidence }: Term): string {
  const read = evidence.map(({ place, says }) => `${place ? `${markdownCode(positionOf(place))} ` : ''}${markdownProse(says)}`);
  return markdownRow([name, markdownText(sum), [...new Set(read)].join('<br>')]);
}

function problemSections(problems: readonly ProjectProblem[]): readonly string[] {
  if (problems.length === 0) return [];
  const groups = [...groupBy(problems, ({ message }) => message)];
  const lines = groups.slice(0, mostProblems).map(([message, alike]) => `- ${markdownText(prose(message))}: ${placesOf(alike)}`);
  const rest = groups.length > mostProblems ? [`- …and ${groups.length - mostProblems} kinds more`] : [];
  const summary = `<summary>Not everything could be checked: ${plural(problems.length, 'problem')}</summary>`;
  return [`<details>${summary}\n\n${[...lines, ...rest].join('\n')}\n\n</details>`];
}

/** The first few places of problems that say the same. */
function placesOf(alike: readonly ProjectProblem[]): string {
  const few = alike.slice(0, 5).map((problem) => markdownCode(placeOfProblem(problem)));
  return few.join(', ') + (alike.length > few.length ? ` and ${alike.length - few.length} more` : '');
}

function worst(findings: readonly Finding[]): Severity {
  return severities.find((severity) => findings.some((finding) => finding.severity === severity)) ?? 'info';
}

function rank(severity: Severity): number {
  return severities.indexOf(severity);
}
