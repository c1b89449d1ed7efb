import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import { callEffects } from './calls.ts';
import type { SqlEffect } from './effect.ts';
import { isOperator, nameAt, outermost, says, saysAt, wordAt, type Tokens } from './phrase.ts';

const verbs: ReadonlySet<string | undefined> = new Set(['select', 'insert', 'update', 'delete', 'merge', 'values', 'table', 'replace']);

/** SELECT, WITH, INSERT and the like: what their functions do, what they lock, and where they put their rows. */
export function query(tokens: Tokens, dialect: SqlDialect): readonly SqlEffect[] {
  const calls = callEffects(tokens, dialect);
  if (mainVerb(tokens) !== 'select') return calls;
  const outer = outermost(tokens);
  return [...calls, ...(locksRows(outer) ? [{ kind: 'lock-rows' } as const] : []), ...intoTemporaryTable(outer)];
}

/** The verb after the common table expressions; the first one in a parenthesised query. */
function mainVerb(tokens: Tokens): string | undefined {
  const searched = wordAt(tokens, 0) === 'with' ? outermost(tokens) : tokens;
  return wordAt(
    searched,
    searched.findIndex((_, index) => verbs.has(wordAt(searched, index))),
  );
}

/** Only at the end of the statement itself: in a subquery or CTE the locks serve the same statement. */
function locksRows(outer: Tokens): boolean {
  const modes = [['update'], ['share'], ['no', 'key', 'update'], ['key', 'share']];
  return modes.some((mode) => says(outer, 'for', ...mode)) || says(outer, 'lock', 'in', 'share', 'mode');
}

/** SELECT … INTO TEMP [TABLE] name. */
function intoTemporaryTable(outer: Tokens): readonly SqlEffect[] {
  const into = outer.findIndex((_, index) => wordAt(outer, index) === 'into');
  if (into < 0 || !isTemporaryTarget(outer, into + 1)) return [];
  return [{ kind: 'temp-table', object: 'table', onCommitDrop: false }];
}

function isTemporaryTarget(outer: Tokens, index: number): boolean {
  if (saysAt(outer, index, 'local') || saysAt(outer, index, 'global')) return isTemporaryTarget(outer, index + 1);
  if (isTemporarySchema(outer, index)) return true;
  const temporary = saysAt(outer, index, 'temp') || saysAt(outer, index, 'temporary');
  return temporary && isName(outer, index + 1);
}

/** A table may be called temp: `INTO temp FROM t`. */
function isName(tokens: Tokens, index: number): boolean {
  const kind = tokens[index]?.kind;
  if (kind === 'word') return !['from', 'where', 'union', 'order', 'limit'].includes(wordAt(tokens, index) ?? '');
  return kind === 'quoted-name' || kind === 'hole';
}

/** `pg_temp.name` is a temporary object wherever it is created. */
export function isTemporarySchema(tokens: Tokens, index: number): boolean {
  return nameAt(tokens, index) === 'pg_temp' && isOperator(tokens[index + 1], '.');
}
