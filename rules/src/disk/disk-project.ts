import type { ProjectProblem } from '../finding.ts';
import type { Project } from '../project.ts';
import type { IgnoreRules } from './ignore-file.ts';
import { readInside } from './read.ts';
import { walk } from './walk.ts';

/** A folder on disk as a project, read lazily and each file once. */
export interface DiskProject extends Project {
  /** What could not be read, as far as it was asked for. */
  problems(): readonly ProjectProblem[];
  /** The files that were read. */
  texts(): Iterable<readonly [path: string, content: string]>;
  /** Where a path really is, when it is a link to another file of the root. */
  realPath(path: string): string;
}

export interface DiskOptions {
  /** The user's own patterns. */
  readonly ignore: IgnoreRules;
  /** What the user named wins over every ignore. */
  readonly named: readonly Named[];
  /** Contents that count instead of those on disk, by root-relative path; undefined: there is no such file. */
  readonly instead?: ReadonlyMap<string, string | undefined>;
  /** Told of each file that is read. */
  readonly onRead?: (path: string) => void;
}

/** A file or folder that the user named, root-relative; the root itself is "". */
export interface Named {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Opens the folder `root`, a real path. */
export function openProject(root: string, { ignore, named, instead, onRead }: DiskOptions): DiskProject {
  const { files: onDisk, problems, links } = discover(root, ignore, named);
  const files = instead ? withInstead(onDisk, instead) : onDisk;
  const listed = new Set(files);
  const read = new Map<string, string | undefined>();

  function load(path: string): string | undefined {
    if (instead?.has(path)) return instead.get(path);
    onRead?.(path);
    const { text, problem } = readInside(root, path);
    if (problem !== undefined && (text !== undefined || listed.has(path))) problems.set(path, problem);
    return text === undefined || isMinified(path, text) ? undefined : text;
  }

  return {
    list: () => files,
    readText(path) {
      if (!read.has(path)) read.set(path, load(path));
      return read.get(path);
    },
    problems: () => [...problems].map(([path, message]) => ({ path, message })),
    *texts() {
      for (const [path, content] of read) if (content !== undefined) yield [path, content];
    },
    realPath: (path) => links.get(path) ?? path,
  };
}

function withInstead(files: readonly string[], instead: ReadonlyMap<string, string | undefined>): readonly string[] {
  const added = [...instead].filter(([, content]) => content !== undefined).map(([path]) => path);
  return [...new Set([...files.filter((path) => !instead.has(path)), ...added])].sort();
}

function discover(root: string, ignore: IgnoreRules, named: readonly Named[]) {
  const { files, folders, problems, links } = walk(root, ignore);
  const all = new Set(files);
  for (const { path, isFolder } of named) {
    if (!isFolder) all.add(path);
    if (!isFolder || folders.has(path)) continue;
    const inside = walk(root, () => undefined, path);
    for (const file of inside.files) all.add(file);
    for (const [where, problem] of inside.problems) problems.set(where, problem);
    for (const [link, path] of inside.links) links.set(link, path);
  }
  return { files: [...all].sort(), problems, links };
}

const script = /\.[cm]?jsx?$/;

/** Minified code is what a tool made of a source that is checked where it is. */
export function isMinified(path: string, content: string): boolean {
  return script.test(path) && content.length > 10_000 && content.length / content.split('\n').length > 300;
}
