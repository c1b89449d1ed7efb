import { expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { parsePostgresqlConf } from './parse.ts';

const source = `# a comment
max_connections = 200\t\t# (change requires restart)
superuser_reserved_connections 5
shared_buffers='1''GB'
MAX_CONNECTIONS = 300
`;

test('the last of equal settings holds, whatever its case', () => {
  const text = textOf('postgresql.conf', source);
  const { document, problems } = parsePostgresqlConf(text);
  expect([...document.settings].map(([name, { value, range }]) => [name, value, slice(text, range)])).toEqual([
    ['max_connections', '300', '300'],
    ['superuser_reserved_connections', '5', '5'],
    ['shared_buffers', "1'GB", "'1''GB'"],
  ]);
  expect([document.complete, problems]).toEqual([true, []]);
});

test('an include may set anything', () => {
  expect(parsePostgresqlConf(textOf('p', "include_dir = 'conf.d'\nmax_connections = 5")).document.complete).toBe(false);
});

test('a line that is no setting is a problem', () => {
  expect(parsePostgresqlConf(textOf('p', 'max_connections = 5 6\nport = 1\n')).problems).toMatchObject([{ fatal: true }]);
});

test('every prefix is read', () => {
  for (let end = 0; end <= source.length; end++)
    expect(parsePostgresqlConf(textOf('p', source.slice(0, end))).document.complete).toBe(true);
});
