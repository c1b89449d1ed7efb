import { describe, expect, test } from 'vitest';
import { readAtoi, readBool, readInt, readSeconds } from './values.ts';

describe('readInt reads by the rules of C', () => {
  test.each([
    ['20', 20],
    ['0', 0],
    ['-5', -5],
    ['+5', 5],
    ['0x10', 16],
    ['-0X1f', -31],
    ['010', 8],
    ['0777', 511],
    ['\v7', 7],
    ['2147483648', -2147483648],
    ['99999999999', 1215752191],
    ['9223372036854775808', -1],
    ['-99999999999999999999', 0],
    ['9'.repeat(100_000), -1],
  ])('%s', (value, number) => expect(readInt(value)).toBe(number));

  test.each(['', ' ', '08', '20.5', '1e3', '100k', '0x', '5 ', '5 ; x', '- 5', "'5'", 'ten', '\u00a05', '${SIZE}'])('refuses %j', (value) =>
    expect(readInt(value)).toBeUndefined(),
  );
});

test('readBool takes numbers only', () => {
  expect(['1', '0', '2', '0x0'].map(readBool)).toEqual([true, false, true, false]);
  expect(['yes', 'true', 'on', ''].map(readBool)).toEqual([undefined, undefined, undefined, undefined]);
});

describe('readSeconds', () => {
  test.each([
    ['0.5', 0.5],
    ['1e2', 100],
    ['.5', 0.5],
    ['5.', 5],
    ['+3', 3],
    ['-0', 0],
    ['0x10', 16],
    ['010', 10],
    ['inf', 0],
    ['0.0000001', 0],
  ])('%s', (value, seconds) => expect(readSeconds(value)).toBeCloseTo(seconds, 9));

  test.each(['', '-1', '5s', '0,5', '.', 'e3', '-inf', '1e999', '5 '])('refuses %j', (value) => expect(readSeconds(value)).toBeUndefined());
});

describe('readAtoi takes the leading digits', () => {
  test.each([
    ['20', 20],
    ['abc', 0],
    ['', 0],
    ['5s', 5],
    ['0.5', 0],
    ['010', 10],
    ['0x10', 0],
    ['-3', -3],
    ['5432,5433', 5432],
    ['99999999999', 1215752191],
  ])('%j', (value, number) => expect(readAtoi(value)).toBe(number));

  test('but not of what a template fills in', () => {
    expect(readAtoi('{{ .Values.size }}')).toBeUndefined();
    expect(readAtoi('${POOL_SIZE}')).toBeUndefined();
    expect(readAtoi('$POOL_SIZE')).toBeUndefined();
    expect(readAtoi('__POOL_SIZE__')).toBeUndefined();
    expect(readAtoi('@POOL_SIZE@')).toBeUndefined();
  });
});
