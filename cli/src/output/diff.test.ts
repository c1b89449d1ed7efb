import { textOf } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import { applyEdits, hunksOf } from './diff.ts';

const text = textOf('a.ts', 'one\ntwo\nthree\nfour\nfive\n');

/** Replaces the first `words` of the text. */
function edit(words: string, insert: string) {
  const start = text.content.indexOf(words);
  return { text, range: { start, end: start + words.length }, insert };
}

function hunks(...edits: ReturnType<typeof edit>[]) {
  return hunksOf({ title: '', safe: true, edits }).map(({ line, removed, added }) => ({ line, removed, added }));
}

describe('hunks', () => {
  test('of an edit within a line', () => expect(hunks(edit('w', 'WW'))).toEqual([{ line: 2, removed: ['two'], added: ['tWWo'] }]));

  test('of a line that is added: nothing is removed', () => {
    expect(hunks(edit('three', 'new\nthree'))).toEqual([{ line: 3, removed: [], added: ['new'] }]);
  });

  test('of a line that is taken away', () => {
    expect(hunks(edit('three\n', ''))).toEqual([{ line: 3, removed: ['three'], added: [] }]);
  });

  test('of neighbouring lines are one', () => {
    expect(hunks(edit('three', '3'), edit('two', '2'))).toEqual([{ line: 2, removed: ['two', 'three'], added: ['2', '3'] }]);
  });

  test('of lines apart are several', () => {
    expect(hunks(edit('five', '5'), edit('one', 'o\nn'))).toEqual([
      { line: 1, removed: ['one'], added: ['o', 'n'] },
      { line: 5, removed: ['five'], added: ['5'] },
    ]);
  });

  test('hold no secret of the lines around', () => {
    const file = textOf('.env', 'PASSWORD=hunter2 MAX=1\n');
    const edits = [{ text: file, range: { start: 21, end: 22 }, insert: '2' }];
    expect(JSON.stringify(hunksOf({ title: '', safe: true, edits }))).not.toContain('hunter2');
  });
});

test('edits that overlap are not applied', () => {
  expect(applyEdits(text, [edit('one\ntwo', 'x'), edit('two', 'y')])).toBeUndefined();
  expect(hunks(edit('one\ntwo', 'x'), edit('two', 'y'))).toEqual([]);
});
