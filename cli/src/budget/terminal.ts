import { situations, type Situation } from '@poolcheck/rules/deployment/scale';
import type { Evidence, Known } from '@poolcheck/rules/known';
import { widthOf } from '../output/lines.ts';
import { prose } from '../output/neutral.ts';
import { paletteOf, type Palette } from '../output/palette.ts';
import { positionOf } from '../output/words.ts';
import { accepted, figure, left, levelOf, titles, verdictOn } from './figures.ts';
import type { SafeKnob } from './knobs.ts';
import type { BudgetReport, DatabaseSheet, Sheet } from './sheet.ts';

const barWidth = 40;

/** For people at a terminal. */
export function terminal({ sheets, problems }: BudgetReport, { color }: { readonly color: boolean }): string {
  const palette = paletteOf(color);
  const blocks = sheets
    .filter(({ databases, outside }) => databases.length + outside.length > 0)
    .map((sheet) => sheetLines(sheet, palette));
  if (blocks.length === 0) blocks.push(['No database of which the limit and the clients are known was found.']);
  if (problems.length > 0) blocks.push([palette.faint(`${problems.length} places could not be read: poolcheck names them.`)]);
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function sheetLines({ name, databases, outside }: Sheet, palette: Palette): readonly string[] {
  return [
    palette.strong(prose(name)),
    ...databases.flatMap((database) => ['', ...databaseLines(database, palette).map((line) => (line === '' ? '' : `  ${line}`))]),
    ...(outside.length > 0 ? ['', '  in no budget:', ...outside.map((each) => `    ${evidenceLine(each, palette)}`)] : []),
  ];
}

function databaseLines(database: DatabaseSheet, palette: Palette): readonly string[] {
  const { name, accepts, limit, rows, totals, knobs, evidence } = database;
  const shown = limit === undefined ? '' : palette.faint(` (${limit})`);
  const table = [
    ['', ...situations.map((situation) => titles[situation]), ''],
    ...rows.map((row) => [prose(row.name), ...situations.map((situation) => figure(row.columns[situation])), prose(row.terms.join('; '))]),
    ['together', ...situations.map((situation) => figure(totals[situation])), ''],
    ['left', ...situations.map((situation) => left(database, totals[situation])), ''],
  ];
  return [
    `${palette.strong(prose(name))} accepts ${accepted(database)} connections${shown}`,
    ...evidence.map((each) => palette.faint(evidenceLine(each, palette))),
    '',
    ...aligned(table),
    '',
    ...(Number.isFinite(accepts) ? [...situations.map((situation) => barLine(situation, database, totals[situation], palette)), ''] : []),
    sentence(database, palette),
    ...knobLines(knobs, palette),
    '',
    palette.faint('read from'),
    ...rows.flatMap((row) => row.evidence.map((each) => `  ${evidenceLine({ ...each, says: `${row.name}: ${each.says}` }, palette)}`)),
  ];
}

function sentence(database: DatabaseSheet, palette: Palette): string {
  const text = prose(verdictOn(database));
  switch (levelOf(database)) {
    case 'fits':
      return palette.added(`✔ ${text}`);
    case 'unclear':
      return palette.warning(`▲ ${text}`);
    case 'over':
      return palette.error(`✖ ${text}`);
  }
}

function barLine(situation: Situation, { accepts, verdicts }: DatabaseSheet, total: Known, palette: Palette): string {
  const scale = Math.max(accepts, total.low) / barWidth;
  const used = Math.round(Math.min(total.low, accepts) / scale);
  const over = Math.round(Math.max(0, total.low - accepts) / scale);
  const free = Math.max(0, barWidth - used - over);
  const bar = `${'█'.repeat(used)}${palette.error('▓'.repeat(over))}${palette.faint('░'.repeat(free))}`;
  const paint = verdicts[situation] === 'fits' ? (text: string) => text : palette.warning;
  return `${titles[situation].padEnd(12)} ${bar} ${paint(`${figure(total)} of ${accepts}`)}`;
}

function knobLines(knobs: readonly SafeKnob[], palette: Palette): readonly string[] {
  if (knobs.length === 0) return [];
  const rows = knobs.map(({ name, now, safe }) => {
    const isLimit = name.startsWith('databases.');
    return [prose(name), prose(now), safe === undefined ? 'none fits' : `${isLimit ? 'at least' : 'at most'} ${safe}`];
  });
  return ['', palette.faint('what fits, each number alone'), ...aligned([['', 'now', 'fits'], ...rows], ['left', 'right', 'left'])];
}

function evidenceLine({ place, says }: Evidence, palette: Palette): string {
  return place ? `${prose(says)}  ${palette.faint(positionOf(place))}` : prose(says);
}

type Side = 'left' | 'right';

/** The cells of a table under each other, the first and the last to the left. */
function aligned(rows: readonly (readonly string[])[], sides?: readonly Side[]): readonly string[] {
  const count = rows[0]?.length ?? 0;
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const sideOf = (column: number): Side => sides?.[column] ?? (column === 0 || column === count - 1 ? 'left' : 'right');
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
        return sideOf(column) === 'left' ? cell + padding : padding + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}
