import { nodeKinds, type Edge, type Graph, type Node, type NodeKind } from '../output/graph.ts';
import { htmlText } from '../output/neutral.ts';
import type { BudgetReport, DatabaseSheet, Sheet } from './sheet.ts';

const box = { width: 190, height: 52, gap: 22 };
const columnGap = 120;
const margin = 16;
const titleHeight = 30;

/** All environments under each other, as one picture that needs nothing else. */
export function drawing({ sheets }: BudgetReport): string {
  const drawn = sheets.flatMap((sheet) => pictureOf(sheet, sheet.name) ?? []);
  const width = Math.max(0, ...drawn.map((picture) => picture.width));
  let top = 0;
  const parts = drawn.map((picture) => {
    const part = `<g transform="translate(0 ${top})">${picture.content}</g>`;
    top += picture.height;
    return part;
  });
  return `${frame(width, top, `<style>${pictureStyle}</style>${parts.join('\n')}`)}\n`;
}

/** The picture of one environment, to stand in a page that has {@link pictureStyle}. */
export function svgOf(sheet: Sheet): string | undefined {
  const picture = pictureOf(sheet);
  return picture && frame(picture.width, picture.height, picture.content);
}

function frame(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">${content}</svg>`;
}

/** Colours follow the reader's scheme; on paper they are the light ones. */
export const pictureStyle = `
svg { --ink: #1f2328; --faint: #59636e; --line: #8c959f; --paper: #ffffff; --proxy: #eef6ff; --service: #f6f8fa; --pooler: #fff8e6; --database: #eefbf0; --good: #1a7f37; --bad: #cf222e; font: 13px system-ui, sans-serif; max-width: 100%; height: auto; }
@media screen and (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --faint: #9198a1; --line: #6e7681; --paper: #0d1117; --proxy: #10233d; --service: #161b22; --pooler: #2b2410; --database: #0f2417; --good: #3fb950; --bad: #ff7b72; } }
svg text { fill: var(--ink); } svg .faint { fill: var(--faint); font-size: 11px; } svg .title { font-weight: 600; }
svg .box { stroke: var(--line); } svg .proxy { fill: var(--proxy); } svg .service { fill: var(--service); } svg .pooler { fill: var(--pooler); } svg .database { fill: var(--database); }
svg .edge { fill: none; stroke: var(--line); } svg .label { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; text-anchor: middle; font-size: 11px; }
svg .limit { fill: var(--line); opacity: .35; } svg .used { fill: var(--good); } svg .over { fill: var(--bad); }
`.replaceAll('\n', ' ');

interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly content: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function pictureOf({ graph, databases }: Sheet, title?: string): Drawn | undefined {
  if (!graph) return undefined;
  const top = title === undefined ? 0 : titleHeight;
  const { places, lanes, width, height } = layoutOf(graph, top);
  const content = [
    title === undefined ? '' : `<text class="title" x="${margin}" y="20">${htmlText(title)}</text>`,
    ...graph.edges.map((edge) => drawEdge(edge, places, lanes)),
    ...graph.nodes.map((node, index) => drawNode(node, places[index], databases)),
  ];
  return { width, height, content: content.join('\n') };
}

interface Layout {
  readonly places: readonly Point[];
  /** Where an edge passes columns on its way, by its end. */
  readonly lanes: ReadonlyMap<number, readonly Point[]>;
  readonly width: number;
  readonly height: number;
}

/** A column for each kind there is; where edges pass one, they have a lane above its boxes. */
function layoutOf({ nodes, edges }: Graph, top: number): Layout {
  const kinds = nodeKinds.filter((kind) => nodes.some((node) => node.kind === kind));
  const columnOf = (index: number) => kinds.indexOf(nodes[index]?.kind ?? 'service');
  const passing = kinds.map((_, column) => [
    ...new Set(edges.filter(({ from, to }) => columnOf(from) < column && column < columnOf(to)).map(({ to }) => to)),
  ]);
  const rows = kinds.map((kind, column) => [
    ...(passing[column] ?? []).map((end) => ({ end })),
    ...nodes.filter((node) => node.kind === kind),
  ]);
  const step = box.height + box.gap;
  const highest = Math.max(...rows.map(({ length }) => length));
  const placeIn = (column: number, row: number): Point => ({
    x: margin + column * (box.width + columnGap),
    y: top + margin + ((highest - (rows[column]?.length ?? 0)) * step) / 2 + row * step,
  });
  const lanes = new Map<number, Point[]>();
  passing.forEach((ends, column) => ends.forEach((end, row) => lanes.set(end, [...(lanes.get(end) ?? []), placeIn(column, row)])));
  return {
    places: nodes.map((node, index) => placeIn(columnOf(index), rows[columnOf(index)]?.indexOf(node) ?? 0)),
    lanes,
    width: 2 * margin + kinds.length * (box.width + columnGap) - columnGap,
    height: top + 2 * margin + highest * step - box.gap,
  };
}

function drawEdge({ from, to, label }: Edge, places: readonly Point[], lanes: Layout['lanes']): string {
  const [start, end] = [places[from], places[to]];
  if (!start || !end) return '';
  const between = (lanes.get(to) ?? []).filter(({ x }) => start.x < x && x < end.x);
  const stops = [start, ...between, end];
  const path = stops.slice(1).map((next, index) => curve(stops[index] ?? start, next, index > 0));
  const line = `<path class="edge" d="${path.join(' ')}"/>`;
  const [x, y] = [start.x + box.width + columnGap * 0.3, start.y + (((stops[1] ?? end).y - start.y) * 0.216 + box.height / 2 - 5)];
  return label === '' ? line : `${line}<text class="label" x="${round(x)}" y="${round(y)}">${htmlText(label)}</text>`;
}

/** From the right side of one place to the left side of the next, on from where the last one ended. */
function curve(from: Point, to: Point, goesOn: boolean): string {
  const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
  const middle = (x1 + x2) / 2;
  return `${goesOn ? `L${x1} ${y1}` : `M${x1} ${y1}`} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const kindTitles: Readonly<Record<NodeKind, string>> = { proxy: 'proxy', service: 'service', pooler: 'pooler', database: 'database' };

function drawNode({ kind, name, count }: Node, place: Point | undefined, databases: readonly DatabaseSheet[]): string {
  if (!place) return '';
  const { x, y } = place;
  const database = kind === 'database' ? databases.find((each) => each.name === name && Number.isFinite(each.accepts)) : undefined;
  const detail = database ? `${database.totals.rollout.low} of ${database.accepts}` : [kindTitles[kind], count].filter(Boolean).join(' ');
  return [
    `<g><title>${htmlText([name, kindTitles[kind], count].filter(Boolean).join(' '))}</title>`,
    `<rect class="box ${kind}" x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="${kind === 'database' ? 14 : 6}"/>`,
    `<text x="${x + 12}" y="${y + 21}">${htmlText(shortened(name))}</text>`,
    `<text class="faint" x="${x + 12}" y="${y + (database ? 35 : 39)}">${htmlText(detail)}</text>`,
    database ? bar(database, x + 12, y + 40) : '',
    '</g>',
  ].join('');
}

const longestName = 24;

function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}

/** What is used at the most, against the limit. */
function bar({ totals: { rollout }, accepts }: DatabaseSheet, x: number, y: number): string {
  const width = box.width - 24;
  const scale = width / Math.max(accepts, rollout.low, 1);
  const limit = round(accepts * scale);
  const used = round(Math.min(rollout.low, accepts) * scale);
  const over = round(Math.max(0, rollout.low - accepts) * scale);
  const part = (kind: string, left: number, size: number) =>
    size > 0 ? `<rect class="${kind}" x="${left}" y="${y}" width="${size}" height="5"/>` : '';
  return part('limit', x, limit) + part('used', x, used) + part('over', x + limit, over);
}
