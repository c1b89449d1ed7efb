import { joinPath } from '../paths.ts';

/** Where a path of a container may lie in the project, the likeliest first: it may start with folders of the image, which the project does not have. */
export function placesOf(path: string, folder: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const tails = (path.startsWith('/') ? names : names.slice(0, 1)).map((_, skipped) => names.slice(skipped).join('/'));
  return tails.flatMap((tail) => [joinPath(folder, tail), tail]).filter((place) => place !== undefined);
}
