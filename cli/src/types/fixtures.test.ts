import { check } from '@poolcheck/rules/check';
import type { Finding } from '@poolcheck/rules/finding';
import { projectOf } from '@poolcheck/rules/project';
import type { Types } from '@poolcheck/rules/source/types/oracle';
import { fixtureCases, repository } from '@poolcheck/rules/testing/rule-fixtures';
import { beforeAll, expect, test } from 'vitest';
import { typesIn } from './types.ts';

const cases = fixtureCases().map((each) => ({ ...each, folder: `rules/fixtures/${each.rule}/${each.name}/` }));

/** The fixtures as parts of this repository, whose installed packages are theirs: one program for all. */
const files = Object.fromEntries(
  cases.flatMap(({ folder, files }) => Object.entries(files).map(([path, text]) => [folder + path, text] as const)),
);
const types = typesIn(repository.replace(/\/$/, ''), projectOf({ ...files, 'tsconfig.json': '' }));
const oracle = types.about(Object.keys(files));
let known = 0;

beforeAll(() => {
  const [path = '', content = ''] = Object.entries(files)[0] ?? [];
  oracle.typesOf({ text: { path, content }, range: { start: 0, end: 1 } });
}, 120_000);

function typesOfCase(folder: string): Types {
  return {
    isBuiltOnDriver: (from, specifier) => types.isBuiltOnDriver(folder + from, specifier),
    about: () => ({
      typesOf({ text, range }) {
        const found = oracle.typesOf({ text: { ...text, path: folder + text.path }, range });
        known += found.length;
        return found;
      },
    }),
    problems: () => [],
  };
}

function shown({ rule, severity, message, at: { text, range } }: Finding): string {
  return `${rule} ${severity} ${text.path}:${range.start}-${range.end} ${message}`;
}

test.each(cases)('$rule $name has the same findings with types', ({ kind, files, folder }) => {
  const project = projectOf(files);
  const plan = { severities: new Map() };
  const without = check(project, plan).findings;
  const within = check(project, plan, typesOfCase(folder)).findings;
  expect(within.map(shown)).toEqual(expect.arrayContaining(without.map(shown)));
  if (kind !== 'bad') expect(within.map(shown)).toEqual(without.map(shown));
});

test('which it was asked for, and knew', () => {
  expect(types.problems()).toEqual([]);
  expect(known).toBeGreaterThan(100);
});
