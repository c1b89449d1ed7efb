import type { SqlStatement } from '@poolcheck/parsers/sql/lexer';
import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import type { SqlEffect } from './effect.ts';
import { mysqlStatements } from './mysql.ts';
import { insideParentheses, isOperator, wordAt, type Tokens } from './phrase.ts';
import { postgresqlStatements } from './postgresql.ts';

/** What a statement does to its connection or transaction; nothing when it does nothing of the kind, or begins with a hole. */
export function classify(statement: SqlStatement, dialect: SqlDialect): readonly SqlEffect[] {
  const tokens = withoutParentheses(statement.tokens);
  const statements = dialect === 'mysql' ? mysqlStatements : postgresqlStatements;
  return statements.get(firstWord(tokens) ?? '')?.(tokens) ?? [];
}

/** A query may stand in parentheses. */
function withoutParentheses(tokens: Tokens): Tokens {
  const inside = insideParentheses(tokens, 0);
  return isOperator(tokens[0], '(') && inside.length === tokens.length - 2 ? withoutParentheses(inside) : tokens;
}

/** A union may begin with a query in parentheses. */
function firstWord(tokens: Tokens): string | undefined {
  const at = tokens.findIndex((token) => !isOperator(token, '('));
  return wordAt(tokens, at);
}
