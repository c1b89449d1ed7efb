import { parse as parseJsonc } from 'jsonc-parser';
import { isDriver } from '../knowledge/drivers.ts';
import type { Project } from '../project.ts';
import { parentOf } from './resolve.ts';

/** Answers which driver a file is a part of, where a driver's own sources are in the root: they import themselves by path. */
export type OwnDriver = (path: string) => string | undefined;

export function ownDriversIn(project: Project): OwnDriver {
  const owners = project
    .list()
    .filter((path) => path === 'package.json' || path.endsWith('/package.json'))
    .flatMap((path) => {
      const name = nameIn(project.readText(path) ?? '');
      return name !== undefined && isDriver(name) ? [{ folder: parentOf(path), name }] : [];
    })
    .sort((a, b) => b.folder.length - a.folder.length);
  return (path) => owners.find(({ folder }) => folder === '' || path.startsWith(`${folder}/`))?.name;
}

function nameIn(manifest: string): string | undefined {
  const { name } = (parseJsonc(manifest) ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}
