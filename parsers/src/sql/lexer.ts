import type { Range, Text } from '../text.ts';
import { bodyDepth } from './routine.ts';
import { joinSql, type JoinedSql, type SqlSource } from './source.ts';
import { nextSpan, type SqlDialect, type SqlSpan, type SqlTokenKind } from './token.ts';

/** One statement, without its semicolon: at least one token. */
export interface SqlStatement {
  readonly text: Text;
  /** From its first token to its last. */
  readonly range: Range;
  readonly tokens: readonly SqlToken[];
}

export interface SqlToken {
  readonly kind: SqlTokenKind;
  /** A word in lower case; a name or string without its quotes; undefined when a hole is part of it. */
  readonly value: string | undefined;
  readonly range: Range;
}

/** The statements of SQL that may have holes in it. */
export function lexSql(source: SqlSource, dialect: SqlDialect): readonly SqlStatement[] {
  const joined = joinSql(source);
  return Array.from(splitStatements(joined.sql, dialect), (spans) => statementOf(joined, spans));
}

function* splitStatements(sql: string, dialect: SqlDialect): Generator<readonly SqlSpan[]> {
  let spans: SqlSpan[] = [];
  let parentheses = 0;
  let body = 0;
  for (let span = nextSpan(sql, 0, dialect); span; span = nextSpan(sql, span.end, dialect)) {
    if (isOperator(span, ';') && parentheses === 0 && body === 0) {
      if (spans.length > 0) yield spans;
      spans = [];
      continue;
    }
    spans.push(span);
    if (isOperator(span, '(')) parentheses++;
    else if (isOperator(span, ')') && parentheses > 0) parentheses--;
    else body = bodyDepth(body, spans, dialect);
  }
  if (spans.length > 0) yield spans;
}

function isOperator({ kind, value }: SqlSpan, operator: string): boolean {
  return kind === 'operator' && value === operator;
}

function statementOf({ text, rangeOf }: JoinedSql, spans: readonly SqlSpan[]): SqlStatement {
  const tokens = spans.map(({ kind, value, start, end }) => ({ kind, value, range: rangeOf(start, end) }));
  return { text, tokens, range: rangeOf(spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0) };
}
