import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contains, slice, textOf, type Range } from '../text.ts';
import type { Directive, Level } from './document.ts';
import { parseNginx } from './parse.ts';

const parse = (content: string) => parseNginx(textOf('nginx.conf', content));

/** Directives as nested arrays of names and values. */
type Outline = readonly (string | Outline)[];

function outline(level: Level): Outline {
  return level.directives.map(({ name, args, block }) => [
    name.value,
    ...args.map(({ value }) => value),
    ...(block ? [outline(block)] : []),
  ]);
}

const wordsOf = (content: string) => outline(parse(content).document)[0];

describe('words', () => {
  test.each<readonly [string, readonly string[]]>([
    ['a b;', ['a', 'b']],
    ['a\n\t b\r\n c ;', ['a', 'b', 'c']],
    ['a 4#x;', ['a', '4#x']],
    ['a # b;\n c;', ['a', 'c']],
    ['a "b;{}#\n" c;', ['a', 'b;{}#\n', 'c']],
    [`a "it's" 'say "x"';`, ['a', "it's", 'say "x"']],
    ['a 4"4";', ['a', '4"4"']],
    ['a "";', ['a', '']],
    ['a b\\;c d\\ e;', ['a', 'b\\;c', 'd\\ e']],
    ['a \\"b\\\' \\\\c;', ['a', `"b'`, '\\c']],
    ['a b\\tc\\nd\\re;', ['a', 'b\tc\nd\re']],
    ['a ${b}c $d;', ['a', '${b}c', '$d']],
    ['a b}c;', ['a', 'b}c']],
    ['"a" b;', ['a', 'b']],
    ['a ("b") c;', ['a', '("b")', 'c']],
    ['a "b") c;', ['a', 'b', ')', 'c']],
  ])('%j', (content, expected) => {
    expect(wordsOf(content)).toEqual(expected);
    expect(parse(content).problems).toEqual([]);
  });

  test('a dollar that is not followed by a brace leaves the next brace alone', () => {
    expect(wordsOf('a $host{ b; }')).toEqual(['a', '$host', [['b']]]);
  });

  test('a word covers its quotes, a directive its semicolon, a block its body', () => {
    const text = textOf('nginx.conf', 'server { listen "80" ; }');
    const [server] = parseNginx(text).document.directives;
    const listen = server?.block?.directives[0];
    const written = [listen?.args[0]?.range, listen?.range, server?.block?.range, server?.range].map(
      (range) => range && slice(text, range),
    );
    expect(written).toEqual(['"80"', 'listen "80" ;', ' listen "80" ; ', text.content]);
  });
});

describe('what nginx refuses is fatal, and the rest is read', () => {
  test.each<readonly [string, string, Outline]>([
    ['a;;b;', 'unexpected ";"', [['a'], ['b']]],
    ['{ a; } b;', 'unexpected "{"', [['b']]],
    ['a; } b;', 'unexpected "}"', [['a'], ['b']]],
    ['s { a } b;', 'unexpected "}": the directive before it is not ended by ";"', [['s', [['a']]], ['b']]],
    ['a "b"c;', 'unexpected "c" after a closing quote', [['a', 'b', 'c']]],
    ['a "b"} c;', 'unexpected "}" after a closing quote', [['a', 'b'], ['c']]],
    ['a b', 'unexpected end of file, expecting ";" or "}"', [['a', 'b']]],
    ['a; b "c;', 'unexpected end of file: the quote opened here is never closed', [['a'], ['b', 'c;']]],
    ['s { a;', 'unexpected end of file: the block opened here is never closed', [['s', [['a']]]]],
    ['map $a $b { c { d; } }', 'unexpected "{"', [['map', '$a', '$b', [['c', [['d']]]]]]],
    ['upstream a; b;', 'directive "upstream" has no opening "{"', [['upstream', 'a'], ['b']]],
    ['x_by_lua_block { "{', 'unexpected end of file: the Lua block opened here is never closed', [['x_by_lua_block', []]]],
  ])('%j', (content, message, expected) => {
    const { document, problems } = parse(content);
    expect(problems[0]).toMatchObject({ message, fatal: true });
    expect(outline(document)).toEqual(expected);
  });

  test.each([
    ['a word', 4095, (n: number) => `a ${'x'.repeat(n)};`],
    ['a quoted word', 4094, (n: number) => `a "${'x'.repeat(n)}";`],
    ['a comment', 4094, (n: number) => `#${'x'.repeat(n)}\na;`],
    ['a word of two-byte letters', 2047, (n: number) => `a ${'é'.repeat(n)};`],
  ])('%s of more bytes than the buffer holds', (_, most, make) => {
    expect(parse(make(most)).problems).toEqual([]);
    expect(parse(make(most + 1)).problems).toMatchObject([{ fatal: true }]);
  });

  test('blocks nested very deeply are a problem and end where they end', () => {
    const { document, problems } = parse(`${'a {'.repeat(5000)}${'}'.repeat(5000)} b;`);
    expect(problems).toHaveLength(1);
    expect(document.directives.map(({ name }) => name.value)).toEqual(['a', 'b']);
  });
});

describe('blocks that do not hold directives', () => {
  test('map lines are pairs, whatever their keys are called', () => {
    const [map] = parse(`map $http_upgrade $c { default upgrade; '' close; location /a; }`).document.directives;
    expect(map?.block?.kind).toBe('entries');
    expect(map?.block && outline(map.block)).toEqual([
      ['default', 'upgrade'],
      ['', 'close'],
      ['location', '/a'],
    ]);
  });

  test.each([
    ['braces in strings', `local a = "{" .. '\\'{'`],
    ['a hash', 'local n = #t'],
    ['long brackets', 'local s = [==[ ]] { ]=] { ]==]'],
    ['comments', "-- it's {\n--[[ { \n ]] x()"],
    ['nested tables', 'local t = {{1}, {a = {}}}'],
    ['a quote without a partner', `x = a ' b\ny()`],
  ])('Lua with %s', (_, lua) => {
    const { document, problems } = parse(`content_by_lua_block {${lua}} a;`);
    expect(problems).toEqual([]);
    expect(document.directives.map(({ name }) => name.value)).toEqual(['content_by_lua_block', 'a']);
  });
});

describe('include', () => {
  const files: Readonly<Record<string, string>> = {
    'a.conf': 'a;',
    'loop.conf': 'include loop.conf; b;',
    'half.conf': 's { a;',
    'key.conf': '"" x;',
  };
  const read = (content: string) =>
    parseNginx(textOf('nginx.conf', content), (path) => (path in files ? [textOf(path, files[path] ?? '')] : undefined));

  test('the directives of an included file follow the include and know their file', () => {
    const { document, problems } = read('s { include a.conf; b; }');
    expect(problems).toEqual([]);
    expect(document.directives[0]?.block?.directives.map(({ name, text }) => [name.value, text.path])).toEqual([
      ['include', 'nginx.conf'],
      ['a', 'a.conf'],
      ['b', 'nginx.conf'],
    ]);
  });

  test('a file that is not found leaves its level incomplete, not the ones around it', () => {
    const { document, problems } = read('s { include nowhere.conf; }');
    expect(problems).toMatchObject([{ message: 'include "nowhere.conf": no such file in this project' }]);
    expect([document.complete, document.directives[0]?.block?.complete]).toEqual([true, false]);
  });

  test('a file that includes itself is read once', () => {
    const { document, problems } = read('include loop.conf;');
    expect(document.directives.map(({ name }) => name.value)).toEqual(['include', 'include', 'b']);
    expect(problems).toHaveLength(1);
  });

  test('a problem in an included file says in which', () => {
    const { problems } = read('include half.conf;');
    expect(problems).toMatchObject([{ text: { path: 'half.conf' }, fatal: true }]);
  });

  test('an include in a map gives pairs', () => {
    const [map] = read('map $a $b { include key.conf; }').document.directives;
    expect(map?.block && outline(map.block)).toEqual([
      ['include', 'key.conf'],
      ['', 'x'],
    ]);
  });

  test('many includes of many includes come to an end', () => {
    const many = textOf('many.conf', 'include many.conf;'.repeat(50));
    let n = 0;
    const { document } = parseNginx(many, () => [{ ...many, path: `many${n++}.conf` }]);
    expect(document.complete).toBe(false);
    expect(n).toBeLessThan(20_000);
  });
});

describe('templates', () => {
  const holes = (level: Level): readonly string[] =>
    level.directives.flatMap(({ args, block }) => [
      ...args.filter(({ hole }) => hole).map(({ value }) => value),
      ...(block ? holes(block) : []),
    ]);

  test.each<readonly [string, string, readonly string[]]>([
    ['Jinja', 'upstream a {\n{% for s in servers %}\n  server {{ s }}:80;\n{% endfor %}\n}', ['{{ s }}:80']],
    [
      'Helm',
      'server {\n  {{- if .Values.tls }}\n  listen 443;\n  {{- end }}\n  listen {{ .Values.port | quote }};\n}',
      ['{{ .Values.port | quote }}'],
    ],
    ['ERB', 'worker_processes <%= @n > 1 ? "a" : "b" %>;\n<% if x { %>\na;\n<% } %>', ['<%= @n > 1 ? "a" : "b" %>']],
    ['Mustache', 'a "{{{ raw }}};";', ['{{{ raw }}};']],
    ["Python's format", 'location /{id}/ {\n  proxy_pass http://{ip}:8080/;\n  a "{b}";\n}', ['/{id}/', 'http://{ip}:8080/']],
    ['envsubst', 'listen ${PORT}; server $HOST:80;', ['${PORT}', '$HOST:80']],
  ])('%s: values in holes are marked, and one problem is reported', (_, content, expected) => {
    const { document, problems } = parse(content);
    expect(holes(document)).toEqual(expected);
    expect(problems).toMatchObject([{ message: expect.stringMatching(/^template left unrendered/) }]);
    expect(problems[0]).not.toHaveProperty('fatal');
  });

  test('a hole alone on its lines may write directives, so its block is incomplete', () => {
    const { document } = parse('http {\n  {{ include "servers" . }}\n  a b;\n}');
    expect(outline(document)).toEqual([['http', [['a', 'b']]]]);
    expect(document.directives[0]?.block?.complete).toBe(false);
  });

  test('braces that nginx reads are no hole', () => {
    expect(parse('events {}\nhttp { a ${b}c; return 200 "{ok}"; map $a $b {default c;} }').problems).toEqual([]);
  });

  test('around the holes of a template engine nothing is called a syntax error', () => {
    const { problems } = parse('{% if a %}\nserver {\n{% else %}\nserver {\n{% endif %}\n}');
    expect(problems).toHaveLength(1);
  });

  test('a variable that the file sets itself is no hole', () => {
    expect(parse('server { set $HOST a; proxy_pass http://$HOST; }').problems).toEqual([]);
  });

  test('holes in comments are comments', () => {
    expect(parse('# {{ x }} ${PORT}\na;').problems).toEqual([]);
  });
});

test.each([
  ['events {} http {}', 'main'],
  ['worker_processes 1;', 'main'],
  ['upstream a { server b; } server { listen 80; location / { proxy_pass http://a; } }', 'http'],
  ['map $a $b { c d; }', 'http'],
  ['upstream a { server b:5432; } server { listen 5432; proxy_pass a; }', 'stream'],
  ['server a:80; server b:80;', 'upstream'],
  ['location / { root /srv; }', 'server'],
  ['proxy_pass http://a; proxy_http_version 1.1;', 'location'],
  ['proxy_set_header Host $host;', 'unknown'],
])('the context of %j is %s', (content, context) => {
  expect(parse(content).document.context).toBe(context);
});

describe('whatever the file holds', () => {
  const pieces = [
    'a',
    'server',
    'map',
    'include x',
    'b_by_lua_block',
    ' ',
    '\n',
    ';',
    '{',
    '}',
    '"',
    "'",
    '\\',
    '#',
    '$',
    '${A}',
    '{{',
    '}}',
    '{%',
    '%}',
    '[[',
    'é',
    '\0',
  ];
  const content = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
  );

  const everyRange = ({ name, args, range, block }: Directive): readonly (readonly [Range, Range])[] => [
    ...[name, ...args].map((word) => [range, word.range] as const),
    ...(block
      ? [[range, block.range] as const, ...block.directives.flatMap((inner) => [[block.range, inner.range] as const, ...everyRange(inner)])]
      : []),
  ];

  test('it is read, and every range lies in the one around it', () => {
    fc.assert(
      fc.property(content, (source) => {
        const { document, problems } = parse(source);
        const whole = { start: 0, end: source.length };
        for (const { range } of problems) expect(contains(whole, range)).toBe(true);
        for (const directive of document.directives) {
          expect(contains(whole, directive.range)).toBe(true);
          for (const [outer, inner] of everyRange(directive)) expect(contains(outer, inner)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('so is every piece of it that an editor has before it is whole', () => {
    const whole = `http {\n  map $a $b { '' "x"; }\n  include a; # {{ c }}\n  server { location ~ "^/{2}" { x_by_lua_block { "}" } return 200 \\;\${d}; } }\n}\n`;
    for (let end = 0; end <= whole.length; end++) expect(parse(whole.slice(0, end)).document.text.content).toHaveLength(end);
    expect(parse(whole).problems).toMatchObject([{ message: 'include "a": no such file in this project' }]);
  });

  test('words without holes are read back from their quoted form', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 1, maxLength: 6 }), (values) => {
        const quoted = values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(' ');
        fc.pre(!/[{<]|\$/.test(quoted));
        expect(wordsOf(`a ${quoted};`)).toEqual(['a', ...values]);
      }),
    );
  });
});
