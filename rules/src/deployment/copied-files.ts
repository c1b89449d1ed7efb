import type { CopyInstruction } from '@poolcheck/parsers/dockerfile/parse';
import { hasGlob, matchesGlob } from '@poolcheck/parsers/nginx/glob';
import { posix } from 'node:path';
import { nginxFolders } from '../knowledge/nginx.ts';
import { joinPath } from './paths.ts';

/** Files of the project by their absolute path in a container; undefined for one that does not come from the project. */
export type Copied = ReadonlyMap<string, string | undefined>;

/** What the COPY instructions of a Dockerfile put where. `context`: the folder they copy from; `files`: everything in the project. */
export function copiedBy(copies: readonly CopyInstruction[], context: string, files: readonly string[]): Copied {
  const toFullPaths = copies.filter(({ destination }) => posix.isAbsolute(destination.value));
  return new Map(toFullPaths.flatMap((copy) => filesOf(copy, context, files)));
}

type Entry = readonly [path: string, source: string | undefined];

function filesOf({ from, sources, destination }: CopyInstruction, context: string, files: readonly string[]): readonly Entry[] {
  const target = posix.normalize(destination.value).replace(/(.)\/$/, '$1');
  const isFolder = destination.value.endsWith('/') || sources.length > 1 || nginxFolders.has(target);
  return sources.flatMap(({ value }): readonly Entry[] => {
    if (from !== undefined) return [[isFolder ? posix.join(target, posix.basename(value)) : target, undefined]];
    const source = joinPath(context, value.replace(/^\/+/, ''));
    return source === undefined ? [] : filesFrom(source, target, isFolder, files);
  });
}

/** A file is copied to the target or into it, of a folder the content. */
function filesFrom(source: string, target: string, isFolder: boolean, files: readonly string[]): readonly Entry[] {
  const into = (file: string): Entry => [posix.join(target, posix.basename(file)), file];
  if (hasGlob(source)) return files.filter((file) => matchesGlob(source, file)).map(into);
  if (files.includes(source)) return [isFolder ? into(source) : [target, source]];
  const prefix = source === '' ? '' : `${source}/`;
  return files.filter((file) => file.startsWith(prefix)).map((file) => [posix.join(target, file.slice(prefix.length)), file]);
}
