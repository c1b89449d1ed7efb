import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConnectionString } from './connection-string.ts';

function parse(value: string) {
  return parseConnectionString({ value, range: { start: 100, end: 100 + value.length } });
}

function pairs(value: string) {
  return parse(value).parameters.map(({ key, value }) => [key.value, value.value]);
}

describe('pairs', () => {
  test.each<[string, string[][]]>([
    ['', []],
    ['  ', []],
    [
      'host=db port=5432',
      [
        ['host', 'db'],
        ['port', '5432'],
      ],
    ],
    ['host = db', [['host', 'db']]],
    [
      'host=a, port=1',
      [
        ['host', 'a,'],
        ['port', '1'],
      ],
    ],
    ['host=127.0.0.1\tport=5432', [['host', '127.0.0.1\tport=5432']]],
    ['host= port=5432', [['host', 'port=5432']]],
    [
      "password='it''s' user=u",
      [
        ['password', "it's"],
        ['user', 'u'],
      ],
    ],
    ["password=''''", [['password', "'"]]],
    ["connect_query='select 1; -- x = y'", [['connect_query', 'select 1; -- x = y']]],
    ["password='a\\'", [['password', 'a\\']]],
    [
      "host='a'xport=1",
      [
        ['host', 'a'],
        ['port', '1'],
      ],
    ],
    [
      'password="a b=c"',
      [
        ['password', '"a'],
        ['b', 'c"'],
      ],
    ],
    ['host=a=b', [['host', 'a=b']]],
    [
      'host=a host=b',
      [
        ['host', 'a'],
        ['host', 'b'],
      ],
    ],
    [
      'host={{ .Values.host }} port=${PORT:-5 6}',
      [
        ['host', '{{ .Values.host }}'],
        ['port', '${PORT:-5 6}'],
      ],
    ],
  ])('of %j', (value, expected) => {
    expect(pairs(value)).toEqual(expected);
    expect(parse(value).rest).toBeUndefined();
  });
});

describe('what cannot be read', () => {
  test.each([
    ['host=db ; x', '; x'],
    ['host=db sslmode', 'sslmode'],
    ['host=', 'host='],
    ["host=db password=''", "password=''"],
    ["password='open", "password='open"],
    ["password='it''", "password='it''"],
    ['=db', '=db'],
    ['postgres://db', 'postgres://db'],
  ])('of %j is %j', (value, rest) => expect(parse(value).rest?.value).toBe(rest));
});

test('a plain value stands at its range', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ ='a{}$\\\t]*$/), (value) => {
      for (const written of parse(value).parameters.flatMap((pair) => [pair.key, pair.value])) {
        const there = value.slice(written.range.start - 100, written.range.end - 100);
        expect(there.replaceAll("''", "'")).toBe(written.value.replaceAll("''", "'"));
      }
    }),
  );
});

test('what is quoted comes back', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.stringMatching(/^[a-z_]+$/), (value, key) => {
      fc.pre(!/[{$<@_]/.test(value));
      expect(pairs(`x=y ${key}='${value.replaceAll("'", "''")}' z=1`)).toEqual([
        ['x', 'y'],
        [key, value],
        ['z', '1'],
      ]);
    }),
  );
});
