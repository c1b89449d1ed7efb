import { textOf, type Range } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import { frame } from './frame.ts';
import { paletteOf } from './palette.ts';

const palette = paletteOf(false);

/** The frame of a text in which `«…»` is the primary mark and `‹…›` are steps. */
function framed(path: string, marked: string, columns = Infinity): readonly string[] {
  const marks: { range: Range; label: string; primary: boolean }[] = [];
  let content = '';
  let start = 0;
  for (const character of marked) {
    if ('«‹'.includes(character)) start = content.length;
    else if ('»›'.includes(character))
      marks.push({ range: { start, end: content.length }, label: `label ${marks.length + 1}`, primary: character === '»' });
    else content += character;
  }
  return frame(textOf(path, content), marks, { paint: (text) => text, palette, title: undefined, columns });
}

test('the primary mark with what stands around it, a step alone, and what lies between left out', () => {
  expect(framed('a.ts', 'zero\none\n«two»\nthree\nfour\nfive\n‹six›\nseven\n')).toEqual([
    '    2 │ one',
    '    3 │ two',
    '      │ ━━━ label 1',
    '    4 │ three',
    '      ⋮',
    '    7 │ six',
    '      │ ─── label 2',
  ]);
});

test('a single line in between is shown, blank lines around are not', () => {
  expect(framed('a.ts', '\n«one»\n\ntwo\n‹three›\n')).toEqual([
    '    2 │ one',
    '      │ ━━━ label 1',
    '      ⋮',
    '    5 │ three',
    '      │ ───── label 2',
  ]);
  expect(framed('a.ts', '‹one›\ntwo\n‹three›')).toHaveLength(5);
});

test('a range over several lines is underlined in its first', () => {
  expect(framed('a.ts', 'const pool = «new Pool({\n  max: 5,\n})»;').slice(0, 2)).toEqual([
    '    1 │ const pool = new Pool({',
    '      │              ━━━━━━━━━━ label 1',
  ]);
});

describe('the underline stands under what it means', () => {
  test.each([
    ['tabs', '\t\tx «y»', '    x y', '      ━'],
    ['wide characters', '你好 «y»', '你好 y', '     ━'],
    ['wide characters themselves', '«你好»', '你好', '━━━━'],
    ['combining characters', 'e\u0301 «y»', 'e\u0301 y', '  ━'],
    ['characters that act', '\x1b[1m «y»', '␛[1m y', '     ━'],
    ['a secret before', 'password=hunter2hunter2 «y»', 'password=*** y', '             ━'],
    ['a secret', 'x password=«hunter2»', 'x password=***', '           ━━━'],
    ['nothing, at the end', 'x«»', 'x', ' ━'],
  ])('%s', (_, marked, line, underline) => {
    expect(framed('a.ini', marked)).toEqual([`    1 │ ${line}`, `      │ ${underline} label 1`]);
  });
});

describe('a narrow terminal', () => {
  const text = `const value = ${'a'.repeat(40)}(«here»)${'b'.repeat(60)};`;

  test('sees the piece that matters, and labels below when there is no room beside', () => {
    expect(framed('a.ts', text, 50)).toEqual(['    1 │ …aaaaaaaaa(here)bbbbbbbbbbbbbbbbbbbbbbbbb…', '      │            ━━━━ label 1']);
    expect(framed('a.ts', `${'a'.repeat(30)} «here»`, 46)).toEqual([
      `    1 │ ${'a'.repeat(30)} here`,
      `      │ ${' '.repeat(31)}━━━━`,
      `      │ ${' '.repeat(31)}label 1`,
    ]);
  });

  test('is never too narrow for its frames', () => {
    for (let columns = 30; columns < 120; columns++)
      for (const line of framed('a.ts', text, columns)) expect(line.length).toBeLessThanOrEqual(columns);
  });
});

test('a line as long as a file is cut', () => {
  const lines = framed('a.js', `${'x'.repeat(1_000_000)}«here»${'y'.repeat(1_000_000)}`);
  for (const line of lines) expect(line.length).toBeLessThan(260);
  expect(lines[0]).toMatch(/ …x+herey+…$/);
});
