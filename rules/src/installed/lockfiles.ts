import type { LockedPackage } from '@poolcheck/parsers/lockfile/document';
import { lockfileNames, parseLockfile } from '@poolcheck/parsers/lockfile/parse';
import { textOf, type Text } from '@poolcheck/parsers/text';
import { isWithin } from '../deployment/paths.ts';
import { groupBy } from '../group.ts';
import type { Project } from '../project.ts';
import { inFolder } from './folders.ts';

/** A lockfile, by the names of the packages. */
export interface Locked {
  readonly text: Text;
  readonly packages: ReadonlyMap<string, readonly LockedPackage[]>;
}

/** Reads the lockfiles of a folder. */
export function lockfilesIn(folder: string, project: Project, files: ReadonlySet<string>): readonly Locked[] {
  return lockfileNames.flatMap((name) => {
    const path = inFolder(folder, name);
    const content = files.has(path) ? project.readText(path) : undefined;
    if (content === undefined) return [];
    const text = textOf(path, content);
    return [{ text, packages: groupBy(parseLockfile(name, text.content), (each) => each.name) }];
  });
}

/**
 * What the code of a folder, relative to the lockfile, may get of a package that is asked for by a range. One that nobody asks for is
 * found by other packages: any of that name.
 */
export function lockedFor({ packages }: Locked, name: string, folder: string, range: string | undefined): readonly LockedPackage[] {
  const all = packages.get(name) ?? [];
  if (range === undefined) return all;
  const forRange = all.filter(({ ranges }) => ranges?.includes(range));
  if (forRange.length > 0) return forRange;
  const found = all.filter((each) => each.folder !== undefined && isWithin(each.folder, folder));
  const deepest = Math.max(...found.map((each) => each.folder?.length ?? 0));
  return found.length > 0 ? found.filter((each) => each.folder?.length === deepest) : all;
}
