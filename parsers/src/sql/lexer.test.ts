import fc from 'fast-check';
import { loadModule, parseSync, scanSync } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { lexSql, type SqlStatement } from './lexer.ts';
import type { SqlPiece } from './source.ts';
import type { SqlDialect } from './token.ts';

beforeAll(loadModule);

function lex(sql: string, dialect: SqlDialect = 'postgresql'): readonly SqlStatement[] {
  const pieces = [{ kind: 'sql', value: sql, range: { start: 0, end: sql.length } }] as const;
  return lexSql({ text: textOf('a.sql', sql), pieces }, dialect);
}

/** A JavaScript template: what stands in `${…}` is a hole, escapes are undone. */
function lexTemplate(content: string): readonly SqlStatement[] {
  const pieces: SqlPiece[] = [];
  let at = 0;
  for (const match of content.matchAll(/\$\{.*?\}|$/g)) {
    const value = content.slice(at, match.index).replace(/\\(u\{1F600\}|[^])/g, (_, escaped: string) => escapes[escaped] ?? escaped);
    pieces.push({ kind: 'sql', value, range: { start: at, end: match.index } });
    at = match.index + match[0].length;
    if (match[0]) pieces.push({ kind: 'hole', range: { start: match.index, end: at } });
  }
  return lexSql({ text: textOf('a.ts', content), pieces }, 'postgresql');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\n': '', 'u{1F600}': '\u{1F600}' };

function show(statements: readonly SqlStatement[]): string[] {
  return statements.map(({ tokens }) => tokens.map(({ kind, value }) => `${kind}:${value ?? '?'}`).join(' '));
}

function ranges(statements: readonly SqlStatement[]): string[] {
  return statements.map(({ text, range }) => slice(text, range));
}

describe('tokens', () => {
  test.each<[SqlDialect, string, string]>([
    ['postgresql', `SELECT "a""b", 'it''s' FROM t`, `word:select quoted-name:a"b operator:, string:it's word:from word:t`],
    ['postgresql', `E'it\\'s' 'a\\' x`, `string:it's string:a\\ word:x`],
    ['postgresql', `$$a;b$$ $x$ $$ ' $x$ $1 a$b$`, `string:a;b string: $$ '  parameter:$1 word:a$b$`],
    ['postgresql', '1.5e3 .5 0x1F 1_000', 'number:1.5e3 number:.5 number:0x1F number:1_000'],
    ['postgresql', 'a::b -- c\n/* /* d */ ; */ e', 'word:a operator:: operator:: word:b word:e'],
    ['postgresql', "U&'d' x'1F'", `word:u operator:& string:d word:x string:1F`],
    ['postgresql', 'größe # `', 'word:größe operator:# operator:`'],
    ['mysql', '`a``b` "x\\"y" \'it\\\'s\' ?', 'quoted-name:a`b string:x"y string:it\'s parameter:?'],
    ['mysql', '# c\nSELECT 5--1 -- d\n/* /* */ @a', 'word:select number:5 operator:- operator:- number:1 operator:@ word:a'],
    ['mysql', '/*!40101 SET NAMES utf8 */', 'word:set word:names word:utf8'],
    ['mysql', '$$ a', 'operator:$ operator:$ word:a'],
  ])('of %s %j', (dialect, sql, tokens) => expect(show(lex(sql, dialect))).toEqual([tokens]));
});

describe('statements', () => {
  test.each<[SqlDialect, string, string[]]>([
    ['postgresql', '', []],
    ['postgresql', ' ; -- ;\n ;', []],
    ['postgresql', ' BEGIN;COMMIT ;; ', ['BEGIN', 'COMMIT']],
    ['postgresql', "SELECT ';' /* ; */; DO $$ BEGIN; END $$;", ["SELECT ';'", 'DO $$ BEGIN; END $$']],
    ['postgresql', 'CREATE RULE r AS ON INSERT TO t DO (a; b); c', ['CREATE RULE r AS ON INSERT TO t DO (a; b)', 'c']],
    [
      'postgresql',
      'CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN a THEN 1 END; SELECT 2; END; BEGIN; COMMIT',
      ['CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN a THEN 1 END; SELECT 2; END', 'BEGIN', 'COMMIT'],
    ],
    ['postgresql', 'CREATE TABLE t (begin int); atomic', ['CREATE TABLE t (begin int)', 'atomic']],
    [
      'mysql',
      'CREATE PROCEDURE p() BEGIN IF a THEN SELECT 1; END IF; BEGIN CASE a WHEN 1 THEN b; END CASE; END; END; BEGIN; COMMIT',
      ['CREATE PROCEDURE p() BEGIN IF a THEN SELECT 1; END IF; BEGIN CASE a WHEN 1 THEN b; END CASE; END; END', 'BEGIN', 'COMMIT'],
    ],
    [
      'mysql',
      'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET @x = 1; BEGIN',
      ['CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET @x = 1', 'BEGIN'],
    ],
  ])('of %s %j', (dialect, sql, expected) => expect(ranges(lex(sql, dialect))).toEqual(expected));

  test.each(["SELECT 'open; x", 'SELECT "open; x', 'SELECT $$open; x', 'SELECT (open; x', "SELECT E'open\\'; x"])(
    'an open literal or parenthesis goes on to the end: %j',
    (sql) => expect(ranges(lex(sql))).toEqual([sql]),
  );
});

describe('holes', () => {
  test.each<[string, string]>([
    ['LISTEN ${channel}', 'word:listen hole:?'],
    ['SELECT pg_advisory_${kind}(1)', 'word:select hole:? operator:( number:1 operator:)'],
    ['${verb}SELECT 1${more}', 'hole:? hole:?'],
    ["SET app.tenant = '${id}'", 'word:set word:app operator:. word:tenant operator:= string:?'],
    ['SELECT "${name}", $$${body}$$', 'word:select quoted-name:? operator:, string:?'],
    ['a /* ${b; c} */ d -- ${e}\n f', 'word:a word:d word:f'],
    ["a '${b} ; ${c}' d", 'word:a string:? word:d'],
  ])('in %j', (content, tokens) => expect(show(lexTemplate(content))).toEqual([tokens]));
});

describe('ranges in the source', () => {
  test.each<[string, string[]]>([
    ['BEGIN; UPDATE t SET a = ${a}; COMMIT', ['BEGIN', 'UPDATE t SET a = ${a}', 'COMMIT']],
    ['\\n  BEGIN;\\n\\t COMMIT\\n', ['BEGIN', 'COMMIT']],
    ["SELECT '\\u{1F600}\\n'; \\\n COMMIT ${x}", ["SELECT '\\u{1F600}\\n'", 'COMMIT ${x}']],
    ['SELECT \\`a\\`; COMMIT', ['SELECT \\`a\\`', 'COMMIT']],
    ['${a}; ${b}', ['${a}', '${b}']],
  ])('of %j', (content, expected) => expect(ranges(lexTemplate(content))).toEqual(expected));

  test('are those of the piece when its value cannot be followed', () => {
    const text = textOf('a.yaml', 'xx<<BEGIN>>xx');
    const pieces = [{ kind: 'sql', value: 'A; B', range: { start: 2, end: 11 } }] as const;
    expect(ranges(lexSql({ text, pieces }, 'postgresql'))).toEqual(['<<BEGIN>>', '<<BEGIN>>']);
  });
});

const parts = [
  'SELECT 1',
  'BEGIN',
  'COMMIT',
  ';',
  ';',
  ' ',
  '\n',
  "'a;b'",
  "'it''s'",
  "E'a\\';b'",
  '"q;"',
  '$$ ; $$',
  '$a$ $$ ; $a$',
  '-- c;\n',
  '/* ; /* n */ ; */',
  'FROM t',
  '(',
  ')',
  '$1',
  '1.5',
  '::int',
  '||',
  '@>',
  '<-',
  'x',
  'U&"d"',
  "B'1'",
  'é',
  '\t',
  'CASE WHEN a THEN b END',
  "'open",
  '/* open',
  '$$ open',
];
const pieceOfSql = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...parts) }, fc.string({ maxLength: 3 }));
const someSql = fc.array(pieceOfSql, { maxLength: 12 }).map((list) => list.join(' '));

test('any text, with any holes, gives statements whose tokens stand in order in the text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(someSql, fc.constant('${x}'))), fc.constantFrom<SqlDialect>('postgresql', 'mysql'), (list, dialect) => {
      const content = list.join('');
      for (const statement of [...lex(content, dialect), ...lexTemplate(content)]) {
        let at = statement.range.start;
        for (const { range } of statement.tokens) {
          expect(range.start).toBeGreaterThanOrEqual(at);
          expect(range.end).toBeGreaterThan(range.start);
          at = range.end;
        }
        expect(statement.range.end).toBe(at);
      }
    }),
  );
});

/** The scanner's tokens; undefined when it refuses the text, or joins two strings with a line break between them. */
function scanned(sql: string): string | undefined {
  try {
    const tokens = scanSync(sql).tokens.filter(({ tokenName }) => !tokenName.includes('COMMENT'));
    return tokens.some(({ text }) => text.includes('\n')) ? undefined : tokens.map(({ text }) => text).join('');
  } catch {
    return undefined;
  }
}

test("PostgreSQL's scanner sees the same tokens between the same blanks and comments", () => {
  let compared = 0;
  fc.assert(
    fc.property(someSql, (sql) => {
      const expected = scanned(sql);
      if (expected === undefined) return;
      compared++;
      const ours = lex(sql).flatMap(({ text, tokens }) => tokens.map(({ range }) => slice(text, range)));
      expect(ours.join('').replaceAll(';', '')).toBe(expected.replaceAll(';', ''));
    }),
    { numRuns: 1500 },
  );
  expect(compared).toBeGreaterThan(500);
});

const statement = fc.constantFrom(
  'SELECT 1',
  'SELECT \';\', "a;" FROM t',
  'begin',
  'COMMIT AND CHAIN',
  'DO $x$ BEGIN PERFORM 1; END; $x$',
  'CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END',
  'CREATE OR REPLACE PROCEDURE p() BEGIN ATOMIC INSERT INTO t VALUES (1); END',
  'CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql',
  'CREATE RULE r AS ON INSERT TO t DO ALSO (DELETE FROM a; DELETE FROM b)',
  'CREATE TABLE begin (atomic int, "case" int)',
  "SELECT E'\\';' -- ;",
  "SELECT U&'\\0041;', B'1', N'x;'",
  'SELECT /* ; /* ; */ */ a$1;',
);
const separator = fc.constantFrom('\n;', ';', ' \n; ; ', '\n;--;\n', '\n;/*;*/');

test('PostgreSQL splits where we split', () => {
  const script = fc.array(fc.tuple(statement, separator), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(script, (list) => {
      const sql = list.flat().join('');
      const starts = (parseSync(sql).stmts ?? []).map(({ stmt_location }) => stmt_location ?? 0);
      expect(lex(sql).map(({ range }) => range.start)).toEqual(starts);
    }),
    { numRuns: 500 },
  );
});
