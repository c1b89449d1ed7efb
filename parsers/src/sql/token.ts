import { hole } from './source.ts';

export type SqlDialect = 'postgresql' | 'mysql';

/** Keywords are words: SQL tells them from names by where they stand. A dollar-quoted body is a string. */
export type SqlTokenKind = 'word' | 'quoted-name' | 'string' | 'number' | 'operator' | 'parameter' | 'hole';

/** A token in the joined SQL. Operators are one character each. */
export interface SqlSpan {
  readonly kind: SqlTokenKind;
  /** A word in lower case; a name or string without its quotes; undefined when a hole is part of it. */
  readonly value: string | undefined;
  readonly start: number;
  readonly end: number;
}

const blank = /[ \t-\r]*/y;
const executedComment = /\/\*![0-9]*/y;
const word = /[A-Za-z_\0\x80-\uffff][\w$\0\x80-\uffff]*/y;
const number = /\.?[0-9][\w.\0]*/y;
const escapedString = /[eE]'/y;
const parameter = /\$[0-9]+/y;
const dollarQuote = /\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$/y;

/** The first token at or after an offset; undefined at the end. Blanks and comments are skipped. */
export function nextSpan(sql: string, from: number, dialect: SqlDialect): SqlSpan | undefined {
  const at = skipBlanks(sql, from, dialect);
  if (at >= sql.length) return undefined;
  return quoted(sql, at, dialect) ?? bare(sql, at, dialect) ?? { kind: 'operator', value: sql.charAt(at), start: at, end: at + 1 };
}

function quoted(sql: string, at: number, dialect: SqlDialect): SqlSpan | undefined {
  const mysql = dialect === 'mysql';
  switch (sql[at]) {
    case "'":
      return literal(sql, 'string', at, at, mysql);
    case '"':
      return literal(sql, mysql ? 'string' : 'quoted-name', at, at, mysql);
    case '`':
      return mysql ? literal(sql, 'quoted-name', at, at, false) : undefined;
    case '$':
      return mysql ? undefined : dollarQuoted(sql, at);
    default:
      return !mysql && matchAt(escapedString, sql, at) ? literal(sql, 'string', at, at + 1, true) : undefined;
  }
}

/** A literal whose quote stands at `open`; the quote is doubled inside, or escaped where backslashes do that. */
function literal(sql: string, kind: 'string' | 'quoted-name', start: number, open: number, backslashes: boolean): SqlSpan {
  const quote = sql.charAt(open);
  let at = open + 1;
  while (at < sql.length && (sql[at] !== quote || sql[at + 1] === quote)) {
    at += sql[at] === quote || (backslashes && sql[at] === '\\') ? 2 : 1;
  }
  const body = sql.slice(open + 1, at).replaceAll(quote + quote, quote);
  return span(kind, backslashes ? body.replace(/\\([^])/g, '$1') : body, start, Math.min(at + 1, sql.length));
}

function dollarQuoted(sql: string, at: number): SqlSpan | undefined {
  const tag = matchAt(dollarQuote, sql, at);
  if (tag === undefined) return undefined;
  const open = at + tag.length;
  const close = sql.indexOf(tag, open);
  return close < 0 ? span('string', sql.slice(open), at, sql.length) : span('string', sql.slice(open, close), at, close + tag.length);
}

function bare(sql: string, at: number, dialect: SqlDialect): SqlSpan | undefined {
  const name = matchAt(word, sql, at);
  if (name !== undefined) return span('word', name.toLowerCase(), at, at + name.length);
  const digits = matchAt(number, sql, at);
  if (digits !== undefined) return span('number', digits, at, at + digits.length);
  const placeholder = dialect === 'mysql' ? (sql[at] === '?' ? '?' : undefined) : matchAt(parameter, sql, at);
  return placeholder === undefined ? undefined : span('parameter', placeholder, at, at + placeholder.length);
}

/** What a hole touches is not known: `pg_advisory_${kind}(` may be any function. */
function span(kind: SqlTokenKind, value: string, start: number, end: number): SqlSpan {
  if (!value.includes(hole)) return { kind, value, start, end };
  return { kind: kind === 'word' || kind === 'number' ? 'hole' : kind, value: undefined, start, end };
}

function skipBlanks(sql: string, from: number, dialect: SqlDialect): number {
  let at = from;
  for (;;) {
    const next = afterComment(sql, at + (matchAt(blank, sql, at)?.length ?? 0), dialect);
    if (next === at) return at;
    at = next;
  }
}

/** Where the comment that starts at an offset ends; the offset itself when none does. */
function afterComment(sql: string, at: number, dialect: SqlDialect): number {
  const mysql = dialect === 'mysql';
  if (sql.startsWith('--', at) && (!mysql || isBlank(sql[at + 2]))) return lineEnd(sql, at);
  if (mysql && sql[at] === '#') return lineEnd(sql, at);
  if (mysql && sql.startsWith('/*!', at)) return at + (matchAt(executedComment, sql, at)?.length ?? 0);
  if (mysql && sql.startsWith('*/', at)) return at + 2;
  return sql.startsWith('/*', at) ? afterBlockComment(sql, at, !mysql) : at;
}

function isBlank(char: string | undefined): boolean {
  return char === undefined || char <= ' ';
}

export function lineEnd(sql: string, at: number): number {
  const newline = sql.indexOf('\n', at);
  return newline < 0 ? sql.length : newline;
}

const commentEdge = /\/\*|\*\//g;

function afterBlockComment(sql: string, start: number, nested: boolean): number {
  let depth = 0;
  commentEdge.lastIndex = start;
  for (let edge = commentEdge.exec(sql); edge; edge = commentEdge.exec(sql)) {
    if (edge[0] === '*/') depth--;
    else if (nested || depth === 0) depth++;
    if (depth === 0) return edge.index + 2;
  }
  return sql.length;
}

function matchAt(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}
