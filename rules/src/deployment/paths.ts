/** The folder of a root-relative path; `` is the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path as written in a file of `folder`, from the root; undefined when it leads out of the root. */
export function joinPath(folder: string, path: string): string | undefined {
  const names = folder === '' || path.startsWith('/') ? [] : folder.split('/');
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}

/** Whether a path is a folder or lies below it; everything lies below ``. */
export function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
