import { expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { parseIni } from './parse.ts';

const content = `# a comment
[client]
port = 3307
[mysqld]
max-connections = 400   # so many
max_connections=500
skip-name-resolve
!includedir /etc/mysql/conf.d/
[ MariaDB ]
key = "a b"
__proto__ = 1
`;

test('settings are read by section and name', () => {
  const text = textOf('my.cnf', content);
  const { document } = parseIni(text);
  const found = [...document.sections].map(([name, settings]) => [name, [...settings].map(([key, { value }]) => `${key}=${value}`)]);
  expect(found).toEqual([
    ['client', ['port=3307']],
    ['mysqld', ['max_connections=500', 'skip_name_resolve=true']],
    ['mariadb', ['key=a b']],
  ]);
  expect(document.complete).toBe(false);
  const range = document.sections.get('mysqld')?.get('max_connections')?.range;
  expect(range && slice(text, range)).toBe('max_connections=500');
});

test('every prefix of a file is read', () => {
  for (let length = 0; length <= content.length; length++) expect(() => parseIni(textOf('my.cnf', content.slice(0, length)))).not.toThrow();
});
