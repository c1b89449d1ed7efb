import { expect, test } from 'vitest';
import { interpolate } from './interpolate.ts';

const variables = new Map([
  ['HOST', 'db'],
  ['EMPTY', ''],
]);
const fill = (value: string) => interpolate(value, (name) => variables.get(name));

test.each([
  ['postgres://$HOST:5432', 'postgres://db:5432'],
  ['${HOST}-x', 'db-x'],
  ['${PORT:-5432}', '5432'],
  ['${EMPTY:-d}|${EMPTY-d}', 'd|'],
  ['${PORT-${HOST}}', 'db'],
  ['${HOST:+set}${PORT:+set}', 'set'],
  ['${HOST:?missing}', 'db'],
  ['$$HOST costs $5', '$HOST costs $5'],
  ['${PORT:-a}b}', 'ab}'],
])('%s is %s', (value, expected) => expect(fill(value)).toBe(expected));

test.each(['${PORT}', '$PORT', '${PORT:?missing}', '${EMPTY:?missing}', '${HOST', 'a${PORT:-${OTHER}}'])('%s is not known', (value) =>
  expect(fill(value)).toBeUndefined(),
);

test('nesting has an end', () => {
  expect(fill('${A:-'.repeat(5000) + '}'.repeat(5000))).toBeUndefined();
});
