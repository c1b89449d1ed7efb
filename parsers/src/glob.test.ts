import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesGlob, parseGlob } from './glob.ts';

function matches(pattern: string, path: string): boolean {
  const glob = parseGlob(pattern);
  return glob !== undefined && matchesGlob(glob, path);
}

describe('matchesGlob', () => {
  test.each([
    ['*.ts', 'a.ts'],
    ['*.ts', '.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['**/*.ts', 'a.ts'],
    ['**/*.ts', 'deep/down/a.ts'],
    ['a/**/z', 'a/z'],
    ['a/**/z', 'a/b/c/z'],
    ['a/**/m/**/z', 'a/m/x/m/z'],
    ['a/**', 'a/b/c'],
    ['*a*b*', 'xxabab'],
    ['file?.[ch]', 'file1.c'],
    ['[!a-c]x', 'dx'],
    ['[]-]x', '-x'],
    ['[]-]x', ']x'],
    ['[a\\]]', ']'],
    ['\\*.ts', '*.ts'],
    ['?', '😀'],
  ])('%s matches %s', (pattern, path) => expect(matches(pattern, path)).toBe(true));

  test.each([
    ['*.ts', 'src/a.ts'],
    ['src/*', 'src/a/b'],
    ['a/**', 'a'],
    ['a/**/z', 'a/b'],
    ['*a*b', 'ab_'],
    ['[!a-c]x', 'bx'],
    ['\\*.ts', 'a.ts'],
    ['[abc', '[abc'],
    ['a\\', 'a\\'],
    ['', 'a'],
  ])('%s does not match %s', (pattern, path) => expect(matches(pattern, path)).toBe(false));

  test('finds what a generated path was generated from', () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.nat(), (names, where) => {
        const cut = where % names.length;
        expect(matches([...names.slice(0, cut), '**', names.at(-1)].join('/'), names.join('/'))).toBe(true);
        expect(matches(names.map((each) => `*${each.slice(-1)}`).join('/'), names.join('/'))).toBe(true);
      }),
    );
  });

  test('a hostile pattern costs no more than a plain one', () => {
    const started = performance.now();
    expect(matches(`${'*a'.repeat(100)}b`, 'a'.repeat(250))).toBe(false);
    expect(matches(`${'**/a/'.repeat(100)}b`, 'a/'.repeat(1000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
