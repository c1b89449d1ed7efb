import { expect, test } from 'vitest';
import { startsWithin } from './schedule.ts';

test.each([
  ['* * * * *', 300, 5],
  ['* * * * *', 301, 6],
  ['*/15 * * * *', 300, 1],
  ['*/15 * * * *', 1800, 2],
  ['0 * * * *', 3601, 2],
  ['0,5,10 2 * * *', 3600, 3],
  ['0-20/10 2 * * 1-5', 3600, 3],
  ['55 23 * * *', 86_400, 1],
  ['55 23 * * *', 86_401, 2],
  ['0,30 0,12 * * *', 172_800, 8],
  ['@hourly', 60, 1],
  ['30/10 * * * *', 1200, 2],
  ['60 * * * *', 60, undefined],
  ['every minute', 60, undefined],
  ['* * * *', 60, undefined],
  ['TZ=UTC 0 * * * *', 60, undefined],
])('of %s there start within %d s at most %o', (schedule, seconds, starts) => {
  expect(startsWithin(schedule, seconds)).toBe(starts);
});
