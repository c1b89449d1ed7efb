/** A terminal of so many columns as a picture: the same characters in the same colours. */
export function pictureOf(output: string, columns: number): string {
  const rows = output.trimEnd().split('\n').flatMap((line) => wrapped(cellsOf(line), columns));
  const width = Math.ceil(columns * cellWidth) + 2 * margin;
  const height = rows.length * rowHeight + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="poolcheck in a terminal">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#d1d7e0">`,
    ...rows.map((cells, index) => rowOf(cells, margin + (index + 0.75) * rowHeight)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const margin = 16;
const cellWidth = 7.8;
const rowHeight = 18;

/** What stands in one place of the screen. */
interface Cell {
  readonly character: string;
  /** The attributes of its colour and weight. */
  readonly look: string;
}

const faint = '#7d8590';
const colours: Readonly<Record<string, string>> = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 36: '#76e3ea', 90: faint };

const sequence = /\x1b\[([\d;]*)m/;

/** Reads the codes for colour, bold and faint (https://man7.org/linux/man-pages/man4/console_codes.4.html). */
function cellsOf(line: string): readonly Cell[] {
  let codes: readonly string[] = [];
  return line.split(sequence).flatMap((part, index) => {
    if (index % 2 === 1) {
      codes = part.split(';').reduce(withCode, codes);
      return [];
    }
    const look = lookOf(codes);
    return [...part].map((character) => ({ character, look }));
  });
}

function withCode(codes: readonly string[], code: string): readonly string[] {
  if (code === '0' || code === '') return [];
  if (code === '22') return codes.filter((each) => each !== '1' && each !== '2');
  return code === '39' ? codes.filter((each) => !(each in colours)) : [...codes, code];
}

function lookOf(codes: readonly string[]): string {
  const colour = colours[codes.findLast((code) => code in colours) ?? ''] ?? (codes.includes('2') ? faint : undefined);
  return `${colour === undefined ? '' : ` fill="${colour}"`}${codes.includes('1') ? ' font-weight="bold"' : ''}`;
}

function wrapped(cells: readonly Cell[], columns: number): readonly (readonly Cell[])[] {
  const rows = Math.max(1, Math.ceil(cells.length / columns));
  return Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
}

/** Each run of one look is a span; its length is given, so that columns line up in every font. */
function rowOf(cells: readonly Cell[], y: number): string {
  const runs: { look: string; text: string }[] = [];
  for (const { character, look } of cells) {
    const last = runs.at(-1);
    if (last?.look === look) last.text += character;
    else runs.push({ look, text: character });
  }
  const spans = runs.map(({ look, text }) => (look === '' ? escaped(text) : `<tspan${look}>${escaped(text)}</tspan>`));
  const length = (cells.length * cellWidth).toFixed(1);
  return cells.length === 0 ? '' : `<text x="${margin}" y="${y.toFixed(1)}" textLength="${length}">${spans.join('')}</text>`;
}

/** Renderers do not agree on keeping plain spaces. */
function escaped(text: string): string {
  return text.replaceAll(' ', '\u00A0').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
