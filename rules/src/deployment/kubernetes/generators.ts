import { parseEnv } from '@poolcheck/parsers/env/parse';
import type { Text } from '@poolcheck/parsers/text';
import { get, itemsOf, stringOf, type YamlEntry, type YamlScalar, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { nameOf } from '../paths.ts';
import { type Manifest, manifestOf } from './manifest.ts';

/** The ConfigMaps and Secrets that a kustomization generates from literals, .env files and other files. */
export function generatedManifests(root: YamlValue, read: (path: string) => Text | undefined): readonly Manifest[] {
  const make = (field: string, kind: string) =>
    itemsOf(get(root, field)).flatMap((item) => {
      const entries = [...literalsOf(item), ...variablesOf(item, read), ...filesOf(item, read)];
      return manifest(item, kind, entries) ?? [];
    });
  return [...make('configMapGenerator', 'ConfigMap'), ...make('secretGenerator', 'Secret')];
}

function manifest(item: YamlValue, kind: string, entries: readonly YamlEntry[]): Manifest | undefined {
  const name = get(item, 'name');
  if (name?.kind !== 'scalar') return undefined;
  const metadata = mapAt(item, [entryOf('name', name)]);
  const data = entryOf(kind === 'Secret' ? 'stringData' : 'data', mapAt(item, entries));
  return manifestOf(mapAt(item, [entryOf('kind', { ...name, value: kind }), entryOf('metadata', metadata), data]));
}

function mapAt({ text, range }: YamlValue, entries: readonly YamlEntry[]): YamlValue {
  return { kind: 'map', text, range, entries };
}

function entryOf(key: string, value: YamlValue): YamlEntry {
  return { key: { value: key, range: value.range }, value };
}

/** `NAME=value` */
function literalsOf(item: YamlValue): readonly YamlEntry[] {
  return itemsOf(get(item, 'literals')).flatMap((literal) => {
    const split = stringOf(literal)?.indexOf('=') ?? -1;
    if (literal.kind !== 'scalar' || split < 0) return [];
    return [entryOf(literal.value.slice(0, split), { ...literal, value: literal.value.slice(split + 1) })];
  });
}

function variablesOf(item: YamlValue, read: (path: string) => Text | undefined): readonly YamlEntry[] {
  const paths = [...itemsOf(get(item, 'envs')).map(stringOf), stringOf(get(item, 'env'))];
  return paths.flatMap((path) => {
    const text = path === undefined ? undefined : read(path);
    if (!text) return [];
    return parseEnv(text).document.variables.map(({ name, value }) => entryOf(name.value, scalarIn(text, value.range, value.value)));
  });
}

/** `name=path`, or a path whose last name is the key. */
function filesOf(item: YamlValue, read: (path: string) => Text | undefined): readonly YamlEntry[] {
  return itemsOf(get(item, 'files')).flatMap((file) => {
    const [first = '', second] = (stringOf(file) ?? '').split('=', 2);
    const text = read(second ?? first);
    if (!text) return [];
    const key = second === undefined ? nameOf(first) : first;
    return [entryOf(key, scalarIn(text, { start: 0, end: text.content.length }, text.content))];
  });
}

function scalarIn(text: Text, range: YamlScalar['range'], value: string): YamlScalar {
  return { kind: 'scalar', text, range, value, style: 'plain' };
}
