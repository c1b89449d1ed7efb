import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { textOf } from '@poolcheck/parsers/text';
import { isInside, readInside } from '@poolcheck/rules/disk/read';
import { InMemoryFileSystemHost, type RuntimeDirEntry } from 'ts-morph';

/**
 * All that the type checker sees of the disk: regular files that really are in the root, and of packages only what they declare.
 * It is a file system in memory where it is asked to write.
 */
export class RootFiles extends InMemoryFileSystemHost {
  readonly #root: string;

  /** `root` is a real path. */
  constructor(root: string) {
    super();
    this.#root = root;
  }

  override getCurrentDirectory(): string {
    return this.#root;
  }

  override fileExistsSync(path: string): boolean {
    return this.#fileAt(path) !== undefined;
  }

  override readFileSync(path: string): string {
    const file = this.#fileAt(path);
    const { text } = file === undefined ? {} : readInside(this.#root, file);
    return text === undefined ? super.readFileSync(path) : textOf(path, text).content;
  }

  override directoryExistsSync(path: string): boolean {
    return this.#find(path)?.stats.isDirectory() === true;
  }

  override readDirSync(path: string): RuntimeDirEntry[] {
    const folder = this.#find(path);
    if (!folder?.stats.isDirectory()) return [];
    return readdirSync(folder.real).flatMap((name) => {
      const entry = this.#find(join(folder.real, name));
      if (!entry) return [];
      const { stats } = entry;
      return { name: join(path, name), isFile: stats.isFile(), isDirectory: stats.isDirectory(), isSymlink: false };
    });
  }

  override realpathSync(path: string): string {
    return this.#find(path)?.real ?? path;
  }

  /** Where a file that may be read really is, relative to the root. */
  #fileAt(path: string): string | undefined {
    const found = this.#find(path);
    const file = found?.stats.isFile() ? relative(this.#root, found.real).replaceAll(sep, '/') : undefined;
    return file !== undefined && isReadable(file) ? file : undefined;
  }

  #find(path: string): { readonly real: string; readonly stats: Stats } | undefined {
    try {
      if (!isInside(this.#root, join(path)) || !statSync(path, { throwIfNoEntry: false })) return undefined;
      const real = realpathSync.native(path);
      return isInside(this.#root, real) ? { real, stats: statSync(real) } : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Of a package nothing but declarations and what leads to them. */
function isReadable(file: string): boolean {
  const kinds = /(^|\/)node_modules\//.test(file) ? /\.(d\.[cm]?ts|json)$/ : /\.([cm]?[jt]sx?|json)$/;
  return kinds.test(file);
}
