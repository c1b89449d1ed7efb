import { describe, expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { parseSqlFile } from './file.ts';
import type { SqlDialect } from './token.ts';

function statements(content: string, dialect: SqlDialect = 'postgresql'): string[] {
  return parseSqlFile(textOf('a.sql', content), dialect).map(({ text, range }) => slice(text, range));
}

describe('psql', () => {
  test.each<[string, string[]]>([
    ['\\connect shop\nBEGIN;\n\\i other.sql\nCOMMIT;\n', ['BEGIN', 'COMMIT']],
    ["\\set name 'it''s;\nSELECT :'name'", ["SELECT :'name'"]],
    ['SELECT 1 \\gexec\nSELECT 2\\g\nSELECT 3 \\gset p_\nCOMMIT', ['SELECT 1', 'SELECT 2', 'SELECT 3', 'COMMIT']],
    ['SELECT 1 \\; SELECT 2;', ['SELECT 1', 'SELECT 2']],
    ["SELECT '\\connect', $$\n\\g\n$$;", ["SELECT '\\connect', $$\n\\g\n$$"]],
    ["COPY t (a) FROM stdin;\nit's\t1;\nBEGIN;\n\\.\n\nCOMMIT;", ['COPY t (a) FROM stdin', 'COMMIT']],
    ['COPY t FROM STDIN WITH (FORMAT csv);\n1;2', ['COPY t FROM STDIN WITH (FORMAT csv)']],
    ["COPY t FROM 'file';\nBEGIN;", ["COPY t FROM 'file'", 'BEGIN']],
  ])('%j', (content, expected) => expect(statements(content)).toEqual(expected));
});

describe('the mysql client', () => {
  test.each<[string, string[]]>([
    [
      'DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END //\nCREATE PROCEDURE q() SELECT 2 //\ndelimiter ;\nCOMMIT;',
      ['CREATE PROCEDURE p() BEGIN SELECT 1; END', 'CREATE PROCEDURE q() SELECT 2', 'COMMIT'],
    ],
    [
      'DELIMITER $$\nCREATE FUNCTION f() RETURNS INT BEGIN RETURN 1; END$$\nDELIMITER ;\nBEGIN;',
      ['CREATE FUNCTION f() RETURNS INT BEGIN RETURN 1; END', 'BEGIN'],
    ],
    ['SELECT delimiter FROM t; COMMIT', ['SELECT delimiter FROM t', 'COMMIT']],
  ])('%j', (content, expected) => expect(statements(content, 'mysql')).toEqual(expected));
});

test('every prefix is read', () => {
  const content =
    "\\set x 'y\nCOPY t FROM stdin;\n1\n\\.\nDELIMITER //\nCREATE FUNCTION f() BEGIN ATOMIC SELECT E'\\''; END//\n/* x */ $a$ b $a$";
  for (let length = 0; length <= content.length; length++) {
    expect(() => statements(content.slice(0, length))).not.toThrow();
    expect(() => statements(content.slice(0, length), 'mysql')).not.toThrow();
  }
});
