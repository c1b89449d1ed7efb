import type { SqlStatement } from '@poolcheck/parsers/sql/lexer';
import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import { classify } from './classify.ts';
import type { SqlEffect } from './effect.ts';
import { outermost, says, wordAt } from './phrase.ts';

/** State that a statement leaves on its session when its transaction is over, or expects to find there. */
export interface SessionState {
  readonly kind: 'parameter' | 'role' | 'characteristics' | 'subscription' | 'lock' | 'temporary' | 'cursor' | 'prepared' | 'library';
  /** What the statement is called in messages. */
  readonly statement: string;
  /** It takes back what another statement left, or uses it. */
  readonly undoes: boolean;
  /** The parameter that it sets; undefined for other state. */
  readonly parameter: string | undefined;
}

/** The state that a statement leaves on its session. */
export function statesOf(statement: SqlStatement, dialect: SqlDialect): readonly SessionState[] {
  const assigns = wordAt(statement.tokens, 0) === 'set';
  return classify(statement, dialect).flatMap((effect) => (assigns ? variableState(effect) : undefined) ?? sessionStateOf(effect) ?? []);
}

/** MySQL's `SET @name`; inside a query such a variable is mostly for that query alone. */
function variableState(effect: SqlEffect): SessionState | undefined {
  if (effect.kind !== 'user-variable' || effect.name === undefined) return undefined;
  return { ...state('parameter', `SET @${effect.name}`), parameter: `@${effect.name}` };
}

/** Whether one state takes back the other, or is what it was taken for. */
export function takesBack(undoing: SessionState, doing: SessionState): boolean {
  return undoing.undoes && !doing.undoes && undoing.kind === doing.kind && undoing.parameter === doing.parameter;
}

/** What a statement sets for the transaction that it runs in; undefined when it does something else as well, which may need it. */
export function localSettingOf(statement: SqlStatement, dialect: SqlDialect): string | undefined {
  if (dialect === 'mysql' || wordAt(statement.tokens, 0) === 'do') return undefined;
  for (const effect of classify(statement, dialect)) {
    if (effect.kind === 'set' && effect.local === true) return `SET LOCAL${effect.name === undefined ? '' : ` ${effect.name}`}`;
    if ((effect.kind === 'set-role' || effect.kind === 'session-authorization') && effect.local) return 'SET LOCAL';
    if (effect.kind === 'set-config' && effect.local === true && isCallAlone(statement)) return 'set_config(…, true)';
  }
  return undefined;
}

function isCallAlone({ tokens }: SqlStatement): boolean {
  const outer = outermost(tokens);
  return wordAt(outer, 0) === 'select' && !['from', 'where', 'union', 'into'].some((word) => says(outer, word));
}

/** What PostgreSQL keeps for the session after a statement; undefined for nothing, and for what a hole decides. */
export function sessionStateOf(effect: SqlEffect): SessionState | undefined {
  switch (effect.kind) {
    case 'set':
      return parameterState(effect.name, effect.local, `SET ${effect.name}`);
    case 'set-config':
      return parameterState(effect.name, effect.local, `set_config('${effect.name}', …, false)`);
    case 'session-authorization':
      return parameterState('session_authorization', effect.local, 'SET SESSION AUTHORIZATION');
    case 'reset':
      return effect.name === undefined ? undefined : { ...state('parameter', `RESET ${effect.name}`, true), parameter: effect.name };
    case 'set-role':
      return effect.local ? undefined : state('role', 'SET ROLE');
    case 'session-characteristics':
      return state('characteristics', 'SET SESSION CHARACTERISTICS');
    case 'listen':
      return state('subscription', 'LISTEN');
    case 'unlisten':
      return state('subscription', 'UNLISTEN', true);
    case 'advisory-lock':
      return effect.scope === 'session' ? state('lock', effect.function) : undefined;
    case 'advisory-unlock':
      return state('lock', effect.function, true);
    case 'temp-table':
      return effect.onCommitDrop ? undefined : state('temporary', `CREATE TEMP ${effect.object.toUpperCase()}`);
    case 'cursor':
      return effect.hold ? state('cursor', 'DECLARE … WITH HOLD') : undefined;
    case 'prepare':
      return state('prepared', 'PREPARE');
    case 'execute':
      return state('prepared', 'EXECUTE', true);
    case 'deallocate':
      return effect.name === 'all' ? undefined : state('prepared', 'DEALLOCATE', true);
    case 'load':
      return state('library', 'LOAD');
    case 'lock-tables':
      return effect.scope === 'session' ? state('lock', 'LOCK TABLES') : undefined;
    case 'unlock-tables':
      return state('lock', 'UNLOCK TABLES', true);
    case 'use-database':
      return { ...state('parameter', 'USE'), parameter: 'database' };
    default:
      return undefined;
  }
}

function state(kind: SessionState['kind'], statement: string, undoes = false): SessionState {
  return { kind, statement, undoes, parameter: undefined };
}

/** Parameters of the transaction, however they are set. */
const ofTransaction: ReadonlySet<string> = new Set(['transaction_isolation', 'transaction_read_only', 'transaction_deferrable']);

/** Switches of SQL Server, whose driver gives each borrower a reset session. */
const ofSqlServer = /^(identity_insert|nocount|xact_abort|ansi_\w+|quoted_identifier|arith\w+|rowcount|dateformat)$/;

function parameterState(name: string | undefined, local: boolean | 'unknown', statement: string): SessionState | undefined {
  if (local !== false || name === undefined || ofTransaction.has(name) || ofSqlServer.test(name)) return undefined;
  return { ...state('parameter', statement), parameter: name };
}
