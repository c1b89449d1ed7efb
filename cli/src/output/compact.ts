import type { Finding, ProjectProblem } from '@poolcheck/rules/finding';
import { countsOf, open, type Report } from '../report.ts';
import { prose } from './neutral.ts';
import { placeOfProblem, plural, positionOf, tally } from './words.ts';

/** A line a finding, as compilers print them: editors and grep know the form. */
export function compact(report: Report): string {
  const counts = countsOf(report);
  const suppressed = counts.suppressed > 0 ? `, ${counts.suppressed} suppressed` : '';
  const lines = [
    ...open(report).map(findingLine),
    ...report.problems.map(problemLine),
    `${tally(counts)} in ${plural(report.files, 'file')}${suppressed}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function findingLine({ rule, severity, message, at }: Finding): string {
  return `${positionOf(at)}: ${severity}: ${prose(message)} [${rule}]`;
}

function problemLine(problem: ProjectProblem): string {
  return `${placeOfProblem(problem)}: not checked: ${prose(problem.message)}`;
}
