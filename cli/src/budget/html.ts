import { situations, type Situation } from '@poolcheck/rules/deployment/scale';
import type { Evidence, Known } from '@poolcheck/rules/known';
import { htmlText, prose } from '../output/neutral.ts';
import { positionOf } from '../output/words.ts';
import { accepted, figure, left, levelOf, titles, verdictOn } from './figures.ts';
import type { BudgetReport, DatabaseSheet, Row, Sheet } from './sheet.ts';
import { pictureStyle, svgOf } from './svg.ts';

/** One page that needs nothing else and runs nothing: the picture, the bars, and the evidence of each number where one points at it. */
export function html({ sheets }: BudgetReport): string {
  const sections = sheets.filter(({ databases, graph }) => databases.length > 0 || graph).map(sectionOf);
  const nothing = '<p>No database of which the limit and the clients are known was found.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Connection budget</title>
<style>${style}${pictureStyle}</style>
</head>
<body>
<h1>Connection budget</h1>
${sections.length > 0 ? sections.join('\n') : nothing}
</body>
</html>
`;
}

const style = `
:root { --ink: #1f2328; --faint: #59636e; --line: #d1d9e0; --paper: #ffffff; --soft: #f6f8fa; --good: #1a7f37; --warn: #9a6700; --bad: #cf222e; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --faint: #9198a1; --line: #3d444d; --paper: #0d1117; --soft: #161b22; --good: #3fb950; --warn: #d29922; --bad: #ff7b72; } }
body { margin: 2rem auto; padding: 0 1rem; max-width: 70rem; color: var(--ink); background: var(--paper); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1.05rem; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; } th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } tr.sum td { font-weight: 600; } td.terms { color: var(--faint); }
.picture, .wide { overflow-x: auto; } .verdict { font-weight: 600; } .fits { color: var(--good); } .unclear, .maybe-over { color: var(--warn); } .over { color: var(--bad); }
.bar { display: grid; grid-template-columns: 7rem 1fr 9rem; gap: .8rem; align-items: center; margin: .3rem 0; }
.track { position: relative; height: 1rem; background: var(--soft); border: 1px solid var(--line); } .track i { position: absolute; inset: 0 auto 0 0; background: var(--good); } .track i.over { background: var(--bad); } .track b { position: absolute; top: -.25rem; bottom: -.25rem; border-left: 2px solid var(--ink); }
.known { position: relative; border-bottom: 1px dotted var(--faint); cursor: help; }
.why { display: none; position: fixed; z-index: 1; inset: auto 1rem 1rem; max-width: 68rem; margin: 0 auto; padding: .5rem .7rem; text-align: left; white-space: normal; font-weight: 400; color: var(--ink); background: var(--soft); border: 1px solid var(--line); box-shadow: 0 4px 12px #0003; }
.why span { display: block; } .known:hover .why, .known:focus .why { display: block; } .known:focus { outline: 2px solid var(--faint); }
ul.read { color: var(--faint); font-size: .9rem; padding-left: 1.2rem; }
@media print { body { margin: 0; max-width: none; } .why { display: none !important; } details { display: block; } section.database { break-inside: avoid; } * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
`;

function sectionOf(sheet: Sheet): string {
  const { name, databases, outside } = sheet;
  const picture = svgOf(sheet);
  return `<section><h2>${htmlText(name)}</h2>
${picture ? `<div class="picture">${picture}</div>` : ''}
${databases.map(databaseSection).join('\n')}
${outside.length > 0 ? `<h3>In no budget</h3>${list(outside)}` : ''}
</section>`;
}

function databaseSection(database: DatabaseSheet): string {
  const { name, accepts, limit, rows, totals, evidence } = database;
  const how = limit === undefined ? '' : ` (${htmlText(limit)})`;
  return `<section class="database"><h3>${htmlText(name)} accepts ${known(accepted(database), evidence)} connections${how}</h3>
<p class="verdict ${levelOf(database)}">${htmlText(verdictOn(database))}</p>
${Number.isFinite(accepts) ? situations.map((situation) => bar(situation, database)).join('\n') : ''}
<div class="wide"><table>
<thead><tr><th></th>${situations.map((situation) => `<th class="number">${titles[situation]}</th>`).join('')}<th>how it comes about</th></tr></thead>
<tbody>
${rows.map(rowOf).join('\n')}
<tr class="sum"><td>together</td>${numbers((situation) => figure(totals[situation]))}<td></td></tr>
<tr><td>left</td>${numbers((situation) => left(database, totals[situation]))}<td></td></tr>
</tbody></table></div>
${knobTable(database)}
<details open><summary>Read from</summary>${list([...rows.flatMap((row) => row.evidence.map((each) => ({ ...each, says: `${row.name}: ${each.says}` }))), ...evidence])}</details>
</section>`;
}

function rowOf({ name, columns, terms, evidence }: Row): string {
  const cells = situations.map((situation) => `<td class="number">${known(figure(columns[situation]), evidence)}</td>`);
  return `<tr><td>${htmlText(name)}</td>${cells.join('')}<td class="terms">${terms.map(htmlText).join('<br>')}</td></tr>`;
}

function numbers(of: (situation: Situation) => string): string {
  return situations.map((situation) => `<td class="number">${htmlText(of(situation))}</td>`).join('');
}

/** A number with where it was read, for those who point at it or reach it with the keyboard. */
function known(text: string, evidence: readonly Evidence[]): string {
  const why = evidence.map((each) => `<span>${evidenceHtml(each)}</span>`).join('');
  return `<span class="known" tabindex="0">${htmlText(text)}<span class="why" role="tooltip">${why}</span></span>`;
}

function bar(situation: Situation, { accepts, totals, verdicts }: DatabaseSheet): string {
  const total: Known = totals[situation];
  const scale = 100 / Math.max(accepts, total.low, 1);
  const percent = (count: number) => `${(count * scale).toFixed(1)}%`;
  const over = total.low > accepts ? 'over' : '';
  return `<div class="bar"><span>${titles[situation]}</span><span class="track"><i class="${over}" style="width:${percent(total.low)}"></i><b style="left:${percent(accepts)}"></b></span><span class="${verdicts[situation]}">${htmlText(figure(total))} of ${accepts}</span></div>`;
}

function knobTable({ knobs }: DatabaseSheet): string {
  if (knobs.length === 0) return '';
  const rows = knobs.map(({ name, now, safe }) => {
    const fits = safe === undefined ? 'none' : `${name.startsWith('databases.') ? '≥' : '≤'} ${safe}`;
    return `<tr><td><code>${htmlText(name)}</code></td><td class="number">${htmlText(now)}</td><td class="number">${fits}</td></tr>`;
  });
  return `<div class="wide"><table><thead><tr><th>what fits, each number alone</th><th class="number">now</th><th class="number">fits</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function list(evidence: readonly Evidence[]): string {
  return `<ul class="read">${evidence.map((each) => `<li>${evidenceHtml(each)}</li>`).join('')}</ul>`;
}

function evidenceHtml({ place, says }: Evidence): string {
  return `${htmlText(prose(says))}${place ? ` <code>${htmlText(positionOf(place))}</code>` : ''}`;
}
