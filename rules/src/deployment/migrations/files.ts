import { textOf, type Text } from '@poolcheck/parsers/text';
import type { Project } from '../../project.ts';
import type { ContainerFiles } from '../container-files.ts';
import { isWithin, joinPath } from '../paths.ts';
import type { FoundMigration } from './recognise.ts';

/** The SQL files that a migration runs, as far as they are in the project. */
export function sqlFilesOf({ sources, tool, folder }: FoundMigration, files: ContainerFiles, project: Project): readonly Text[] {
  const places = sources.length === 0 && tool.files?.folder !== undefined ? [tool.files.folder] : sources;
  return places.flatMap((place) => (place.startsWith('/') ? inContainer(place, files) : inProject(joinPath(folder, place), project)));
}

function inContainer(place: string, files: ContainerFiles): readonly Text[] {
  return files
    .list()
    .filter((path) => isWithin(place.replace(/\/$/, ''), path) && isMigration(path))
    .flatMap((path) => {
      const text = files.read(path);
      return text === undefined || text === 'unknown' ? [] : [text];
    });
}

function inProject(place: string | undefined, project: Project): readonly Text[] {
  if (place === undefined || place === '') return [];
  return project
    .list()
    .filter((path) => isWithin(place, path) && isMigration(path))
    .flatMap((path) => {
      const content = project.readText(path);
      return content === undefined ? [] : [textOf(path, content)];
    });
}

/** `1_x.down.sql` takes one back. */
function isMigration(path: string): boolean {
  return path.endsWith('.sql') && !path.endsWith('.down.sql');
}
