import { callEffects } from './calls.ts';
import type { SqlEffect } from './effect.ts';
import { isOperator, listed, nameAt, says, saysAt, wordAt, type Tokens } from './phrase.ts';
import { query } from './query.ts';
import { commit, release, rollback, savepoint, start } from './transaction.ts';

type Reader = (tokens: Tokens) => readonly SqlEffect[];

const executes: Reader = (tokens) => [...query(tokens, 'mysql'), ...assignedVariables(tokens)];

/** What a statement of MySQL or MariaDB does, by its first word. */
export const mysqlStatements: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['begin', () => [{ kind: 'begin' }]],
  ['start', start],
  ['commit', commit],
  ['rollback', rollback],
  ['savepoint', savepoint],
  ['release', release],
  ['set', set],
  ['use', (tokens) => [{ kind: 'use-database', name: nameAt(tokens, 1) }]],
  ['prepare', (tokens) => [{ kind: 'prepare', name: nameAt(tokens, 1) }]],
  ['execute', (tokens) => (saysAt(tokens, 1, 'immediate') ? [] : [{ kind: 'execute', name: nameAt(tokens, 1) }])],
  ['deallocate', deallocate],
  ['drop', deallocate],
  ['create', create],
  ['lock', (tokens) => (isTables(tokens) ? [{ kind: 'lock-tables', scope: 'session' }] : [])],
  ['unlock', (tokens) => (isTables(tokens) ? [{ kind: 'unlock-tables' }] : [])],
  ['flush', (tokens) => (says(tokens, 'with', 'read', 'lock') ? [{ kind: 'lock-tables', scope: 'session' }] : [])],
  ['do', (tokens) => callEffects(tokens, 'mysql')],
  ...['select', 'with', 'values', 'insert', 'update', 'delete', 'replace', 'call'].map((verb) => [verb, executes] as const),
]);

function isTables(tokens: Tokens): boolean {
  return saysAt(tokens, 1, 'tables') || saysAt(tokens, 1, 'table');
}

function deallocate(tokens: Tokens): readonly SqlEffect[] {
  return saysAt(tokens, 1, 'prepare') ? [{ kind: 'deallocate', name: nameAt(tokens, 2) }] : [];
}

function create(tokens: Tokens): readonly SqlEffect[] {
  const at = saysAt(tokens, 1, 'or', 'replace') ? 3 : 1;
  return saysAt(tokens, at, 'temporary', 'table') ? [{ kind: 'temp-table', object: 'table', onCommitDrop: false }] : [];
}

/** SET, which takes a list: `SET a = 1, @b = 2, GLOBAL c = 3`. */
function set(tokens: Tokens): readonly SqlEffect[] {
  if (wordAt(tokens, 1) === 'role') return [{ kind: 'set-role', local: false }];
  if (['password', 'default', 'resource', 'statement'].includes(wordAt(tokens, 1) ?? '')) return [];
  return [...listed(tokens.slice(1)).flatMap(assignment), ...callEffects(tokens, 'mysql')];
}

const forOthers: ReadonlySet<string | undefined> = new Set(['global', 'persist', 'persist_only']);
const forSession: ReadonlySet<string | undefined> = new Set(['session', 'local']);

function assignment(tokens: Tokens): readonly SqlEffect[] {
  if (isOperator(tokens[0], '@')) return isOperator(tokens[1], '@') ? systemVariable(tokens.slice(2)) : [userVariable(tokens, 1)];
  if (forOthers.has(wordAt(tokens, 0))) return [];
  if (tokens[0]?.kind === 'hole') return [{ kind: 'set', name: undefined, local: 'unknown' }];
  const scoped = forSession.has(wordAt(tokens, 0));
  if (saysAt(tokens, scoped ? 1 : 0, 'transaction')) return [{ kind: scoped ? 'session-characteristics' : 'set-transaction' }];
  return [{ kind: 'set', name: variableName(tokens, scoped ? 1 : 0), local: false }];
}

/** After `@@`. */
function systemVariable(tokens: Tokens): readonly SqlEffect[] {
  if (!isOperator(tokens[1], '.')) return [{ kind: 'set', name: nameAt(tokens, 0), local: false }];
  return forOthers.has(wordAt(tokens, 0)) ? [] : [{ kind: 'set', name: nameAt(tokens, 2), local: false }];
}

function variableName(tokens: Tokens, index: number): string | undefined {
  const charset = saysAt(tokens, index, 'character', 'set') || saysAt(tokens, index, 'charset');
  return charset ? 'names' : nameAt(tokens, index);
}

function userVariable(tokens: Tokens, index: number): SqlEffect {
  return { kind: 'user-variable', name: nameAt(tokens, index) };
}

/** `@a := 1` and `INTO @a, @b` inside a query. */
function assignedVariables(tokens: Tokens): readonly SqlEffect[] {
  const into = tokens.findIndex((_, index) => wordAt(tokens, index) === 'into');
  return tokens.flatMap((token, index) => {
    if (!isOperator(token, '@') || isOperator(tokens[index - 1], '@')) return [];
    const assigned = isOperator(tokens[index + 2], ':') && isOperator(tokens[index + 3], '=');
    return assigned || (into >= 0 && isIntoList(tokens, into, index)) ? [userVariable(tokens, index + 1)] : [];
  });
}

/** Whether nothing but variables and commas stands between INTO and the variable. */
function isIntoList(tokens: Tokens, into: number, index: number): boolean {
  const between = tokens.slice(into + 1, index);
  return between.every((token, offset) => offset % 3 !== 0 || isOperator(token, '@')) && between.length % 3 === 0;
}
