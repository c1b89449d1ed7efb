import { expect, test } from 'vitest';
import { matchesGlob } from './glob.ts';

test.each([
  ['conf.d/*.conf', 'conf.d/a.conf', true],
  ['conf.d/*.conf', 'conf.d/.conf', false],
  ['conf.d/*.conf', 'conf.d/.a.conf', false],
  ['conf.d/.*.conf', 'conf.d/.a.conf', true],
  ['conf.d/*.conf', 'conf.d/sub/a.conf', false],
  ['conf.d/*.conf', 'conf.d/a.conf.off', false],
  ['*/*.conf', 'conf.d/a.conf', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[a-c]*', 'bx', true],
  ['[!a-c]*', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]]x', ']x', true],
  ['a+b(1)', 'a+b(1)', true],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYbZ', false],
])('%s and %s: %s', (pattern, path, expected) => {
  expect(matchesGlob(pattern, path)).toBe(expected);
});

test('many stars do not take for ever', () => {
  expect(matchesGlob('*a'.repeat(1000), `${'a'.repeat(5000)}b`)).toBe(false);
});
