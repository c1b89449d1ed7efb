import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import type { SqlToken } from '@poolcheck/parsers/sql/lexer';
import type { Local, SqlEffect } from './effect.ts';
import { insideParentheses, isOperator, listed, nameAt, type Tokens } from './phrase.ts';

type Call = (tokens: Tokens, open: number) => SqlEffect;

/** https://www.postgresql.org/docs/current/functions-admin.html */
const postgresqlCalls: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['set_config', setConfig],
  ['pg_notify', () => ({ kind: 'notify' })],
  ...['pg_advisory_lock', 'pg_advisory_lock_shared', 'pg_try_advisory_lock', 'pg_try_advisory_lock_shared'].map(locks('session')),
  ...['pg_advisory_xact_lock', 'pg_advisory_xact_lock_shared', 'pg_try_advisory_xact_lock', 'pg_try_advisory_xact_lock_shared'].map(
    locks('transaction'),
  ),
  ...['pg_advisory_unlock', 'pg_advisory_unlock_shared', 'pg_advisory_unlock_all'].map(unlocks),
]);

/** https://dev.mysql.com/doc/refman/8.4/en/locking-functions.html */
const mysqlCalls: ReadonlyMap<string, Call> = new Map<string, Call>([
  ...['get_lock'].map(locks('session')),
  ...['release_lock', 'release_all_locks'].map(unlocks),
]);

function locks(scope: 'session' | 'transaction'): (name: string) => readonly [string, Call] {
  return (name) => [name, () => ({ kind: 'advisory-lock', scope, function: name })];
}

function unlocks(name: string): readonly [string, Call] {
  return [name, () => ({ kind: 'advisory-unlock', function: name })];
}

/** The calls, at any depth, of functions that act on the connection or transaction. */
export function callEffects(tokens: Tokens, dialect: SqlDialect): readonly SqlEffect[] {
  const calls = dialect === 'mysql' ? mysqlCalls : postgresqlCalls;
  return tokens.flatMap((_, index) => {
    const call = calls.get(nameAt(tokens, index) ?? '');
    return call && isOperator(tokens[index + 1], '(') && isBuiltIn(tokens, index) ? [call(tokens, index + 1)] : [];
  });
}

/** Another schema may have a function of that name. */
function isBuiltIn(tokens: Tokens, index: number): boolean {
  return !isOperator(tokens[index - 1], '.') || nameAt(tokens, index - 2) === 'pg_catalog';
}

function setConfig(tokens: Tokens, open: number): SqlEffect {
  const args = listed(insideParentheses(tokens, open));
  const argument = (position: number, name: string) => args.find((arg) => isNamed(arg, name))?.slice(3) ?? args[position] ?? [];
  const setting = literal(argument(0, 'setting_name'));
  const name = setting?.kind === 'string' ? setting.value?.toLowerCase() : undefined;
  return { kind: 'set-config', name, local: readLocal(literal(argument(2, 'is_local'))) };
}

/** `name => value` or `name := value`. */
function isNamed(argument: Tokens, name: string): boolean {
  const [, first, second] = argument;
  return (
    nameAt(argument, 0) === name && (isOperator(first, '=') ? isOperator(second, '>') : isOperator(first, ':') && isOperator(second, '='))
  );
}

/** An argument that is one token, perhaps with a cast. */
function literal(argument: Tokens): SqlToken | undefined {
  const [first, second, third] = argument;
  return second === undefined || (isOperator(second, ':') && isOperator(third, ':')) ? first : undefined;
}

const yes: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const no: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', 'off', '0']);

function readLocal(token: SqlToken | undefined): Local {
  const value = token?.value?.trim().toLowerCase();
  if (value === undefined || (token?.kind !== 'word' && token?.kind !== 'string')) return 'unknown';
  if (token.kind === 'word' && value === 'null') return false;
  if (yes.has(value)) return true;
  return no.has(value) ? false : 'unknown';
}
