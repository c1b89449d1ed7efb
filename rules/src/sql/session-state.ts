import type { SqlEffect } from './effect.ts';

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
    default:
      return undefined;
  }
}

function state(kind: SessionState['kind'], statement: string, undoes = false): SessionState {
  return { kind, statement, undoes, parameter: undefined };
}

/** Parameters of the transaction, however they are set. */
const ofTransaction: ReadonlySet<string> = new Set(['transaction_isolation', 'transaction_read_only', 'transaction_deferrable']);

function parameterState(name: string | undefined, local: boolean | 'unknown', statement: string): SessionState | undefined {
  if (local !== false || name === undefined || ofTransaction.has(name)) return undefined;
  return { ...state('parameter', statement), parameter: name };
}
