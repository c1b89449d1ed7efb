import { expect, test } from 'vitest';
import { changedLines } from './changed-lines.ts';

test('runs of added lines, counted in the new version', () => {
  const patch = [
    '@@ -1,3 +1,4 @@ head',
    ' one',
    '-two',
    '+2',
    '+2b',
    ' three',
    '@@ -9 +10 @@',
    '-nine',
    '+9',
    '\\ No newline at end of file',
  ];
  expect(changedLines(patch.join('\n'))).toEqual([
    { first: 2, last: 3 },
    { first: 10, last: 10 },
  ]);
});

test('none where lines are only taken away', () => expect(changedLines('@@ -1,2 +1 @@\n one\n-two')).toEqual([]));
