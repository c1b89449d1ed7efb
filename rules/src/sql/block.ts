import { lexSql } from '@poolcheck/parsers/sql/lexer';
import { textOf } from '@poolcheck/parsers/text';
import { callEffects } from './calls.ts';
import type { SqlEffect } from './effect.ts';
import { wordAt, type Tokens } from './phrase.ts';

type Reader = (tokens: Tokens) => readonly SqlEffect[];

/** What the body of a DO block does, which runs in one transaction: its calls, and the statements that have a reader. */
export function blockEffects(tokens: Tokens, readers: ReadonlyMap<string, Reader>): readonly SqlEffect[] {
  const body = tokens.find(({ kind }, index) => kind === 'string' && wordAt(tokens, index - 1) !== 'language')?.value;
  if (body === undefined || !isPlpgsql(tokens)) return [];
  const pieces = [{ kind: 'sql', value: body, range: { start: 0, end: body.length } }] as const;
  return lexSql({ text: textOf('', body), pieces }, 'postgresql').flatMap((statement) => {
    const start = startOf(statement.tokens);
    const read = readers.get(wordAt(statement.tokens, start) ?? '');
    if (!read) return callEffects(statement.tokens, 'postgresql');
    return [...callEffects(statement.tokens.slice(0, start), 'postgresql'), ...read(statement.tokens.slice(start))];
  });
}

function isPlpgsql(tokens: Tokens): boolean {
  const at = tokens.findIndex((_, index) => wordAt(tokens, index) === 'language');
  return at < 0 || tokens[at + 1]?.value?.toLowerCase() === 'plpgsql';
}

const opensStatements: ReadonlySet<string | undefined> = new Set(['begin', 'then', 'else', 'loop']);

/** Where the statement itself begins, after `IF … THEN`, `BEGIN`, `LOOP` and the like. */
function startOf(tokens: Tokens): number {
  return tokens.findLastIndex((_, index) => opensStatements.has(wordAt(tokens, index))) + 1;
}
