import { mermaid } from '../output/graph.ts';
import { markdownBlock, markdownCode, markdownProse, markdownRow, markdownText } from '../output/neutral.ts';
import { redact } from '../output/redact.ts';
import { plural, symbols, tally } from '../output/words.ts';
import { placeOfFault } from './bodies.ts';
import type { BudgetChange, BudgetFigures, Change, Fault } from './change.ts';

/** By which the summary is found again, at the start of its body. */
export const summaryMark = '<!-- poolcheck summary -->';

interface Told {
  /** The open faults that the change adds, the worst first. */
  readonly added: readonly Fault[];
  /** Fingerprints of those that have a comment of their own. */
  readonly onLines: ReadonlySet<string>;
  readonly sha: string;
}

/** The one comment that says what a change does as a whole. */
export function summaryBody(change: Change, { added, onLines, sha }: Told, room: number): string {
  const counts = { error: 0, warning: 0, info: 0, suppressed: 0 };
  for (const { severity } of added) counts[severity]++;
  const before = change.before === 'unknown' ? ' Before: unknown, so all findings are counted.' : '';
  const head = `${summaryMark}\n\n### poolcheck: ${tally(counts)}\n\nChecked at ${sha}.${before}`;
  const sections = [
    ...settingsSection(change),
    ...budgetSection(change.budgets),
    ...(change.graph ? [markdownBlock(mermaid(change.graph), 'mermaid')] : []),
    ...listed('Elsewhere', added.filter(({ fingerprint }) => !onLines.has(fingerprint)).map(faultLine)),
    ...listed(
      'Not analysed',
      change.unread.map(({ file, message }) => `- ${markdownCode(file)}: ${markdownProse(redact(message))}`),
    ),
  ];
  return fitted(head, sections, room);
}

/** As many sections as there is room for. */
function fitted(head: string, sections: readonly string[], room: number): string {
  const note = '\n\n…and more, for which there is no room here.';
  let body = head;
  let isWhole = true;
  for (const section of sections) {
    if (body.length + section.length + 2 + note.length > room) isWhole = false;
    else body += `\n\n${section}`;
  }
  return isWhole ? body : body + note;
}

function settingsSection({ touchedSettings, addedSuppressions }: Change): readonly string[] {
  const files = touchedSettings.slice(0, mostLines).map((file) => markdownCode(file));
  const what = [...files, ...(addedSuppressions > 0 ? [plural(addedSuppressions, 'new suppression')] : [])];
  return what.length > 0 ? [`⚠️ This change decides what poolcheck reports: ${what.join(', ')}.`] : [];
}

function budgetSection(budgets: readonly BudgetChange[]): readonly string[] {
  if (budgets.length === 0) return [];
  const rows = budgets.slice(0, mostLines).map(({ deployment, database, before, after }) => {
    const cell = (figure: keyof BudgetFigures) => markdownText(fromTo(before?.[figure], after?.[figure]));
    return markdownRow([markdownText(`${database} (${deployment})`), cell('accepts'), cell('steady'), cell('rollout')]);
  });
  const titles = [markdownRow(['connections', 'accepts', 'steady', 'rolling out']), markdownRow(['---', '--:', '--:', '--:'])];
  return [[...titles, ...rows, ...more(budgets.length).map((line) => markdownRow([line, '', '', '']))].join('\n')];
}

function fromTo(before: string | undefined, after: string | undefined): string {
  return before === after ? (after ?? '–') : `${before ?? '–'} → ${after ?? '–'}`;
}

function faultLine(fault: Fault): string {
  return `- ${symbols[fault.severity]} ${placeOfFault(fault)} **${markdownProse(fault.rule)}**: ${markdownProse(redact(fault.message.slice(0, 500)))}`;
}

const mostLines = 50;

function listed(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const shown = [...lines.slice(0, mostLines), ...more(lines.length).map((line) => `- ${line}`)];
  return [`<details><summary>${title}: ${lines.length}</summary>\n\n${shown.join('\n')}\n\n</details>`];
}

function more(count: number): readonly string[] {
  return count > mostLines ? [`…and ${count - mostLines} more`] : [];
}
