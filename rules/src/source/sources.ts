import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import { textOf } from '@poolcheck/parsers/text';
import type { ProjectProblem } from '../finding.ts';
import { type Installations, installationsIn } from '../installed/installations.ts';
import { isDriver, isGeneratedDriver } from '../knowledge/drivers.ts';
import { driversOf, type Wrappers } from '../knowledge/wrappers.ts';
import type { Project } from '../project.ts';
import { mayBeGivenPools, mayReadCarriedPools } from './injection.ts';
import { readModule } from './module.ts';
import type { Module } from './module.ts';
import { ownDriversIn } from './own-drivers.ts';
import type { Program } from './program.ts';
import { importGraphOf } from './relevance.ts';
import type { ImportGraph } from './relevance.ts';
import { resolverOf, type Resolve } from './resolve.ts';
import type { Types } from './types/oracle.ts';
import type { Imports } from './values.ts';
import { noVersions, type Versions } from '../versions.ts';

export interface ProgramOptions {
  /** Further packages whose users are worth analysing (HTTP frameworks, when there is a proxy). */
  readonly alsoRelevant?: ReadonlySet<string>;
  /** Modules that are parsed already: what the editor has open. */
  readonly open?: ReadonlyMap<string, Module>;
  /** Who imports whom, when a program of the same imports has found it out. */
  readonly graph?: ImportGraph;
  /** A program whose modules this one shares. */
  readonly like?: Program;
  /** Knows the types of what syntax and imports leave open. */
  readonly types?: Types;
  /** What wraps drivers outside the root. */
  readonly wrappers?: Wrappers;
  /** The versions that are declared. */
  readonly versions?: Versions;
  /** Which packages are installed, when a program of the same packages has found it out. */
  readonly installations?: Installations;
}

/** The modules of a root and their imports. */
export interface Sources {
  readonly graph: ImportGraph;
  readonly imports: Imports;
  readonly installations: Installations;
  /** Filled as modules are asked for. */
  readonly problems: readonly ProjectProblem[];
  module(path: string): Module | undefined;
}

/** Reads who imports whom, and the modules, each parsed once. */
export function sourcesOf(project: Project, options: ProgramOptions): Sources {
  const { alsoRelevant, open, graph: known, like, types, wrappers } = options;
  const problems: ProjectProblem[] = [];
  const parsed = new Map<string, Module | undefined>(open);
  function parse(path: string): Module | undefined {
    if (parsed.has(path)) return parsed.get(path);
    const content = isJavaScript(path) ? project.readText(path) : undefined;
    const read = content === undefined ? undefined : readModule(textOf(path, content));
    parsed.set(path, read?.module);
    problems.push(...(read?.problems ?? []));
    return read?.module;
  }

  const module = like?.module ?? parse;
  const resolveFile = resolverOf(project);
  const resolve: Resolve = (from, specifier) =>
    isGeneratedDriver(specifier) ? { kind: 'package', specifier } : resolveFile(from, specifier);
  const declared = wrappers && driversOf(wrappers);
  const ownDriver = ownDriversIn(project);
  const graph =
    known ??
    importGraphOf(project, resolve, {
      isWanted: (specifier, from) =>
        isDriver(specifier, declared) || alsoRelevant?.has(specifier) === true || types?.isBuiltOnDriver(from, specifier) === true,
      isRoot: (path) => ownDriver(path) !== undefined || mayReadCarriedPools(project.readText(path) ?? ''),
      isWorthWith: (path) => mayBeGivenPools(path, project.readText(path) ?? ''),
    });
  const installations = options.installations ?? like?.installations ?? installationsIn(project, options.versions ?? noVersions);
  const imports: Imports = {
    resolve(from, specifier) {
      const target = resolve(from.path, specifier);
      return target.kind === 'package' ? { package: target.specifier } : module(target.path);
    },
    ownDriver: ({ path }) => ownDriver(path),
    declared,
    importersOf: ({ path }) => graph.importersOf(path).flatMap((importer) => module(importer) ?? []),
    installedFor:
      ({ path }) =>
      (name) =>
        installations.of(name, path),
  };
  return { graph, imports, installations, problems, module };
}
