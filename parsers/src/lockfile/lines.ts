import type { LockfileLine } from './document.ts';

/** What opens or closes, and says nothing. */
const silent = /^(#|[{}[\]]|$)/;

/** A key, in quotes or not, and what follows a colon or a space. */
const pair = /^("[^"]*"|'[^']*'|[^\s"':]+):?\s+(\S.*)$/;

/**
 * The lines of a lockfile, whichever program wrote it. Machines write them, one entry a line and indented: that is read instead of JSON
 * or YAML, because lockfiles are long and every line must keep its place.
 */
export function* linesOf(content: string): Generator<LockfileLine> {
  const path: string[] = [];
  const indents: number[] = [];
  for (let start = 0; start < content.length;) {
    const newline = content.indexOf('\n', start);
    const end = newline < 0 ? content.length : newline;
    const written = content.slice(start, end).trimEnd();
    const text = written.trimStart();
    if (!silent.test(text)) {
      const indent = written.length - text.length;
      while ((indents.at(-1) ?? -1) >= indent) {
        indents.pop();
        path.pop();
      }
      const { key, value } = readLine(text);
      indents.push(indent);
      path.push(key);
      yield { path, value, range: { start: start + indent, end: start + written.length } };
    }
    start = end + 1;
  }
}

function readLine(text: string): { readonly key: string; readonly value: string } {
  const opening = text.endsWith('{') ? text.slice(0, -1).trimEnd() : text;
  if (opening.endsWith(':')) return { key: unquoted(opening.slice(0, -1)), value: '' };
  const [, key = text, value = ''] = pair.exec(text) ?? [];
  return { key: unquoted(key), value: unquoted(value.replace(/,$/, '')) };
}

function unquoted(text: string): string {
  return /^(["'])[^"']*\1$/.test(text) ? text.slice(1, -1) : text;
}
