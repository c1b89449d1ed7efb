import type { Finding, ProjectProblem } from '@poolcheck/rules/finding';
import { open, type Report } from '../report.ts';
import { prose } from './neutral.ts';
import { placeOfProblem, positionOf, tallyOf } from './words.ts';

/** A line a finding, as compilers print them: editors and grep know the form. */
export function compact(report: Report): string {
  const lines = [...open(report).map(findingLine), ...report.problems.map(problemLine), tallyOf(report)];
  return lines.map((line) => `${line}\n`).join('');
}

function findingLine({ rule, severity, message, at }: Finding): string {
  return `${positionOf(at)}: ${severity}: ${prose(message)} [${rule}]`;
}

function problemLine(problem: ProjectProblem): string {
  return `${placeOfProblem(problem)}: not checked: ${prose(problem.message)}`;
}
