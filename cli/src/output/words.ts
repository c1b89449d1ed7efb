import { positionAt, type Place } from '@poolcheck/parsers/text';
import type { ProjectProblem, Severity } from '@poolcheck/rules/finding';
import { countsOf, type Counts, type Report } from '../report.ts';
import { prose } from './neutral.ts';

/** What stands before a finding in Markdown. */
export const symbols: Readonly<Record<Severity, string>> = { error: '🔴', warning: '🟠', info: '🔵' };

/** "src/orders.ts:12:18". */
export function positionOf({ text, range }: Place): string {
  const { line, column } = positionAt(text, range.start);
  return `${prose(text.path)}:${line}:${column}`;
}

export function placeOfProblem({ path, at }: ProjectProblem): string {
  return at ? positionOf(at) : prose(path);
}

/** "① " before a step, when there are several. */
export function numbered(index: number, count: number): string {
  if (count < 2) return '';
  return index < 20 ? `${String.fromCodePoint(0x2460 + index)} ` : `(${index + 1}) `;
}

/** "3 errors, 1 warning", or "no findings". */
export function tally({ error, warning, info }: Counts): string {
  const parts = [plural(error, 'error'), plural(warning, 'warning'), plural(info, 'info')];
  return parts.filter((part) => !part.startsWith('0 ')).join(', ') || 'no findings';
}

/** "3 errors, 1 warning in 214 files, 2 suppressed". */
export function tallyOf(report: Report): string {
  const counts = countsOf(report);
  const suppressed = counts.suppressed > 0 ? `, ${counts.suppressed} suppressed` : '';
  return `${tally(counts)} in ${plural(report.files, 'file')}${suppressed}`;
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : many}`;
}

/** "12,345"; `toLocaleString` would load the languages of the world for it. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
