import type { SqlEffect } from './effect.ts';
import { isOperator, nameAt, saysAt, wordAt, type Tokens } from './phrase.ts';

/** SET of PostgreSQL in all its forms. */
export function postgresqlSet(tokens: Tokens): readonly SqlEffect[] {
  const scoped = isScope(tokens);
  return setRest(tokens.slice(scoped ? 2 : 1), scoped && wordAt(tokens, 1) === 'local');
}

/** LOCAL or SESSION before the rest; SESSION CHARACTERISTICS and SESSION AUTHORIZATION are the rest. */
function isScope(tokens: Tokens): boolean {
  if (isAssignment(tokens, 2)) return false;
  if (saysAt(tokens, 1, 'local')) return true;
  return saysAt(tokens, 1, 'session') && !saysAt(tokens, 2, 'characteristics') && !saysAt(tokens, 2, 'authorization');
}

function setRest(rest: Tokens, local: boolean): readonly SqlEffect[] {
  if (saysAt(rest, 0, 'constraints')) return [];
  if (saysAt(rest, 0, 'transaction')) return [{ kind: 'set-transaction' }];
  if (saysAt(rest, 0, 'session', 'characteristics')) return [{ kind: 'session-characteristics' }];
  if (rest[0]?.kind === 'hole' && !local) return setUnknown(rest);
  const name = parameterName(rest);
  if (isDefault(rest) && !local) return [{ kind: 'reset', name }];
  if (name === 'role') return [{ kind: 'set-role', local }];
  if (name === 'session_authorization') return [{ kind: 'session-authorization', local }];
  return [{ kind: 'set', name, local }];
}

/** The hole may say LOCAL before the name. */
function setUnknown(rest: Tokens): readonly SqlEffect[] {
  return isAssignment(rest, 1) || isOperator(rest[1], '.') ? [{ kind: 'set', name: undefined, local: 'unknown' }] : [];
}

/** Spellings of their own for what is a parameter all the same. */
const spelledOut: readonly (readonly [name: string, ...words: readonly string[]])[] = [
  ['timezone', 'time', 'zone'],
  ['session_authorization', 'session', 'authorization'],
  ['transaction_isolation', 'transaction', 'isolation', 'level'],
  ['xmloption', 'xml', 'option'],
];

/** Words with the value right behind them. */
const aliases: ReadonlyMap<string | undefined, string> = new Map([
  ['names', 'client_encoding'],
  ['schema', 'search_path'],
]);

/** The parameter that a SET or RESET names at its start; `all` is one of RESET. */
export function parameterName(rest: Tokens): string | undefined {
  const spelled = spelledOut.find(([, ...words]) => saysAt(rest, 0, ...words));
  if (spelled) return spelled[0];
  const end = rest.findIndex((_, index) => isAssignment(rest, index));
  if (end >= 0) return joined(rest.slice(0, end));
  if (rest.length === 1 || isOperator(rest[1], '.')) return joined(rest);
  return aliases.get(nameAt(rest, 0)) ?? nameAt(rest, 0);
}

/** `a.b`; undefined when a part has a hole in it. */
function joined(tokens: Tokens): string | undefined {
  const parts = tokens.map((token, index) => (isOperator(token, '.') ? '.' : nameAt(tokens, index)));
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('');
}

function isAssignment(tokens: Tokens, index: number): boolean {
  return isOperator(tokens[index], '=') || wordAt(tokens, index) === 'to';
}

function isDefault(rest: Tokens): boolean {
  return wordAt(rest, rest.length - 1) === 'default' || saysAt(rest, 0, 'time', 'zone', 'local');
}
