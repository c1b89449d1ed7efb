import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { parsePrisma } from './parse.ts';

const schema = `// The { database }.
generator client {
  provider        = "prisma-client-js"
  previewFeatures = ["multiSchema"] // [
  output          = "../src/\\"x\\""
}

/* datasource old { url = "x" } */
datasource db {
  provider  = "postgresql"
  url       = env("DATABASE_URL") // pooled
  // directUrl = env("OLD_URL")
  directUrl = env( "DIRECT_URL" )
  schemas   = ["a", "b"]
}

model User {
  id   Int    @id
  name String @default("}") // }
  @@map("users")
}

enum Role { ADMIN }
`;

test('reads the blocks, and what datasource and generator say', () => {
  const text = textOf('schema.prisma', schema);
  const { document, problems } = parsePrisma(text);
  expect(problems).toEqual([]);
  expect(document.blocks.map(({ kind, name }) => `${kind.value} ${name.value}`)).toEqual([
    'generator client',
    'datasource db',
    'model User',
    'enum Role',
  ]);
  const [generator, datasource, model] = document.blocks;
  expect(generator?.properties.get('output')).toMatchObject({ kind: 'text', value: '../src/"x"' });
  expect(generator?.properties.get('previewFeatures')).toMatchObject({ kind: 'other' });
  expect(datasource?.properties.get('url')).toMatchObject({ kind: 'env', name: 'DATABASE_URL' });
  expect(datasource?.properties.get('directUrl')).toMatchObject({ kind: 'env', name: 'DIRECT_URL' });
  expect([...(datasource?.properties.keys() ?? [])]).toEqual(['provider', 'url', 'directUrl', 'schemas']);
  expect(model?.properties.size).toBe(0);
});

test('every value carries its range', () => {
  const text = textOf('schema.prisma', schema);
  const [, datasource] = parsePrisma(text).document.blocks;
  const written = [...(datasource?.properties.values() ?? [])].map(({ range }) => slice(text, range));
  expect(written).toEqual(['"postgresql"', 'env("DATABASE_URL")', 'env( "DIRECT_URL" )', '["a", "b"]']);
  expect(datasource && slice(text, datasource.name.range)).toBe('db');
});

test('a block without an end is a problem, and what stands in it is read', () => {
  const { document, problems } = parsePrisma(textOf('a.prisma', 'datasource db {\n  url = "x"\n'));
  expect(document.blocks[0]?.properties.get('url')).toMatchObject({ kind: 'text', value: 'x' });
  expect(problems).toMatchObject([{ message: 'datasource db has no closing brace' }]);
});

test('never throws, and every range lies in the text', () => {
  const part = fc.constantFrom('datasource db {', '}', '\n', 'url = ', 'env("A")', '"', '//', '/*', '*/', 'model A {', ' ', '\\', 'x');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const content = parts.join('');
      for (const { kind, name, properties } of parsePrisma(textOf('a.prisma', content)).document.blocks) {
        for (const { start, end } of [kind.range, name.range, ...[...properties.values()].map(({ range }) => range)]) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(content.length);
        }
      }
    }),
  );
});
