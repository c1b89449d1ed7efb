import { expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { commandsOf, wordsOf } from './words.ts';

const words = (line: string) => wordsOf(textOf('x', line));
const values = (line: string) => words(line).map(({ value }) => value);
const commands = (script: string) => commandsOf(textOf('x', script)).map((command) => command.map(({ value }) => value));

test('words lose their quotes and keep their place', () => {
  const line = `postgres -c 'max_connections=200' "-c" shared\\ buffers`;
  expect(values(line)).toEqual(['postgres', '-c', 'max_connections=200', '-c', 'shared buffers']);
  expect(words(line).map(({ text, range }) => slice(text, range))).toEqual([
    'postgres',
    '-c',
    "'max_connections=200'",
    '"-c"',
    'shared\\ buffers',
  ]);
});

test.each([
  ['node dist/$ENTRY.js', ['node', 'dist/$ENTRY.js'], [false, true]],
  ['a ${X:-b c} d', ['a', '${X:-b c}', 'd'], [false, true, false]],
  ['a "$(cat f)" `b c`', ['a', '$(cat f)', '`b c`'], [false, true, true]],
  ["a '$X' \\$X $", ['a', '$X', '$X', '$'], [false, false, false, false]],
])('expansions are kept and marked: %s', (line, expected, expands) => {
  expect(values(line)).toEqual(expected);
  expect(words(line).map((word) => word.expands)).toEqual(expands);
});

test('a line that no shell reads has no operators', () => {
  expect(values('a && b;c\n d # e')).toEqual(['a', '&&', 'b;c', 'd', '#', 'e']);
});

test('a script has commands, and neither redirections nor comments are words of them', () => {
  expect(commands('npm run migrate && exec node dist/main.js --x 2>&1 >log.txt # start\nwait; (a || b) &')).toEqual([
    ['npm', 'run', 'migrate'],
    ['exec', 'node', 'dist/main.js', '--x'],
    ['wait'],
    ['a'],
    ['b'],
  ]);
});

test('a backslash at the end of a line continues it', () => {
  expect(commands('node \\\n  dist/main.js\nother')).toEqual([['node', 'dist/main.js'], ['other']]);
});

test('every prefix is read', () => {
  const script = 'a "b $(c "d")" `e` ${f:-{g}} \'h\' \\\n i 2>&1 | j;';
  for (let end = 0; end <= script.length; end++) {
    expect(commands(script.slice(0, end)).flat().length).toBeLessThanOrEqual(10);
    expect(values(script.slice(0, end)).length).toBeLessThanOrEqual(12);
  }
});
