import type { BudgetFormat } from '../arguments.ts';
import { mermaid } from '../output/graph.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { BudgetReport } from './sheet.ts';
import { drawing } from './svg.ts';
import { terminal } from './terminal.ts';

type Writer = (report: BudgetReport, options: { readonly color: boolean }) => string;

export const writers: Readonly<Record<BudgetFormat, Writer>> = {
  pretty: terminal,
  json,
  markdown,
  mermaid: ({ sheets }) => sheets.flatMap(({ graph }) => (graph ? [`${mermaid(graph).join('\n')}\n`] : [])).join('\n'),
  svg: drawing,
  html,
};
