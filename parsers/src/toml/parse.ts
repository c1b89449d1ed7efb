import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { Parsed, Range, Text } from '../text.ts';
import type { YamlEntry, YamlMap, YamlValue } from '../yaml/value.ts';

const maxLength = 1024 * 1024;

/** Reads a TOML file into the values that YAML has; an array of tables is a sequence of maps. With a syntax error it is empty. */
export function parseToml(text: Text): Parsed<YamlMap> {
  const empty: YamlMap = { kind: 'map', text, range: { start: 0, end: 0 }, entries: [] };
  if (text.content.length > maxLength)
    return { document: empty, problems: [{ range: empty.range, message: 'too large to be read as TOML' }] };
  try {
    return { document: documentOf(parseTOML(text.content, { tomlVersion: '1.1' }), text), problems: [] };
  } catch (error) {
    // Besides its own errors only the stack can end the parser: a file may nest as deep as it likes.
    const at = error instanceof ParseError ? error.index : 0;
    const message = error instanceof ParseError ? error.message : 'nested too deeply to be read';
    return { document: empty, problems: [{ range: { start: at, end: at }, message, fatal: true }] };
  }
}

type Key = AST.TOMLBare | AST.TOMLQuoted;

/** A table while it is read: the tables of a file may be in any order. */
interface Table {
  readonly kind: 'table';
  readonly range: Range;
  readonly entries: Map<string, { readonly key: Range; value: Part }>;
}

type Part =
  | Table
  | { readonly kind: 'tables'; readonly range: Range; readonly items: Table[] }
  | { readonly kind: 'value'; readonly node: AST.TOMLContentNode };

function documentOf({ body: [top] }: AST.TOMLProgram, text: Text): YamlMap {
  const root = tableAt({ start: 0, end: text.content.length });
  for (const node of top.body) {
    if (node.type === 'TOMLKeyValue') setValue(root, node);
    else for (const pair of node.body) setValue(openTable(root, node), pair);
    if (node.type === 'TOMLTable' && node.body.length === 0) openTable(root, node);
  }
  return mapOf(root, text);
}

function tableAt(range: Range): Table {
  return { kind: 'table', range, entries: new Map() };
}

/** The table that a header means: of an array the element that `resolvedKey` counts. */
function openTable(root: Table, { key, resolvedKey, range }: AST.TOMLTable): Table {
  let table = root;
  let name = 0;
  for (const [at, step] of resolvedKey.entries()) {
    if (typeof step === 'number') continue;
    const index = resolvedKey[at + 1];
    table = innerTable(table, key.keys[name++], typeof index === 'number' ? index : undefined, rangeOf(range));
  }
  return table;
}

function innerTable(table: Table, key: Key | undefined, index: number | undefined, range: Range): Table {
  if (!key) return table;
  const name = nameOf(key);
  const known = table.entries.get(name)?.value;
  if (index === undefined) {
    if (known?.kind === 'table') return known;
    const made = tableAt(range);
    table.entries.set(name, { key: rangeOf(key.range), value: made });
    return made;
  }
  const items = known?.kind === 'tables' ? known.items : [];
  if (known?.kind !== 'tables') table.entries.set(name, { key: rangeOf(key.range), value: { kind: 'tables', range, items } });
  const item = items[index] ?? tableAt(range);
  items[index] = item;
  return item;
}

function setValue(table: Table, { key, value }: AST.TOMLKeyValue): void {
  const outer = key.keys.slice(0, -1);
  const last = key.keys.at(-1);
  const inner = outer.reduce((at, each) => innerTable(at, each, undefined, rangeOf(key.range)), table);
  if (last) inner.entries.set(nameOf(last), { key: rangeOf(last.range), value: { kind: 'value', node: value } });
}

function nameOf(key: Key): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

function rangeOf([start, end]: AST.Range): Range {
  return { start, end };
}

function mapOf({ range, entries }: Table, text: Text): YamlMap {
  return {
    kind: 'map',
    text,
    range,
    entries: Array.from(entries, ([name, { key, value }]): YamlEntry => ({ key: { value: name, range: key }, value: partOf(value, text) })),
  };
}

function partOf(part: Part, text: Text): YamlValue {
  switch (part.kind) {
    case 'table':
      return mapOf(part, text);
    case 'tables':
      return { kind: 'sequence', text, range: part.range, items: part.items.map((item) => mapOf(item, text)) };
    case 'value':
      return valueOf(part.node, text);
  }
}

function valueOf(node: AST.TOMLContentNode, text: Text): YamlValue {
  const range = rangeOf(node.range);
  switch (node.type) {
    case 'TOMLArray':
      return { kind: 'sequence', text, range, items: node.elements.map((element) => valueOf(element, text)) };
    case 'TOMLInlineTable': {
      const table = tableAt(range);
      for (const pair of node.body) setValue(table, pair);
      return mapOf(table, text);
    }
    case 'TOMLValue':
      return { kind: 'scalar', text, range, value: String(node.value), style: node.kind === 'string' ? 'double-quoted' : 'plain' };
  }
}
