import { describe, expect, test } from 'vitest';
import { textOf } from '../text.ts';
import { nestsTooDeeply } from './nesting.ts';
import { parseJavaScript } from './parse.ts';

type Shape = (times: number) => string;

const around =
  (open: string, inner: string, close: string): Shape =>
  (times) =>
    `${open.repeat(times)}${inner}${close.repeat(times)}`;

const after =
  (first: string, next: string): Shape =>
  (times) =>
    `${first}${next.repeat(times)}a;`;

/** Each of these takes one step down a level. */
const nested: Readonly<Record<string, Shape>> = {
  arrays: around('[', '', ']'),
  'arrays after commas': around('[1, 2, ', '', ']'),
  parentheses: around('(', 'a', ')'),
  blocks: around('{', '', '}'),
  templates: around('`${', 'a', '}`'),
  arrows: after('', 'a => '),
  assignments: after('', 'a = '),
  ternaries: after('', 'a ? b : '),
  'ternaries in ternaries': around('a ? ', 'b', ' : c'),
  powers: after('', 'a ** '),
  negations: after('', '!'),
  constructions: after('', 'new '),
  awaits: after('', 'await '),
  calls: around('f(', '', ')'),
  ifs: after('', 'if (a) '),
  'else ifs': after('', 'if (a); else '),
  'else ifs with blocks': after('', 'if (a) { b(); } else '),
  'else ifs on lines': after('', 'if (a)\n  b()\nelse '),
  loops: after('', 'for (const a of b) '),
  'loops on lines': after('', 'while (a)\n'),
  labels: after('', 'a: '),
  'type arguments': around('B<', 'c', '>'),
  'type arguments after commas': around('B<c, ', 'd', '>'),
  comparisons: after('', 'a < '),
  'function types': after('type A = ', '() => '),
  keyofs: after('type A = ', 'keyof '),
  'conditional types': after('type A = ', 'B extends C ? D : '),
  inferences: after('type A = B extends ', 'infer C extends '),
  elements: around('<a>', '', '</a>'),
  fragments: around('<>', '', '</>'),
  'elements with text': around(`<a b='"' c={'}'}>it's (a [text) // \``, '', '</a>'),
  'elements as attributes': around('<a b=', '<a />', ' />'),
};

const nestedTwice: Readonly<Record<string, Shape>> = {
  objects: around('({a:', '1', '})'),
  functions: around('(function () { return ', '1', '})'),
  callbacks: around('f(() => {', '', '})'),
  classes: around('x = class { m() { ', '', '} }'),
  'heirs of heirs': around('class extends ', 'A', '{}'),
  'function statements': around('function f() {', '', '}'),
  namespaces: around('namespace A {', '', '}'),
  dos: around('do ', ';', 'while (a);'),
  'ifs with blocks': around('if (a) {', '', '}'),
  'labels before a comma': around('a: b: c, function () {', '', '}'),
  'object types': around('type A = { a: ', 'b', '}'),
  'parameter types': around('type A = (a: ', 'b', ') => c'),
  'elements in attributes': around('<a b={', '1', '} />'),
  'elements in children': around('<a>{b && ', '1', '}</a>'),
  'elements with type arguments': around('<A<B> c={d => ', '1', '} />'),
};

/** What stands to the left nests: the parser goes on in a loop, and only what walks its tree descends. */
const chained: Readonly<Record<string, Shape>> = {
  sums: after('x = ', 'a + '),
  conjunctions: after('x = ', 'a && '),
  'calls of methods': after('a', '.b()'),
  'calls of methods on lines': after('a', '\n  .b(c)'),
  'calls of calls': after('a', '()'),
  indexes: after('a', '[b]'),
  'tagged templates': after('a', '`b`'),
  'array types': after('let a: B', '[]'),
  'type assertions': after('a', ' as B'),
  'pairs of comparisons': after('', 'a < b > c > '),
};

const isRefused = (content: string): boolean => nestsTooDeeply(content, { jsx: true });

describe.each(Object.entries({ ...nested, ...nestedTwice, ...chained }))('%s', (_, shape) => {
  test.each([5_000, 10_000, 100_000])('%d deep are refused', (times) => expect(isRefused(shape(times))).toBe(true));
});

test.each(Object.entries({ ...nested, ...chained }))('500 %s are accepted', (_, shape) => expect(isRefused(shape(500))).toBe(false));

test.each(Object.entries(nestedTwice))('200 %s are accepted', (_, shape) => expect(isRefused(shape(200))).toBe(false));

test.each([
  ['an assertion', '<T>'],
  ['a generic arrow', '<T>(a) => '],
])('%s is no tag where there are none', (_, prefix) => {
  expect(nestsTooDeeply(after('x = ', prefix)(10_000), { jsx: false })).toBe(true);
});

test.each([
  ['comments', `// it's a "\`\n/* ' */`],
  ['an interpreter line', '#!/bin/`'],
  ['a string', String.raw`a = "it's \" ${'`'}";`],
  ['a string that is not ended', "a = '`"],
  ['a template', 'a = `it\'s "\\` ${`}`} $`;'],
  ['a regular expression', 'a = /["\'`/]`"\\//g;'],
  ['a regular expression after a block', 'if (a) {}\n/`/.test(b);'],
  ['a division after an object', 'a = {} / 1; `${b}`'],
  ['a division after a function', 'a = function () {} / 1; `${b}`'],
  ['a division after a parenthesis', 'a = (b) / 1; `${b}`'],
  ['a regular expression after an if', 'if (a) /`/.test(b);'],
  ['members named like words', 'a.if / b.return / c; `${b}`'],
  ['a generic arrow', "a = <T,>(b: T) => '';"],
  ['a generic function type', "type F = <T>(a: T) => '>';"],
  ['an element', `a = <b c="{" d='>'>it's {e ? <f /> : null} "</b>;`],
])('what stands after %s is seen', (_, before) => {
  const deep = '['.repeat(2_000);
  expect(isRefused(`${before}\nx = ${deep}`)).toBe(true);
  expect(isRefused(`${before}\nx = ${JSON.stringify(deep)}; // ${deep}`)).toBe(false);
});

const lines = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('\n');

const large: Readonly<Record<string, string>> = {
  'an array of arrays': `x = [${lines(100_000, (at) => `[${at}, -1, 1e+3],`)}];`,
  'an object of objects': `export default {${lines(20_000, (at) => `key${at}: { 'a b': [${at}], c: a < ${at} ? 1 : 2 },`)}};`,
  'an object that is returned': `function f() { return {${lines(20_000, (at) => `key${at}: { a: !b },`)}}; }`,
  'a list of elements': `x = <ul>${lines(20_000, (at) => `<li key="${at}" a={{ b: ${at} }}>it's {c} & <br /></li>`)}</ul>;`,
  'a concatenation': `x = ''\n${lines(3_000, (at) => `  + 'part ${at} ((('`)};`,
  statements: lines(50_000, (at) => `a${at} = b + !c;`),
  'statements without semicolons': lines(50_000, (at) => `const a${at}: B<C> = new D(-b[${at}])`),
  'assignments without semicolons': lines(50_000, (at) => `a.b${at} = c < ${at} || d`),
  ifs: lines(20_000, () => 'if (a) b = c;'),
  'ifs with blocks': lines(20_000, () => 'if (a) {\n  b = c\n}'),
  loops: lines(20_000, () => 'for (let i = 0; i < a; i++) while (b) c()'),
  functions: lines(20_000, (at) => `function f${at}(a: B, c?: D) { return a }`),
  classes: lines(20_000, (at) => `@a() class A${at}<T> extends B { static c = 1 }`),
  methods: `class A {${lines(20_000, (at) => `  @b({ c: 1 })\n  d${at}!: E<F> | null\n\n  async g${at}(): Promise<{ h: 1 }> {}`)}\n}`,
  cases: `switch (a) {${lines(20_000, (at) => `case ${at}:${at % 9 ? '' : ' return b ? c : d'}`)}}`,
  'members of a type': `interface A {${lines(20_000, (at) => `a${at}?: B<C>\n b${at}: { c: D }`)}}`,
  'members of an enumeration': `enum A {${lines(20_000, (at) => `B${at} = 1 << ${at},`)}}`,
  'a union': `type A =\n${lines(10_000, (at) => `  | 'a${at}'`)};`,
  'conditional types': lines(20_000, (at) => `type A${at}<T> = T extends B<infer C> ? C : never`),
  'a sequence of comparisons': `a(${lines(900, (at) => `b < ${at}, `)}c)`,
  'a minified bundle': '!function(e,t){var n=t(1),r=n<3&&e>2?/["(]/g:n/2/r;for(;n<r;)e=t,n++;if(n)return"<p>";else t()}(a,b);'.repeat(
    2_000,
  ),
  'a fluent chain': `a${'\n  .where((b) => b.c > 1)'.repeat(200)};`,
  'a string in base64': `x = '${'iVBORw0KGgo+/='.repeat(100_000)}';`,
  'a template': `x = \`${'it\'s <p> (([[ ${a ? `b${c}` : "d"} '.repeat(20_000)}\`;`,
};

test.each(Object.entries(large))('%s may be long', (_, content) => {
  expect(isRefused(content)).toBe(false);
});

test('the parser answers instead of ending the process', () => {
  const { document, problems } = parseJavaScript(textOf('a.ts', around('[', '', ']')(100_000)));
  expect(document.body).toEqual([]);
  expect(problems).toEqual([{ range: { start: 0, end: 0 }, message: 'This file is nested too deeply to be analysed.' }]);
});
