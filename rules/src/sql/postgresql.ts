import { blockEffects } from './block.ts';
import { callEffects } from './calls.ts';
import type { SqlEffect } from './effect.ts';
import { isOperator, nameAt, outermost, says, saysAt, wordAt, type Tokens } from './phrase.ts';
import { isTemporarySchema, query } from './query.ts';
import { postgresqlSet, parameterName } from './set.ts';
import { commit, release, rollback, savepoint, start } from './transaction.ts';

type Reader = (tokens: Tokens) => readonly SqlEffect[];

const executes: Reader = (tokens) => query(tokens, 'postgresql');

/** What acts on the session, in a DO block too. */
const ofSession: readonly (readonly [string, Reader])[] = [
  ['set', postgresqlSet],
  ['reset', (tokens) => [{ kind: 'reset', name: parameterName(tokens.slice(1)) }]],
  ['listen', (tokens) => [{ kind: 'listen', channel: nameAt(tokens, 1) }]],
  ['unlisten', () => [{ kind: 'unlisten' }]],
  ['load', (tokens) => (isText(tokens, 1) ? [{ kind: 'load' }] : [])],
  ['create', create],
];

const inBlocks = new Map(ofSession);

/** What a statement of PostgreSQL does, by its first word. */
export const postgresqlStatements: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...ofSession,
  ['begin', () => [{ kind: 'begin' }]],
  ['start', start],
  ['commit', commit],
  ['end', commit],
  ['rollback', rollback],
  ['abort', rollback],
  ['savepoint', savepoint],
  ['release', release],
  ['discard', (tokens) => [{ kind: 'discard', what: wordAt(tokens, 1) }]],
  ['notify', () => [{ kind: 'notify' }]],
  ['prepare', prepare],
  ['execute', (tokens) => [{ kind: 'execute', name: nameAt(tokens, 1) }]],
  ['deallocate', (tokens) => [{ kind: 'deallocate', name: nameAt(tokens, saysAt(tokens, 1, 'prepare') ? 2 : 1) }]],
  ['declare', declare],
  ['lock', () => [{ kind: 'lock-tables', scope: 'transaction' }]],
  ['do', (tokens) => [{ kind: 'do-block' }, ...blockEffects(tokens, inBlocks)]],
  ['explain', (tokens) => (says(tokens, 'analyze') || says(tokens, 'analyse') ? callEffects(tokens, 'postgresql') : [])],
  ...['select', 'with', 'values', 'insert', 'update', 'delete', 'merge', 'call', 'copy'].map((verb) => [verb, executes] as const),
]);

/** PREPARE TRANSACTION 'id' ends the transaction; a prepared statement may be called transaction, too. */
function prepare(tokens: Tokens): readonly SqlEffect[] {
  if (saysAt(tokens, 1, 'transaction') && isText(tokens, 2)) return [{ kind: 'prepare-transaction' }];
  return [{ kind: 'prepare', name: nameAt(tokens, 1) }];
}

function isText(tokens: Tokens, index: number): boolean {
  return tokens[index]?.kind === 'string' || tokens[index]?.kind === 'hole';
}

function declare(tokens: Tokens): readonly SqlEffect[] {
  const body = tokens.findIndex((_, index) => wordAt(tokens, index) === 'for');
  const head = body < 0 ? tokens : tokens.slice(0, body);
  return says(head, 'cursor') ? [{ kind: 'cursor', hold: says(head, 'with', 'hold') }] : [];
}

const modifiers: ReadonlySet<string | undefined> = new Set([
  'or',
  'replace',
  'global',
  'local',
  'temp',
  'temporary',
  'unlogged',
  'recursive',
  'materialized',
]);
const objects: ReadonlySet<string | undefined> = new Set(['table', 'view', 'sequence']);

function create(tokens: Tokens): readonly SqlEffect[] {
  const at = tokens.findIndex((_, index) => index > 0 && !modifiers.has(wordAt(tokens, index)));
  const object = wordAt(tokens, at);
  if (object === undefined || !objects.has(object)) return [];
  const head = tokens.slice(0, at);
  const name = saysAt(tokens, at + 1, 'if', 'not', 'exists') ? at + 4 : at + 1;
  const effects = object === 'table' || says(head, 'materialized') ? queryEffects(tokens) : [];
  if (!says(head, 'temp') && !says(head, 'temporary') && !isTemporarySchema(tokens, name)) return effects;
  return [{ kind: 'temp-table', object, onCommitDrop: says(outermost(tokens), 'on', 'commit', 'drop') }, ...effects];
}

/** CREATE TABLE … AS runs its query; a view keeps it for later. */
function queryEffects(tokens: Tokens): readonly SqlEffect[] {
  const body = tokens.findIndex((_, index) => wordAt(tokens, index) === 'as' && startsQuery(tokens, index + 1));
  return body < 0 ? [] : callEffects(tokens.slice(body), 'postgresql');
}

function startsQuery(tokens: Tokens, index: number): boolean {
  return isOperator(tokens[index], '(')
    ? startsQuery(tokens, index + 1)
    : ['select', 'with', 'values'].includes(wordAt(tokens, index) ?? '');
}
