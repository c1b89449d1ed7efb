import type { Text } from '@poolcheck/parsers/text';
import { embed, embedDecoded } from '@poolcheck/parsers/yaml/embed';
import { entriesOf, get, itemsOf, stringOf, type YamlScalar, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { ConfigDocument } from '../documents.ts';

/** A file that stands inside another, under a name of its own. */
export interface EmbeddedText {
  readonly name: string;
  readonly text: Text;
  /** The files beside it, by name: the other keys of its ConfigMap. */
  readonly siblings: ReadonlyMap<string, Text>;
}

/** The files in ConfigMaps, Secrets and compose `configs`. */
export function embeddedTexts(file: ConfigDocument): readonly EmbeddedText[] {
  switch (file.kind) {
    case 'kubernetes':
      return file.document.flatMap(({ root }) => manifestsIn(root)).flatMap((manifest) => together(filesOf(manifest)));
    case 'compose':
      return file.document
        .flatMap(({ root }) => entriesOf(get(root, 'configs')))
        .flatMap(({ key, value }) => {
          const content = get(value, 'content');
          return content?.kind === 'scalar' ? together(new Map([[key.value, embed(content)]])) : [];
        });
    default:
      return [];
  }
}

/** A `kind: List` holds manifests of its own. */
export function manifestsIn(root: YamlValue): readonly YamlValue[] {
  return stringOf(get(root, 'kind')) === 'List' ? itemsOf(get(root, 'items')) : [root];
}

/** The files of a ConfigMap or Secret, by key. */
export function filesOf(manifest: YamlValue): ReadonlyMap<string, Text> {
  const isSecret = stringOf(get(manifest, 'kind')) === 'Secret';
  if (!isSecret && stringOf(get(manifest, 'kind')) !== 'ConfigMap') return new Map();
  const files = new Map<string, Text>();
  for (const { key, value } of entriesOf(get(manifest, 'data'))) {
    if (value.kind === 'scalar') files.set(key.value, isSecret ? embedDecoded(value, decode(value)) : embed(value));
  }
  for (const { key, value } of isSecret ? entriesOf(get(manifest, 'stringData')) : []) {
    if (value.kind === 'scalar') files.set(key.value, embed(value));
  }
  return files;
}

function decode(scalar: YamlScalar): string {
  return Buffer.from(scalar.value, 'base64').toString('utf8');
}

function together(files: ReadonlyMap<string, Text>): readonly EmbeddedText[] {
  return Array.from(files, ([name, text]) => ({ name, text, siblings: files }));
}
