import { statSync } from 'node:fs';
import { join } from 'node:path';
import { textOf, type Text } from '@poolcheck/parsers/text';
import { isMinified } from '@poolcheck/rules/disk/disk-project';
import { readInside } from '@poolcheck/rules/disk/read';
import { configName } from '@poolcheck/rules/disk/root';
import { walk } from '@poolcheck/rules/disk/walk';
import type { Wrappers } from '@poolcheck/rules/knowledge/wrappers';
import type { Project } from '@poolcheck/rules/project';
import type { Module } from '@poolcheck/rules/source/module';
import { programOf, type Program } from '@poolcheck/rules/source/program';
import type { ProgramOptions } from '@poolcheck/rules/source/sources';
import { specifiersIn } from '@poolcheck/rules/source/relevance';
import { versionsIn } from '@poolcheck/rules/versions';
import { wrappersIn } from '@poolcheck/rules/wrappers';
import { HostTypes, type HostProgram } from './host-types.ts';

/** How long the disk is taken not to change, in milliseconds. */
const freshFor = 1_000;

/** In a large root looking takes long; it may take this part of all the time. */
const share = 1 / 20;

interface Read {
  readonly stamp: string | undefined;
  readonly content: string | undefined;
}

/** What the host's types are known to add to a saved program. */
interface Typed {
  readonly types: HostTypes;
  readonly saved: Program;
}

/** A root as it reads, and as it is known with the types of one tsconfig. */
export interface Programs {
  readonly program: Program;
  readonly typed: Program | undefined;
}

/**
 * One root, whose files a host hands over one by one, for as long as it lives. What the disk holds is read once and shared by all
 * of them; now and then the workspace looks whether it is still so.
 */
export class Workspace {
  readonly #root: string;
  readonly #modules = new Map<string, Module>();
  /** By the tsconfig that the types come from. */
  readonly #typed = new Map<unknown, Typed>();
  #reads = new Map<string, Read>();
  #files: readonly string[] = [];
  #saved: Program | undefined;
  #freshUntil = 0;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The programs of the root in which one file has this content, saved or not. */
  programsWith(path: string, content: string, host: HostProgram | undefined): Programs {
    this.#look();
    const saved = (this.#saved ??= this.#programOf(this.#project()));
    const typed = host && this.#typedBy(host, saved);
    const before = this.#files.includes(path) ? this.#read(path) : undefined;
    if (before === content) return { program: saved, typed: typed?.saved };
    const keepsImports = before !== undefined && String(specifiersIn(before)) === String(specifiersIn(content));
    const project = this.#project(path, content);
    const { installations } = saved;
    const program = this.#programOf(project, { installations, ...(keepsImports ? { graph: saved.graph } : {}) });
    return {
      program,
      typed:
        typed &&
        programOf(project, {
          like: program,
          types: typed.types,
          wrappers: this.#wrappers(),
          ...(keepsImports ? { graph: typed.saved.graph } : {}),
        }),
    };
  }

  #typedBy(host: HostProgram, saved: Program): Typed {
    const config = host.getCompilerOptions().configFilePath;
    const known = this.#typed.get(config);
    if (known) {
      known.types.use(host);
      return known;
    }
    const types = new HostTypes(this.#root, host);
    const typed = { types, saved: programOf(this.#project(), { like: saved, types, wrappers: this.#wrappers() }) };
    this.#typed.set(config, typed);
    return typed;
  }

  #project(path?: string, content?: string): Project {
    const files = path === undefined || this.#files.includes(path) ? this.#files : [...this.#files, path].sort();
    return { list: () => files, readText: (each) => (each === path ? content : this.#read(each)) };
  }

  /** Modules whose text is the same are not parsed again. */
  #programOf(project: Project, known: Pick<ProgramOptions, 'graph' | 'installations'> = {}): Program {
    const open = new Map([...this.#modules].filter(([path, { text }]) => project.readText(path) === text.content));
    const program = programOf(project, { open, wrappers: this.#wrappers(), versions: versionsIn(this.#configuration()), ...known });
    for (const module of program.modules) this.#modules.set(module.path, module);
    return program;
  }

  #wrappers(): Wrappers {
    return wrappersIn(this.#configuration());
  }

  #configuration(): Text {
    return textOf(configName, this.#read(configName) ?? '');
  }

  #read(path: string): string | undefined {
    const known = this.#reads.get(path);
    if (known) return known.content;
    const read = { stamp: this.#stampOf(path), content: this.#load(path) };
    this.#reads.set(path, read);
    return read.content;
  }

  #load(path: string): string | undefined {
    const { text } = readInside(this.#root, path);
    return text === undefined || isMinified(path, text) ? undefined : textOf(path, text).content;
  }

  #stampOf(path: string): string | undefined {
    const stats = statSync(join(this.#root, path), { throwIfNoEntry: false });
    return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
  }

  #forget(): void {
    this.#saved = undefined;
    this.#typed.clear();
  }

  #look(): void {
    const now = performance.now();
    if (now < this.#freshUntil) return;
    const files = walk(this.#root, () => undefined).files.sort();
    const unchanged = [...this.#reads].filter(([path, { stamp }]) => this.#stampOf(path) === stamp);
    if (unchanged.length < this.#reads.size || String(files) !== String(this.#files)) this.#forget();
    this.#reads = new Map(unchanged);
    this.#files = files;
    const then = performance.now();
    this.#freshUntil = then + Math.max(freshFor, (then - now) / share);
  }
}
