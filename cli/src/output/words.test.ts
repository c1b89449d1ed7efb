import { expect, test } from 'vitest';
import { plural, tally } from './words.ts';

test.each([
  [0, '0 files'],
  [1, '1 file'],
  [999, '999 files'],
  [12_345, '12,345 files'],
  [1_234_567, '1,234,567 files'],
])('%i: %s', (count, words) => expect(plural(count, 'file')).toBe(words));

test('only what there is is counted', () => {
  expect(tally({ error: 10, warning: 0, info: 1, suppressed: 3 })).toBe('10 errors, 1 info');
  expect(tally({ error: 0, warning: 0, info: 0, suppressed: 3 })).toBe('no findings');
});
