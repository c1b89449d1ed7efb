import type { BudgetFormat } from '../arguments.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { BudgetReport } from './sheet.ts';
import { terminal } from './terminal.ts';

type Writer = (report: BudgetReport, options: { readonly color: boolean }) => string;

export const writers: Readonly<Record<BudgetFormat, Writer>> = { pretty: terminal, json, markdown, mermaid };

/** The graphs alone, for tools that draw them. */
function mermaid({ sheets }: BudgetReport): string {
  return sheets.flatMap(({ graph }) => (graph.length > 0 ? [`${graph.join('\n')}\n`] : [])).join('\n');
}
