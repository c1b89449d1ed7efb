import { hasGlob, matchesGlob } from '@poolcheck/parsers/nginx/glob';
import type { IncludeFiles } from '@poolcheck/parsers/nginx/parse';
import type { ReadInclude } from '@poolcheck/parsers/pgbouncer/parse';
import { type Text, textOf } from '@poolcheck/parsers/text';
import { isStockFile } from '../knowledge/nginx.ts';
import type { Project } from '../project.ts';

/** The files around one that includes others, by their paths from its folder. */
export interface Neighbours {
  list(): readonly string[];
  read(path: string): Text | undefined;
}

export function neighboursInProject(path: string, project: Project): Neighbours {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return {
    list: () => project.list().flatMap((each) => (each.startsWith(folder) ? [each.slice(folder.length)] : [])),
    read: (name) => {
      const content = project.readText(folder + name);
      return content === undefined ? undefined : textOf(folder + name, content);
    },
  };
}

export function neighboursIn(files: ReadonlyMap<string, Text>): Neighbours {
  return { list: () => [...files.keys()], read: (name) => files.get(name) };
}

/** Where the program runs, the files may stand under other folders: the longest end of the path that is there is taken. */
export function pgbouncerIncludes(neighbours: Neighbours): ReadInclude {
  return (path) =>
    endsOf(path)
      .map((end) => neighbours.read(end))
      .find((text) => text !== undefined);
}

export function nginxIncludes(neighbours: Neighbours): IncludeFiles {
  return (pattern) => {
    for (const end of endsOf(pattern)) {
      const isBareGlob = hasGlob(end) && !end.includes('/') && pattern.includes('/');
      const paths = isBareGlob ? [] : neighbours.list().filter((path) => matchesGlob(end, path));
      if (paths.length > 0) return paths.flatMap((path) => neighbours.read(path) ?? []);
    }
    return isStockFile(pattern) ? [] : undefined;
  };
}

/** `/etc/nginx/conf.d/a.conf`, `etc/nginx/conf.d/a.conf` … `a.conf`; of a relative path itself and its last name. */
function endsOf(path: string): readonly string[] {
  const names = path
    .replace(/^(\.\/)+/, '')
    .split('/')
    .filter((name) => name !== '');
  return names.map((_, index) => names.slice(index).join('/')).filter((end) => !end.split('/').includes('..'));
}
