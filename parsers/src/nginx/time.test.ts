import { expect, test } from 'vitest';
import { parseTime } from './time.ts';

test.each([
  ['60', 60_000],
  ['60s', 60_000],
  ['1m30s', 90_000],
  ['1m30', 90_000],
  ['1m 30s', 90_000],
  ['500ms', 500],
  ['1s500ms', 1_500],
  ['1h', 3_600_000],
  ['1w', 604_800_000],
  ['0', 0],
])('%s is %i ms', (written, milliseconds) => {
  expect(parseTime(written)).toBe(milliseconds);
});

test.each(['', 's', '1.5s', '60S', '60sec', '1M', '1y', '1s1m', '1m1m', '5 s', '$keep'])('%j is no time', (written) => {
  expect(parseTime(written)).toBeUndefined();
});
