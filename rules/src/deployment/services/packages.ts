import type { Text } from '@poolcheck/parsers/text';
import { embed } from '@poolcheck/parsers/yaml/embed';
import { entriesOf, get, stringOf } from '@poolcheck/parsers/yaml/value';
import { type ConfigDocument, documentsOf } from '../../documents.ts';
import { groupBy } from '../../group.ts';
import { folderOf, nameOf } from '../paths.ts';

/** One package.json. */
export interface Package {
  /** Root-relative; `` is the root. */
  readonly folder: string;
  readonly name: string | undefined;
  readonly scripts: ReadonlyMap<string, Text>;
}

/** The packages of a project. */
export interface Packages {
  readonly folders: readonly string[];
  in(folder: string): Package | undefined;
  /** The package that a file belongs to: the nearest one above it. */
  of(path: string): Package | undefined;
  /** The package of a name, with or without its scope, or of a folder of that name, when there is only one. */
  named(name: string): Package | undefined;
}

export function packagesIn(documents: readonly ConfigDocument[]): Packages {
  const all = documentsOf(documents, 'package').map(readPackage);
  const byFolder = new Map(all.map((each) => [each.folder, each]));
  const byName = groupBy(
    all.flatMap((each) => [...namesOf(each)].map((name) => ({ name, each }))),
    ({ name }) => name,
  );
  return {
    folders: [...byFolder.keys()],
    in: (folder) => byFolder.get(folder),
    of: (path) => {
      let folder = folderOf(path);
      while (folder !== '' && !byFolder.has(folder)) folder = folderOf(folder);
      return byFolder.get(folder);
    },
    named: (name) => {
      const [only, ...others] = byName.get(name) ?? [];
      return others.length === 0 ? only?.each : undefined;
    },
  };
}

function readPackage({ text, document: [document] }: ConfigDocument<'package'>): Package {
  const scripts = entriesOf(get(document?.root, 'scripts'));
  return {
    folder: folderOf(text.path),
    name: stringOf(get(document?.root, 'name')),
    scripts: new Map(scripts.flatMap(({ key, value }) => (value.kind === 'scalar' ? [[key.value, embed(value)]] : []))),
  };
}

function namesOf({ name, folder }: Package): ReadonlySet<string> {
  return new Set([...(name === undefined ? [] : [name, nameOf(name)]), ...(folder === '' ? [] : [nameOf(folder)])]);
}
