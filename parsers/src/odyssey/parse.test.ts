import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '../text.ts';
import { type OdysseyEntry, parseOdyssey } from './parse.ts';

const parse = (content: string) => parseOdyssey(textOf('odyssey.conf', content));

const brief = ({ name, values, block }: OdysseyEntry): string =>
  [
    name.value,
    ...values.map(({ value, isQuoted }) => (isQuoted ? `"${value}"` : value)),
    ...(block ? [`{${block.map(brief).join('; ')}}`] : []),
  ].join(' ');

test.each([
  ['daemonize no\nworkers 4 # as many as cores\n', ['daemonize no', 'workers 4']],
  ['listen {\n  host "*"\n  port 6432\n}\n', ['listen {host "*"; port 6432}']],
  [
    'database "shop" { user default { pool "transaction"\n pool_size 0 } }',
    ['database "shop" {user default {pool "transaction"; pool_size 0}}'],
  ],
  ['log_format "%p \\"%t\\""\n', ['log_format "%p "%t""']],
  ['', []],
])('%j', (content, expected) => {
  const { document, problems } = parse(content);
  expect([document.entries.map(brief), problems]).toEqual([expected, []]);
});

test('a value has the range that it was written at', () => {
  const content = 'pool_size 12\n';
  const range = parse(content).document.entries[0]?.values[0]?.range;
  expect(range && content.slice(range.start, range.end)).toBe('12');
});

test.each([['}\n'], ['{\n}\n'], ['listen {\n'], ['host "db\n'], ['a {'.repeat(1_000)]])('%j is a problem', (content) => {
  expect(parse(content).problems).not.toEqual([]);
});

test('a file that includes others is not complete', () => {
  expect([parse('include "more.conf"\n').document.complete, parse('workers 1\n').document.complete]).toEqual([false, true]);
});

test('never throws', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', 'a', ' ', '\n', '#', '\\') }), (content) => void parse(content)));
});
