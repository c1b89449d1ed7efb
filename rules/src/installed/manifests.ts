import { textOf, type Place } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { get, stringOf } from '@poolcheck/parsers/yaml/value';
import type { Project } from '../project.ts';
import { inFolder } from './folders.ts';

/** A package that a package.json asks for. */
export interface Wanted {
  /** As it stands there. */
  readonly range: string;
  readonly place: Place;
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Answers what the package.json of a folder asks for. */
export type Manifest = (name: string) => Wanted | undefined;

/** Reads the package.json of a folder; without one nothing is asked for. */
export function manifestIn(folder: string, project: Project, files: ReadonlySet<string>): Manifest {
  const path = inFolder(folder, 'package.json');
  const content = files.has(path) ? project.readText(path) : undefined;
  if (content === undefined) return () => undefined;
  // JSON is YAML, and this reader keeps the places.
  const root = parseYaml(textOf(path, content)).document[0]?.root;
  return (name) => {
    const value = kinds.map((kind) => get(root, kind, name)).find((each) => each !== undefined);
    const range = stringOf(value);
    return value && range !== undefined ? { range, place: value } : undefined;
  };
}
