import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '../text.ts';
import { get, itemsOf, type YamlValue } from '../yaml/value.ts';
import { parseToml } from './parse.ts';

const parse = (content: string) => parseToml(textOf('a.toml', content));

/** As plain data, every scalar as its text. */
function plain(value: YamlValue | undefined): unknown {
  switch (value?.kind) {
    case 'scalar':
      return value.value;
    case 'sequence':
      return value.items.map(plain);
    case 'map':
      return Object.fromEntries(value.entries.map((entry) => [entry.key.value, plain(entry.value)]));
    default:
      return undefined;
  }
}

test.each<[string, unknown]>([
  ['', {}],
  ['a = 1\nb = "x"\nc = true\n', { a: '1', b: 'x', c: 'true' }],
  [
    '[pools.shop.users.0]\npool_size = 9\n[pools.shop]\npool_mode = "session"\n',
    { pools: { shop: { users: { 0: { pool_size: '9' } }, pool_mode: 'session' } } },
  ],
  ['[[users]]\nname = "a"\n[[users]]\nname = "b"\n[users.more]\nx = 1\n', { users: [{ name: 'a' }, { name: 'b', more: { x: '1' } }] }],
  ['servers = [["db", 5432, "primary"]]\n', { servers: [['db', '5432', 'primary']] }],
  ['a.b."c d" = { e = 1, f.g = 2 }\n', { a: { b: { 'c d': { e: '1', f: { g: '2' } } } } }],
  ['[empty]\n', { empty: {} }],
])('%j', (content, expected) => {
  const { document, problems } = parse(content);
  expect([plain(document), problems]).toEqual([expected, []]);
});

test('every value has the range that it was written at', () => {
  const content = '[a]\nx = 12\n[[b]]\ny = "z"\n';
  const { document } = parse(content);
  const written = (value: YamlValue | undefined) => value && content.slice(value.range.start, value.range.end);
  expect([written(get(document, 'a', 'x')), written(get(itemsOf(get(document, 'b'))[0], 'y'))]).toEqual(['12', '"z"']);
});

test.each([['x = = 3\n'], ['[a\n'], ['a = 1\na = 2\n'], [`a = ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`], ['x'.repeat(2_000_000)]])(
  '%# is a problem, and nothing is read',
  (content) => {
    const { document, problems } = parse(content);
    expect([document.entries, problems.length]).toEqual([[], 1]);
  },
);

test('never throws', () => {
  const pieces = fc.string({ unit: fc.constantFrom('[', ']', 'a', '.', '=', '"', '\n', '1', '{', '}', ',', '#', "'") });
  fc.assert(fc.property(pieces, (content) => void parse(content)));
});
