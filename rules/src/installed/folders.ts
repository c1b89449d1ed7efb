import { folderOf } from '../deployment/paths.ts';

/** A folder and those above it, the nearest first. */
export function foldersAbove(folder: string): readonly string[] {
  return folder === '' ? [''] : [folder, ...foldersAbove(folderOf(folder))];
}

export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function relativeTo(outer: string, folder: string): string {
  return outer === '' ? folder : folder.slice(outer.length + 1);
}
