import { expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { parseEnv } from './parse.ts';

const source = `# shop
DB_POOL_MAX=25 # connections
export DATABASE_URL="postgres://app@db:5432/app"
EMPTY=
SINGLE='it is $LITERAL'
KEY="-----BEGIN
two\\nthree"
SPACED = a b 
BACK=\`x"y\`
`;

function read(content: string) {
  const text = textOf('.env', content);
  const { document, problems } = parseEnv(text);
  return { text, problems, variables: document.variables };
}

test.each([['LF'], ['CRLF']])('dotenv rules, with %s', (breaks) => {
  const { variables, problems } = read(breaks === 'LF' ? source : source.replaceAll('\n', '\r\n'));
  expect(variables.map(({ name, value }) => [name.value, value.value.replaceAll('\r', '')])).toEqual([
    ['DB_POOL_MAX', '25'],
    ['DATABASE_URL', 'postgres://app@db:5432/app'],
    ['EMPTY', ''],
    ['SINGLE', 'it is $LITERAL'],
    ['KEY', '-----BEGIN\ntwo\nthree'],
    ['SPACED', 'a b'],
    ['BACK', 'x"y'],
  ]);
  expect(problems).toEqual([]);
});

test('names and values stand where they were written', () => {
  const { text, variables } = read(source);
  expect(variables.slice(0, 2).map(({ name, value }) => [slice(text, name.range), slice(text, value.range)])).toEqual([
    ['DB_POOL_MAX', '25'],
    ['DATABASE_URL', 'postgres://app@db:5432/app'],
  ]);
});

test('only unquoted and double-quoted values are interpolated', () => {
  const { variables } = read(source);
  expect(variables.filter(({ interpolated }) => !interpolated).map(({ name }) => name.value)).toEqual(['SINGLE', 'BACK']);
});

test('a line that is no assignment is a problem and costs only itself', () => {
  const { text, problems, variables } = read('A=1\nnot an assignment\nB=2\n');
  expect(problems.map(({ range }) => slice(text, range))).toEqual(['not an assignment']);
  expect(variables.map(({ name }) => name.value)).toEqual(['A', 'B']);
});

test('every prefix is read', () => {
  for (let end = 0; end <= source.length; end++) expect(read(source.slice(0, end)).variables.length).toBeLessThanOrEqual(8);
});
