import { expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { parseYaml } from './parse.ts';
import { booleanOf, entriesOf, get, isAbsent, itemsOf, numberOf, stringOf, type YamlValue } from './value.ts';

function parse(content: string) {
  const { document, problems } = parseYaml(textOf('a.yaml', content));
  return { roots: document.map(({ root }) => root), complete: document.map(({ complete }) => complete), problems };
}

/** The value as plain data; what is unknown is `undefined`. */
function plain(value: YamlValue | undefined): unknown {
  if (value?.kind === 'map') return Object.fromEntries(entriesOf(value).map((entry) => [entry.key.value, plain(entry.value)]));
  return value?.kind === 'sequence' ? itemsOf(value).map(plain) : stringOf(value);
}

const deployment = `# a comment
apiVersion: apps/v1
kind: Deployment
metadata: { name: api, labels: {app: "api"} }
spec:
  replicas: 5
  template:
    spec:
      containers:
        - name: app
          args: ['-c', "max_connections=200"]
---
kind: Service
`;

test('every value stands where it was written', () => {
  const text = textOf('k8s/api.yaml', deployment);
  const replicas = get(parseYaml(text).document[0]?.root, 'spec', 'replicas');
  expect(numberOf(replicas)).toBe(5);
  expect(replicas && slice(text, replicas.range)).toBe('5');
  expect(replicas?.text).toBe(text);
});

test('each document of a stream has its own root', () => {
  const { roots, problems } = parse(deployment);
  expect(roots.map((root) => stringOf(get(root, 'kind')))).toEqual(['Deployment', 'Service']);
  expect(problems).toEqual([]);
});

test('CRLF files say the same', () => {
  const { roots } = parse(deployment.replaceAll('\n', '\r\n'));
  expect(plain(get(roots[0], 'spec', 'template'))).toEqual({
    spec: { containers: [{ name: 'app', args: ['-c', 'max_connections=200'] }] },
  });
});

test('scalars keep their text whatever a schema would make of them', () => {
  const [root] = parse('a: 0123\nb: "25"\nc: ~\nd:\ne: yes\nf: true\ng: 1e3\nh: ""').roots;
  expect(stringOf(get(root, 'a'))).toBe('0123');
  expect(numberOf(get(root, 'b'))).toBe(25);
  expect([get(root, 'c'), get(root, 'd'), get(root, 'z')].map(isAbsent)).toEqual([true, true, true]);
  expect(booleanOf(get(root, 'e'))).toBeUndefined();
  expect(booleanOf(get(root, 'f'))).toBe(true);
  expect(numberOf(get(root, 'g'))).toBeUndefined();
  expect([isAbsent(get(root, 'h')), stringOf(get(root, 'h'))]).toEqual([false, '']);
});

test('the last of equal keys wins', () => {
  expect(plain(parse('a: 1\na: 2').roots[0])).toEqual({ a: '2' });
});

test('merge keys: own keys win, then the earlier map', () => {
  const source = 'x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  a: 3\n';
  expect(plain(get(parse(source).roots[0], 'z'))).toEqual({ b: '1', c: '2', a: '3' });
});

test('an alias stands for its anchor, at the place of the anchor', () => {
  const [root] = parse('a: &n 5\nb: *n\nc: *nowhere\nd: &d [*d]').roots;
  expect(get(root, 'b')).toBe(get(root, 'a'));
  expect(get(root, 'c')?.kind).toBe('unknown');
  expect(itemsOf(get(root, 'd'))[0]?.kind).toBe('unknown');
});

test('a tag of one’s own makes its value unknown, and everything below it', () => {
  const [root] = parse('a: !Ref Params\nb: !!str 5\n').roots;
  expect(get(root, 'a', 'deep', 'below')?.kind).toBe('unknown');
  expect(stringOf(get(root, 'b'))).toBe('5');
});

test('what CloudFormation fills in itself is unknown, and no template', () => {
  const { roots, complete, problems } = parse('url: "{{resolve:ssm:/shop/url}}"\nport: 80\n');
  expect([get(roots[0], 'url')?.kind, complete, problems]).toEqual(['unknown', [true], []]);
});

test('template holes make their values unknown and nothing else', () => {
  const { roots, complete, problems } = parse('name: {{ .Values.name }}-api\nreplicas: "{{ n }}"\nport: 80\n');
  expect(['name', 'replicas', 'port'].map((key) => get(roots[0], key)?.kind)).toEqual(['unknown', 'unknown', 'scalar']);
  expect(complete).toEqual([true]);
  expect(problems).toEqual([{ range: { start: 6, end: 24 }, message: 'template left unrendered' }]);
});

test.each([
  ['an action on its own line', 'a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n'],
  ['a block of lines', 'a: 1\nlabels:\n  {{- include "x" . | nindent 2 }}\n'],
  ['two actions on one line', '{{ range .x }} {{ end }}\na: 1\n'],
  ['an action over lines', '{{- /*\n a comment\n*/ -}}\na: 1\n'],
  ['a key', 'a: 1\n{{ key }}: 2\n'],
  ['an action that is never closed', 'a: 1\nb: {{ x\n'],
])('with %s, what is not in the document may still be set', (_, source) => {
  const { roots, complete } = parse(source);
  expect(stringOf(get(roots[0], 'a'))).toBe('1');
  expect(complete).toEqual([false]);
});

test('a syntax error costs its document, not the stream', () => {
  const { roots, complete, problems } = parse('a: [1, 2\n---\nb: 3\n');
  expect(complete).toEqual([false, true]);
  expect(stringOf(get(roots[1], 'b'))).toBe('3');
  expect(problems).toHaveLength(1);
});

test('every prefix of a document is read', () => {
  const source = `${deployment}a: &x {b: 'c', "d\\n": *x}\nc: |2-\n    x\n  y\n{{ if }}\ne: >\n  f\n? g\n: !t h\n`;
  for (let end = 0; end <= source.length; end++) expect(parse(source.slice(0, end)).roots.length).toBeLessThanOrEqual(2);
});

test.each([
  ['flow sequences', '['.repeat(100_000)],
  ['flow maps', '{a: '.repeat(100_000)],
  ['block sequences', '- '.repeat(100_000)],
  ['explicit keys', '? '.repeat(100_000)],
])('bottomless %s are cut off', (_, source) => {
  const { complete, problems } = parse(source);
  expect(complete).toEqual([false]);
  expect(problems.map(({ message }) => message)).toContain('nested too deeply to be read');
});

test('an alias bomb is as cheap as its text', () => {
  const levels = Array.from({ length: 30 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`);
  const [root] = parse(`a0: &a0 [x]\n${levels.join('\n')}\n`).roots;
  expect(itemsOf(get(root, 'a30'))).toHaveLength(9);
});

test('merge keys cannot multiply without bound', () => {
  const wide = Array.from({ length: 1000 }, (_, key) => `k${key}: 1`).join(', ');
  const levels = Array.from({ length: 1000 }, (_, level) => `a${level + 1}: {<<: [*a, *a]}`);
  const { complete, problems } = parse(`a: &a {${wide}}\n${levels.join('\n')}`);
  expect(complete).toEqual([false]);
  expect(problems).toHaveLength(1);
});

test('a file that is too large is a problem, not a document', () => {
  const { roots, problems } = parse(`a: ${'x'.repeat(2 * 1024 * 1024)}`);
  expect([roots, problems.length]).toEqual([[], 1]);
});
