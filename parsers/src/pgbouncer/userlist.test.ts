import { expect, test } from 'vitest';
import { textOf } from '../text.ts';
import { parseUserlist } from './userlist.ts';

function read(content: string): readonly string[] {
  const { users, broken } = parseUserlist(textOf('userlist.txt', content));
  const names = users.map(({ name, secret }) => `${name.value}:${secret.end - secret.start}`);
  return broken ? [...names, `broken at ${broken.start}`] : names;
}

test.each([
  ['"app" "secret"', ['app:6']],
  ['"app" "secret" anything\n  "b"\t"cc"\n', ['app:6', 'b:2']],
  ['; "x" "y"\n\n"app" ""', ['app:0']],
  ['"a""b" "c""d"', ['a"b:4']],
  ['"app" "a"\n# note\n"b" "c"', ['app:1', 'broken at 10']],
  ["'app' 'secret'", ['broken at 0']],
  ['app secret', ['broken at 0']],
  ['"app"\n"b" "c"\n"d" "e"', ['app:1', 'd:1']],
  ['"app', ['broken at 0']],
  ['"app" "sec', ['broken at 0']],
  ['', []],
])('%j', (content, expected) => expect(read(content)).toEqual(expected));

test('every beginning of a file is read', () => {
  const content = '; x\n"a""b" "c"\n"d"\n"e" "f"';
  for (let end = 0; end <= content.length; end++) expect(() => read(content.slice(0, end))).not.toThrow();
});
