import type { SqlEffect } from './effect.ts';
import { nameAt, says, saysAt, wordAt, type Tokens } from './phrase.ts';

/** COMMIT, and END where it is one. */
export function commit(tokens: Tokens): readonly SqlEffect[] {
  if (wordAt(tokens, 1) === 'prepared') return [];
  return [{ kind: 'commit', chain: says(tokens, 'and', 'chain') }];
}

/** ROLLBACK, with or without TO. */
export function rollback(tokens: Tokens): readonly SqlEffect[] {
  if (wordAt(tokens, 1) === 'prepared') return [];
  const to = tokens.findIndex((_, index) => index > 0 && wordAt(tokens, index) === 'to');
  if (to < 0) return [{ kind: 'rollback', chain: says(tokens, 'and', 'chain') }];
  return [{ kind: 'rollback-to', name: savepointAt(tokens, to + 1) }];
}

export function savepoint(tokens: Tokens): readonly SqlEffect[] {
  return [{ kind: 'savepoint', name: nameAt(tokens, 1) }];
}

export function release(tokens: Tokens): readonly SqlEffect[] {
  return [{ kind: 'release-savepoint', name: savepointAt(tokens, 1) }];
}

export function start(tokens: Tokens): readonly SqlEffect[] {
  return saysAt(tokens, 1, 'transaction') ? [{ kind: 'begin' }] : [];
}

/** The word SAVEPOINT may stand before the name, and be one. */
function savepointAt(tokens: Tokens, index: number): string | undefined {
  return nameAt(tokens, saysAt(tokens, index, 'savepoint') && tokens[index + 1] ? index + 1 : index);
}
