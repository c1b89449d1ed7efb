import { describe, expect, test } from 'vitest';
import { around, exactly, isAllBefore, rowsIn, type VersionRange } from './version.ts';

const rows = [
  { since: [0, 0, 0], value: 'old' },
  { since: [3, 0, 0], value: 'middle' },
  { since: [3, 20, 0], value: 'new' },
] as const;

const holding = (range: VersionRange | undefined) => rowsIn(rows, range).map(({ value }) => value);

describe('the rows that hold', () => {
  test('for one version', () => {
    expect(holding(exactly([2, 9, 9]))).toEqual(['old']);
    expect(holding(exactly([3, 0, 0]))).toEqual(['middle']);
    expect(holding(exactly([3, 19, 9]))).toEqual(['middle']);
    expect(holding(exactly([3, 20, 0]))).toEqual(['new']);
    expect(holding(exactly([9, 0, 0]))).toEqual(['new']);
  });

  test('for a range', () => {
    expect(holding({ low: [2, 0, 0], below: [3, 0, 0] })).toEqual(['old']);
    expect(holding({ low: [3, 1, 0], below: [4, 0, 0] })).toEqual(['middle', 'new']);
    expect(holding({ low: [3, 20, 0], below: undefined })).toEqual(['new']);
    expect(holding({ low: [0, 0, 0], below: undefined })).toEqual(['old', 'middle', 'new']);
  });

  test('for a version that is not known', () => {
    expect(holding(undefined)).toEqual(['old', 'middle', 'new']);
  });
});

test('a range is before a version only as a whole', () => {
  expect(isAllBefore({ low: [3, 0, 0], below: [3, 20, 0] }, [3, 20, 0])).toBe(true);
  expect(isAllBefore({ low: [3, 0, 0], below: [4, 0, 0] }, [3, 20, 0])).toBe(false);
  expect(isAllBefore({ low: [3, 0, 0], below: undefined }, [3, 20, 0])).toBe(false);
  expect(isAllBefore(undefined, [3, 20, 0])).toBe(false);
});

test('the range around several', () => {
  expect(around([exactly([8, 11, 3]), exactly([7, 18, 2])])).toEqual({ low: [7, 18, 2], below: [8, 11, 4] });
  expect(around([exactly([8, 11, 3]), { low: [9, 0, 0], below: undefined }])).toEqual({ low: [8, 11, 3], below: undefined });
  expect(around([])).toBeUndefined();
});
