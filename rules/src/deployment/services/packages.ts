import { embed } from '@poolcheck/parsers/yaml/embed';
import type { Text } from '@poolcheck/parsers/text';
import { entriesOf, get, stringOf } from '@poolcheck/parsers/yaml/value';
import { type ConfigDocument, documentsOf } from '../../documents.ts';
import { folderOf, isWithin, nameOf } from '../paths.ts';

/** One package.json. */
export interface Package {
  /** Root-relative; `` is the root. */
  readonly folder: string;
  readonly name: string | undefined;
  readonly scripts: ReadonlyMap<string, Text>;
}

export function packagesIn(documents: readonly ConfigDocument[]): readonly Package[] {
  return documentsOf(documents, 'package').map(({ text, document: [document] }) => ({
    folder: folderOf(text.path),
    name: stringOf(get(document?.root, 'name')),
    scripts: new Map(
      entriesOf(get(document?.root, 'scripts')).flatMap(({ key, value }) => (value.kind === 'scalar' ? [[key.value, embed(value)]] : [])),
    ),
  }));
}

/** The package that a file belongs to: the nearest one above it. */
export function packageOf(path: string, packages: readonly Package[]): Package | undefined {
  return packages
    .filter(({ folder }) => isWithin(folder, path))
    .reduce<Package | undefined>((nearest, each) => (nearest && nearest.folder.length >= each.folder.length ? nearest : each), undefined);
}

/** The package of a name, with or without its scope, or of a folder of that name, when there is only one. */
export function packageNamed(name: string, packages: readonly Package[]): Package | undefined {
  const named = packages.filter((each) => each.name === name || (each.name && nameOf(each.name) === name) || nameOf(each.folder) === name);
  return named.length === 1 ? named[0] : undefined;
}
