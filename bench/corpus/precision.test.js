import { expect, test } from 'vitest';
import { gone, sample, tally, total, wilson } from './precision.js';

const finding = (line, severity = 'warning', repository = 'a/b', rule = 'r') => ({
  repository,
  path: 'x.ts',
  line: String(line),
  rule,
  severity,
});
const many = (count, repository) => Array.from({ length: count }, (_, line) => finding(line, 'warning', repository));

test('the interval of 96 right of 100', () => {
  const { low, high } = wilson(96, 100);
  expect(low).toBeCloseTo(0.9016, 4);
  expect(high).toBeCloseTo(0.9843, 4);
});

test('an interval stays within a share, and nothing judged says nothing', () => {
  expect(wilson(50, 50).high).toBe(1);
  expect(wilson(0, 50).low).toBe(0);
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});

test('all errors are judged, and at most 10 warnings of a repository', () => {
  const errors = Array.from({ length: 30 }, (_, line) => finding(line, 'error'));
  const drawn = sample([...errors, ...many(30, 'c/d')]);
  expect(drawn.filter(({ severity }) => severity === 'error')).toHaveLength(30);
  expect(drawn.filter(({ severity }) => severity === 'warning')).toHaveLength(10);
});

test('at most 50 warnings of a rule are judged', () => {
  expect(sample(Array.from({ length: 8 }, (_, index) => many(10, `owner/${index}`)).flat())).toHaveLength(50);
});

test('advice is not drawn', () => {
  expect(sample([finding(1, 'info')])).toEqual([]);
});

test('the draw stays when another finding comes, but for what it puts out', () => {
  const before = sample(many(10, 'a/b'));
  expect(sample([...many(10, 'a/b'), finding(1, 'warning', 'c/d')])).toEqual(expect.arrayContaining(before));
});

test('another seed draws others', () => {
  expect(sample(many(40, 'a/b'), 'one')).not.toEqual(sample(many(40, 'a/b'), 'two'));
});

test('findings are counted by the verdict of their place', () => {
  const judged = [
    { ...finding(1), verdict: 'right' },
    { ...finding(2), verdict: 'wrong' },
    { ...finding(9), verdict: 'right' },
  ];
  const lines = tally([finding(1), finding(2), finding(3)], judged);
  expect(lines).toEqual([{ rule: 'r', right: 1, wrong: 1, unsure: 0, unjudged: 1 }]);
  expect(total([...lines, ...lines])).toMatchObject({ rule: 'all', right: 2, unjudged: 2 });
  expect(gone([finding(1)], judged).map(({ line }) => line)).toEqual(['2', '9']);
});
