import { statSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@poolcheck/parsers/text';
import { isMinified } from '@poolcheck/rules/disk/disk-project';
import { readInside } from '@poolcheck/rules/disk/read';
import { walk } from '@poolcheck/rules/disk/walk';
import type { Project } from '@poolcheck/rules/project';
import type { Module } from '@poolcheck/rules/source/module';
import { programOf, type Program } from '@poolcheck/rules/source/program';
import { specifiersIn } from '@poolcheck/rules/source/relevance';

/** How long the disk is taken not to change, in milliseconds. */
const freshFor = 1_000;

/** In a large root looking takes long; it may take this part of all the time. */
const share = 1 / 20;

interface Read {
  readonly stamp: string | undefined;
  readonly content: string | undefined;
}

/**
 * One root, whose files a host hands over one by one, for as long as it lives. What the disk holds is read once and shared by all
 * of them; now and then the workspace looks whether it is still so.
 */
export class Workspace {
  readonly #root: string;
  readonly #modules = new Map<string, Module>();
  #reads = new Map<string, Read>();
  #files: readonly string[] = [];
  #saved: Program | undefined;
  #freshUntil = 0;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The program of the root in which one file has this content, saved or not. */
  programWith(path: string, content: string): Program {
    this.#look();
    const saved = (this.#saved ??= this.#programOf(this.#project()));
    const before = this.#files.includes(path) ? this.#read(path) : undefined;
    if (before === content) return saved;
    const keepsImports = before !== undefined && String(specifiersIn(before)) === String(specifiersIn(content));
    return this.#programOf(this.#project(path, content), keepsImports ? saved.graph : undefined);
  }

  #project(path?: string, content?: string): Project {
    const files = path === undefined || this.#files.includes(path) ? this.#files : [...this.#files, path].sort();
    return { list: () => files, readText: (each) => (each === path ? content : this.#read(each)) };
  }

  /** Modules whose text is the same are not parsed again. */
  #programOf(project: Project, graph?: Program['graph']): Program {
    const open = new Map([...this.#modules].filter(([path, { text }]) => project.readText(path) === text.content));
    const program = programOf(project, graph ? { open, graph } : { open });
    for (const module of program.modules) this.#modules.set(module.path, module);
    return program;
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

  #look(): void {
    const now = performance.now();
    if (now < this.#freshUntil) return;
    const files = walk(this.#root, () => undefined).files.sort();
    const unchanged = [...this.#reads].filter(([path, { stamp }]) => this.#stampOf(path) === stamp);
    if (unchanged.length < this.#reads.size || String(files) !== String(this.#files)) this.#saved = undefined;
    this.#reads = new Map(unchanged);
    this.#files = files;
    const then = performance.now();
    this.#freshUntil = then + Math.max(freshFor, (then - now) / share);
  }
}
