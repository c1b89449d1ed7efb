import { slice, textOf, type Text } from '@poolcheck/parsers/text';
import { embed, embedDecoded } from '@poolcheck/parsers/yaml/embed';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { get, type YamlScalar } from '@poolcheck/parsers/yaml/value';
import { expect, test } from 'vitest';
import type { Fix } from './finding.ts';
import { findingOf } from './judge.ts';
import { documentRule } from './rule.ts';

const rule = documentRule({
  id: 'some-rule',
  severity: 'error',
  summary: 'Something goes wrong.',
  messages: { wrong: 'It goes wrong.' },
  kind: 'pgbouncer',
  check: () => [],
});

const ini = 'pool_mode = session\nmax_client_conn = 100\n';
const inBlock = 'data:\n  pgbouncer.ini: |\n    pool_mode = session\n    max_client_conn = 100\n';
const inQuotes = `data: { pgbouncer.ini: ${JSON.stringify(ini)} }\n`;

function scalarIn(yaml: string): YamlScalar {
  const { document } = parseYaml(textOf('pooler.yaml', yaml));
  const value = get(document[0]?.root, 'data', 'pgbouncer.ini');
  if (value?.kind !== 'scalar') throw new Error(`no pgbouncer.ini in ${yaml}`);
  return value;
}

/** What a report's fix, which replaces a word by another, is in its finding. */
function fixesFor(text: Text, word: string, insert: string): readonly Fix[] {
  const start = text.content.indexOf(word);
  const range = { start, end: start + word.length };
  const fix: Fix = { title: 'Mend it', safe: true, edits: [{ text, range, insert }] };
  const finding = findingOf(rule, { at: { text, range }, message: 'wrong', fixes: [fix] }, { severities: new Map() });
  return finding?.fixes ?? [];
}

function applied({ edits }: Fix): string {
  const [edit] = edits;
  if (!edit) return '';
  const { text, range, insert } = edit;
  return slice(text, { start: 0, end: range.start }) + insert + text.content.slice(range.end);
}

test.each([
  ['a file', textOf('pgbouncer.ini', ini), ini],
  ['a block', embed(scalarIn(inBlock)), inBlock],
  ['a quoted value', embed(scalarIn(inQuotes)), inQuotes],
])('a fix in %s is made in the file on disk', (_, text, file) => {
  expect(fixesFor(text, 'session', 'transaction').map(applied)).toEqual([file.replace('session', 'transaction')]);
});

test('a fix of several lines is made in a file, and not given in a text inside another', () => {
  const insert = 'transaction\nserver_reset_query =';
  expect(fixesFor(textOf('pgbouncer.ini', ini), 'session', insert)).toHaveLength(1);
  expect(fixesFor(embed(scalarIn(inBlock)), 'session', insert)).toEqual([]);
});

test.each([
  ['what would be a quote of the text around', embed(scalarIn(inQuotes)), 'session', '"transaction"'],
  ['what goes over a line', embed(scalarIn(inBlock)), 'session\nmax_client_conn', 'x'],
  ['what is encoded', embedDecoded(scalarIn('data: { pgbouncer.ini: cG9vbA== }'), ini), 'session', 'transaction'],
])('a fix of %s is not given', (_, text, word, insert) => expect(fixesFor(text, word, insert)).toEqual([]));
