import { positionAt, type Place } from '@poolcheck/parsers/text';
import type { Finding, ProjectProblem, Severity } from '@poolcheck/rules/finding';
import { open, type Report } from '../report.ts';
import { commandData, commandProperty } from './neutral.ts';
import { numbered, positionOf } from './words.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Workflow commands: annotations in a GitHub Actions run. */
export function github(report: Report): string {
  return [...open(report).map(findingCommand), ...report.problems.map(problemCommand)].map((line) => `${line}\n`).join('');
}

function findingCommand({ rule, severity, message, at, related }: Finding): string {
  const steps = related.map((step, index) => `${numbered(index, related.length)}${positionOf(step.at)} ${step.message}`);
  return command(commands[severity], { ...locationOf(at), title: `poolcheck: ${rule}` }, [message, ...steps].join('\n'));
}

function problemCommand({ path, at, message }: ProjectProblem): string {
  const location = at ? locationOf(at) : { file: path };
  return command('notice', { ...location, title: 'poolcheck: not everything could be checked' }, message);
}

function command(name: string, properties: Readonly<Record<string, string | number>>, data: string): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${commandProperty(String(value))}`);
  return `::${name} ${written.join(',')}::${commandData(data)}`;
}

/** Columns only mean something to GitHub within one line. */
function locationOf({ text, range }: Place): Readonly<Record<string, string | number>> {
  const start = positionAt(text, range.start);
  const end = positionAt(text, range.end);
  const columns = start.line === end.line ? { col: start.column, endColumn: end.column } : {};
  return { file: text.path, line: start.line, endLine: end.line, ...columns };
}
