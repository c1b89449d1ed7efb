import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import type { Project } from '../project.ts';
import { roleOf } from '../role.ts';
import type { Resolve } from './resolve.ts';

/** Who imports whom, read from the specifiers alone: no file is parsed for it. */
export interface ImportGraph {
  /** The files worth analysing: those that name a wanted package, and all that reach one of them through imports. */
  readonly relevant: readonly string[];
  /** The files of the root that a file imports. */
  importsOf(path: string): readonly string[];
  /** The files of the root that import a file. */
  importersOf(path: string): readonly string[];
  /** Some files, and all that reach one of them through imports. */
  reaching(paths: readonly string[]): readonly string[];
}

const specifierPattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])((?:(?!\1)[^\\\n])+)\1/g;

/** Every specifier that a source text imports; comments and strings may add some that it does not. */
export function specifiersIn(content: string): readonly string[] {
  return Array.from(content.matchAll(specifierPattern), (match) => match[2] ?? '');
}

/** What makes a file worth analysing by itself: a package that it names, or where it lies. */
export interface Wanted {
  isWanted(specifier: string, from: string): boolean;
  isRoot?(path: string): boolean;
  /** Whether a file is worth it if one that is worth it imports it. */
  isWorthWith?(path: string): boolean;
}

export function importGraphOf(project: Project, resolve: Resolve, { isWanted, isRoot, isWorthWith }: Wanted): ImportGraph {
  const imports = new Map<string, readonly string[]>();
  const importers = new Map<string, string[]>();
  const roots: string[] = [];
  for (const path of project.list()) {
    if (!isJavaScript(path) || roleOf(path) === 'generated') continue;
    const specifiers = specifiersIn(project.readText(path) ?? '');
    const files: string[] = [];
    if (isRoot?.(path)) roots.push(path);
    for (const specifier of specifiers) {
      const resolution = resolve(path, specifier);
      if (resolution.kind === 'file') {
        files.push(resolution.path);
        const known = importers.get(resolution.path);
        if (known) known.push(path);
        else importers.set(resolution.path, [path]);
      } else if (isWanted(specifier, path)) roots.push(path);
    }
    imports.set(path, files);
  }
  return {
    relevant: [...withImported(closure(roots, importers))].sort(),
    importsOf: (path) => imports.get(path) ?? [],
    importersOf: (path) => importers.get(path) ?? [],
    reaching: (paths) => [...closure(paths, importers)].sort(),
  };

  function withImported(paths: ReadonlySet<string>): ReadonlySet<string> {
    const seen = new Set(paths);
    for (const path of seen) for (const imported of imports.get(path) ?? []) if (isWorthWith?.(imported)) seen.add(imported);
    return seen;
  }
}

function closure(roots: readonly string[], importers: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set(roots);
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer);
  return seen;
}
