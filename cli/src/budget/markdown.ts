import { situations } from '@poolcheck/rules/deployment/scale';
import type { Evidence } from '@poolcheck/rules/known';
import { mermaid } from '../output/graph.ts';
import { markdownBlock, markdownCode, markdownProse, markdownRow, markdownText } from '../output/neutral.ts';
import { positionOf } from '../output/words.ts';
import { accepted, figure, left, titles, verdictOn } from './figures.ts';
import type { BudgetReport, DatabaseSheet, Sheet } from './sheet.ts';

/** For a comment or a page. */
export function markdown({ sheets }: BudgetReport): string {
  const sections = sheets.filter(({ databases }) => databases.length > 0).map(sectionOf);
  return `${sections.length > 0 ? sections.join('\n\n') : 'No database of which the limit and the clients are known was found.'}\n`;
}

function sectionOf({ name, databases, graph }: Sheet): string {
  const picture = graph ? [markdownBlock(mermaid(graph), 'mermaid')] : [];
  return [`#### Connections in ${markdownCode(name)}`, ...databases.flatMap(databaseParts), ...picture].join('\n\n');
}

function databaseParts(database: DatabaseSheet): readonly string[] {
  const { rows, totals, evidence, knobs } = database;
  const columns = situations.map((situation) => titles[situation]);
  const table = [
    markdownRow([`${markdownText(database.name)} accepts ${accepted(database)}`, ...columns, 'read from']),
    markdownRow(['---', ...columns.map(() => '--:'), '---']),
    ...rows.map((row) =>
      markdownRow([
        markdownText(row.name),
        ...situations.map((situation) => markdownText(figure(row.columns[situation]))),
        readFrom(row.evidence),
      ]),
    ),
    markdownRow(['**together**', ...situations.map((situation) => `**${markdownText(figure(totals[situation]))}**`), '']),
    markdownRow(['left', ...situations.map((situation) => markdownText(left(database, totals[situation]))), readFrom(evidence)]),
  ];
  const safe = knobs.map(
    ({ name, now, safe: value }) =>
      `- ${markdownCode(name)}: now ${markdownText(now)}, ${value === undefined ? 'no value fits' : `fits ${name.startsWith('databases.') ? 'from' : 'up to'} ${value}`}`,
  );
  const folded = safe.length > 0 ? [`<details><summary>What fits, each number alone</summary>\n\n${safe.join('\n')}\n\n</details>`] : [];
  return [markdownProse(verdictOn(database)), table.join('\n'), ...folded];
}

function readFrom(evidence: readonly Evidence[]): string {
  return evidence.map(({ place, says }) => `${place ? `${markdownCode(positionOf(place))} ` : ''}${markdownProse(says)}`).join('<br>');
}
