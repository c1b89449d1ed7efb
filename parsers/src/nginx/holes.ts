import type { Range } from '../text.ts';

/** A place in a template that is replaced before nginx reads the file. */
export interface Hole extends Range {
  /** A `variable` is filled by envsubst; a `control` (a condition, a loop, a comment) writes nothing itself. */
  readonly kind: 'value' | 'control' | 'variable';
  /** Nothing else stands on its lines, so it may write whole directives. */
  readonly alone: boolean;
}

interface Style {
  readonly open: string;
  readonly close: string;
  readonly isControl: (inside: string) => boolean;
}

const keyword = /^[-~\s]*(?:\/|!|#|(?:if|else|end|endif|range|with|define|block|for|endfor|set|break|continue)\b|\$\w+\s*:?=)/;

/** Go templates, Helm, Handlebars and Jinja expressions; Jinja statements; ERB. */
const styles: readonly Style[] = [
  { open: '{{', close: '}}', isControl: (inside) => keyword.test(inside) },
  { open: '{%', close: '%}', isControl: () => true },
  { open: '<%', close: '%>', isControl: (inside) => !inside.startsWith('=') },
];

/** The holes of template engines, and the variables that envsubst fills, by where they start. */
export function findHoles(content: string): ReadonlyMap<number, Hole> {
  const holes = [...environmentHoles(content), ...styles.flatMap((style) => engineHoles(content, style))];
  return new Map(holes.map((hole) => [hole.start, hole]));
}

function engineHoles(content: string, { open, close, isControl }: Style): readonly Hole[] {
  const holes: Hole[] = [];
  let from = content.indexOf(open);
  while (from >= 0) {
    const closed = content.indexOf(close, from + open.length);
    if (closed < 0) break;
    const opened = content.lastIndexOf(open, closed - open.length);
    const extra = isTriple(content, opened, closed) ? 1 : 0;
    const [start, end] = [opened - extra, closed + close.length + extra];
    const kind = isControl(content.slice(opened + open.length, closed)) ? 'control' : 'value';
    holes.push({ start, end, kind, alone: isAlone(content, start, end) });
    from = content.indexOf(open, end);
  }
  return holes;
}

/** `{{{ raw }}}` */
function isTriple(content: string, opened: number, closed: number): boolean {
  return content.startsWith('{{{', opened - 1) && content.startsWith('}}}', closed);
}

const formatField = /\{[A-Za-z_]\w*\}/y;

/** `{host}`, as Python's `str.format` fills it. nginx takes none outside of quotes: a block has its `;` before the `}`. */
export function formatFieldAt(content: string, start: number): Hole | undefined {
  if (content[start] !== '{' || content[start - 1] === '$') return undefined;
  formatField.lastIndex = start;
  const [field] = formatField.exec(content) ?? [];
  if (field === undefined) return undefined;
  const end = start + field.length;
  return { start, end, kind: 'value', alone: isAlone(content, start, end) };
}

function isAlone(content: string, start: number, end: number): boolean {
  let before = start - 1;
  while (isBlank(content[before])) before--;
  let after = end;
  while (isBlank(content[after])) after++;
  return isLineEdge(content[before]) && isLineEdge(content[after]);
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

function isLineEdge(char: string | undefined): boolean {
  return char === undefined || char === '\n' || char === '\r';
}

const upperCaseVariable = /\$(?:\{([A-Z][A-Z0-9_]*)\}|([A-Z][A-Z0-9_]*)(?!\w))/g;
const definition = /\b(?:set|map|geo|split_clients|perl_set|js_set|auth_request_set)\s[^;{}]{0,400}?\$([A-Z][A-Z0-9_]*)\b/g;

/** nginx's own variables are lower case; an upper-case one that the file does not define comes from the environment. */
function environmentHoles(content: string): readonly Hole[] {
  const defined = new Set(Array.from(content.matchAll(definition), (match) => match[1]));
  return Array.from(content.matchAll(upperCaseVariable))
    .filter((match) => !defined.has(match[1] ?? match[2]))
    .map((match) => ({ start: match.index, end: match.index + match[0].length, kind: 'variable', alone: false }));
}
