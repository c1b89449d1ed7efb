import { entriesOf, get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { type Place, placeOf } from '@poolcheck/parsers/text';
import type { ConfigDocument } from '../../documents.ts';
import { groupBy } from '../../group.ts';
import { folderOf, joinPath, nameOf } from '../paths.ts';

/** What one `docker compose up` starts. */
export interface ComposeProject {
  /** The file that it is named after. */
  readonly path: string;
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly services: readonly ComposeService[];
  /** The files that draw it, the winning one last. */
  readonly roots: readonly YamlValue[];
  /** No file is included that was not read. */
  readonly complete: boolean;
}

export interface ComposeService {
  readonly name: string;
  readonly at: Place;
  /** What is written of it, the winning file last. */
  readonly layers: readonly YamlValue[];
}

/** The last thing that is said of a field of a service. */
export function fieldOf({ layers }: ComposeService, ...path: readonly string[]): YamlValue | undefined {
  return layers.map((layer) => get(layer, ...path)).findLast((value) => !isAbsent(value));
}

/** Everything that is said of a field that files add to. */
export function fieldsOf({ layers }: ComposeService, ...path: readonly string[]): readonly YamlValue[] {
  return layers.flatMap((layer) => get(layer, ...path) ?? []);
}

/** Every project that the compose files of a root draw: a file with its override, a file that completes another, a file of its own. */
export function composeProjects(documents: readonly ConfigDocument<'compose'>[]): readonly ComposeProject[] {
  const files = documents.flatMap(({ text, document }) =>
    document.slice(0, 1).map(({ root, complete }) => ({ path: text.path, root, complete })),
  );
  return [...groupBy(files, ({ path }) => folderOf(path)).values()].flatMap((group) => projectsOf(group, files));
}

interface ComposeFile {
  readonly path: string;
  readonly root: YamlValue;
  readonly complete: boolean;
}

/** Docker takes the first of these, and the override beside it. */
const baseNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

function projectsOf(files: readonly ComposeFile[], all: readonly ComposeFile[]): readonly ComposeProject[] {
  const base = baseNames.map((name) => files.find(({ path }) => nameOf(path) === name)).find((file) => file !== undefined);
  const override = files.find(({ path }) => /^(docker-)?compose\.override\.ya?ml$/.test(nameOf(path)));
  const first = base && projectOf(base.path, override ? [base, override] : [base], all);
  const others = files.filter((file) => file !== base && (file !== override || !base));
  return [
    ...(first ? [first] : []),
    ...others.map((file) => projectOf(file.path, base && completes(file, base) ? [base, file] : [file], all)),
  ];
}

/** A file completes another when one of its services does not say itself what it runs. */
function completes({ root }: ComposeFile, base: ComposeFile): boolean {
  return entriesOf(get(root, 'services')).some(
    ({ key, value }) =>
      ['image', 'build', 'extends'].every((field) => isAbsent(get(value, field))) && !isAbsent(get(base.root, 'services', key.value)),
  );
}

function projectOf(path: string, files: readonly ComposeFile[], all: readonly ComposeFile[]): ComposeProject {
  const declared = files.flatMap(({ root }) =>
    entriesOf(get(root, 'services')).map(({ key }) => ({ name: key.value, at: placeOf(root.text, key.range) })),
  );
  const services = [...groupBy(declared, ({ name }) => name).values()].flatMap((group) => {
    const layers = files.map((file) => layersOf(group[0]?.name ?? '', file, all));
    return group[0] && layers.every((each) => each !== undefined) ? [{ ...group[0], layers: layers.flat() }] : [];
  });
  return {
    path,
    folder: folderOf(path),
    services,
    roots: files.map(({ root }) => root),
    complete: services.length === new Set(declared.map(({ name }) => name)).size && files.every(isWhole),
  };
}

function isWhole({ root, complete }: ComposeFile): boolean {
  return complete && isAbsent(get(root, 'include'));
}

const deepestExtends = 10;

/** What a file says of a service, after what it extends; undefined when that is not in the root. */
function layersOf(name: string, file: ComposeFile, all: readonly ComposeFile[], depth = 0): readonly YamlValue[] | undefined {
  const own = get(file.root, 'services', name);
  if (isAbsent(own) || !own) return depth === 0 ? [] : undefined;
  const extended = get(own, 'extends');
  if (!extended || isAbsent(extended)) return [own];
  const path = stringOf(get(extended, 'file'));
  const from = path === undefined ? file : all.find((each) => each.path === joinPath(folderOf(file.path), path));
  const service = stringOf(extended) ?? stringOf(get(extended, 'service'));
  const inherited = from && service !== undefined && depth < deepestExtends ? layersOf(service, from, all, depth + 1) : undefined;
  return inherited && [...inherited, own];
}
