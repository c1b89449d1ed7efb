import type { SqlDialect, SqlSpan } from './token.ts';

/** `END IF` closes what {@link bodyDepth} does not count. */
const uncounted: ReadonlySet<string | undefined> = new Set(['if', 'loop', 'while', 'repeat']);

/** How deep the last of the spans stands in the body of a routine, where semicolons do not end the statement. */
export function bodyDepth(depth: number, spans: readonly SqlSpan[], dialect: SqlDialect): number {
  const word = wordAt(spans, spans.length - 1);
  if (word === undefined || wordAt(spans, 0) !== 'create') return depth;
  const previous = wordAt(spans, spans.length - 2);
  if (previous === 'end' && uncounted.has(word)) return depth + 1;
  if (depth === 0) return opensBody(word, previous, dialect) && createsRoutine(spans, dialect) ? 1 : 0;
  if (word === 'end') return depth - 1;
  return word === 'begin' || (word === 'case' && previous !== 'end') ? depth + 1 : depth;
}

function opensBody(word: string, previous: string | undefined, dialect: SqlDialect): boolean {
  return dialect === 'mysql' ? word === 'begin' : word === 'atomic' && previous === 'begin';
}

function createsRoutine(spans: readonly SqlSpan[], dialect: SqlDialect): boolean {
  const routines = dialect === 'mysql' ? ['procedure', 'function', 'trigger', 'event'] : ['procedure', 'function'];
  return spans.slice(0, 16).some(({ kind, value }) => kind === 'word' && value !== undefined && routines.includes(value));
}

function wordAt(spans: readonly SqlSpan[], index: number): string | undefined {
  const span = spans[index];
  return span?.kind === 'word' ? span.value : undefined;
}
