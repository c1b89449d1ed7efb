import fc from 'fast-check';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { outermost, slice, type Text, textOf } from '../text.ts';
import { embed, embedDecoded } from './embed.ts';
import { parseYaml } from './parse.ts';
import { get, type YamlScalar } from './value.ts';

function scalarOf(source: string): YamlScalar {
  const { document } = parseYaml(textOf('a.yaml', source));
  const value = get(document[0]?.root, 'v');
  if (value?.kind !== 'scalar') throw new Error(`no scalar in ${source}`);
  return value;
}

/** What stands in the YAML at the place of a word of the embedded text. */
function outerOf(source: string, word: string): string {
  const text = embed(scalarOf(source));
  const start = text.content.indexOf(word);
  expect(start, text.content).toBeGreaterThanOrEqual(0);
  const place = outermost({ text, range: { start, end: start + word.length } });
  expect(place.text.content).toBe(source);
  return slice(place.text, place.range);
}

test.each([
  ['literal', 'v: |\n  a = one\n    b = two\n\n  c = three\n'],
  ['literal, CRLF', 'v: |\r\n  a = one\r\n  b = two\r\n  c = three\r\n'],
  ['literal, kept breaks', 'v: |+\n\n  a = one\n  b = two\n\n  c = three\n\n\n'],
  ['literal, indentation indicator', 'v: |2-\n    a = one\n   b = two\n  c = three\n'],
  ['literal, comment after the header', 'v: |- # a comment\n  a = one\n  b = two\n  c = three'],
  ['folded', 'v: >\n  a = one\n  b = two\n\n    c = three\n  d\n'],
  ['plain', 'v: a = one b = two c = three'],
  ['plain with quotes and backslashes', "v: a = one '' \\ b = two \\\\ '' c = three"],
  ['plain over lines', 'v: a = one\n  b = two\n\n  c = three\n'],
  ['single quotes', "v: 'it''s a = one\n  b = two c = three'"],
  ['double quotes', 'v: "[x]\\na = one\\tb = two \\\n  c = three"'],
  ['double quotes, folded before an escape', 'v: "a = one\n  \\tb = two\n\n  c = three"'],
  ['double quotes, every kind of escape', 'v: "\\x41\\u00e4\\U0001F600\\"a = one \\\\b = two/c = three"'],
])('words of a %s scalar stand where they were written', (_, source) => {
  for (const word of ['a = one', 'b = two', 'c = three']) expect(outerOf(source, word)).toBe(word);
});

test('an escape is one place', () => {
  const text = embed(scalarOf('v: "a\\u0062c"'));
  const place = outermost({ text, range: { start: 1, end: 2 } });
  expect(place.range).toEqual({ start: 5, end: 6 });
});

test('every place in a decoded scalar is the scalar', () => {
  const scalar = scalarOf('v: cG9vbA==');
  const text = embedDecoded(scalar, 'pool');
  expect(outermost({ text, range: { start: 2, end: 4 } }).range.start).toBe(scalar.range.start);
});

function expectCovered(text: Text, scalar: YamlScalar): void {
  const pieces = text.within?.pieces ?? [];
  expect(pieces[0]?.inner).toBe(0);
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]?.inner ?? text.content.length;
    expect(next).toBeGreaterThanOrEqual(piece.inner + piece.length);
    const literal = scalar.text.content.slice(piece.outer, piece.outer + piece.length);
    expect(literal).toBe(text.content.slice(piece.inner, piece.inner + piece.length));
  }
}

test('whatever a scalar holds, each piece stands literally in the source', () => {
  const part = fc.constantFrom('a', 'bc ', '  ', '\n', '"', "'", '\\', '\t', 'é', '😀', ': ', '# ', '- ');
  const styles = fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), styles, fc.boolean(), (parts, style, crlf) => {
      const options = { defaultStringType: style as 'PLAIN', defaultKeyType: 'PLAIN' as const, lineWidth: 20 };
      const yaml = stringify({ v: parts.join('') }, options);
      const scalar = scalarOf(crlf ? yaml.replaceAll('\n', '\r\n') : yaml);
      const text = embed(scalar);
      expectCovered(text, scalar);
      const literally = text.within?.pieces.reduce((length, piece) => length + piece.length, 0) ?? 0;
      const words = scalar.value.match(/[a-z]+/g)?.join('').length ?? 0;
      expect(literally).toBeGreaterThanOrEqual(words);
    }),
    { numRuns: 500 },
  );
});
