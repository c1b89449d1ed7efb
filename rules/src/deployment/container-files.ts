import { textOf, type Text } from '@poolcheck/parsers/text';
import type { Project } from '../project.ts';
import { fileAt, mountOf, type Container } from './stack.ts';

/** What the project knows of the files in a container, by absolute path: what is mounted, and what its Dockerfile copies. */
export interface ContainerFiles {
  list(): readonly string[];
  /** `unknown`: what stands there cannot be read. */
  read(path: string): Text | 'unknown' | undefined;
  /** Nothing can stand there: what is mounted over its folder was made of manifests, and has no such file. */
  lacks(path: string): boolean;
}

export function containerFiles(container: Container, copied: ReadonlyMap<string, string | undefined>, project: Project): ContainerFiles {
  const mounted = container.mounts.flatMap(
    ({ path, files }) => files?.list().map((name) => (name === '' ? path : `${path}/${name}`)) ?? [],
  );
  return {
    list: () => [...new Set([...mounted, ...copied.keys()])],
    read: (path) => fileAt(container, path) ?? (copied.has(path) ? copyOf(copied.get(path), project) : undefined),
    lacks: (path) => {
      const mount = mountOf(container, path);
      // What is left out of a folder of the project may be there all the same: git need not know it.
      return mount?.files !== undefined && mount.source === undefined && fileAt(container, path) === undefined;
    },
  };
}

function copyOf(source: string | undefined, project: Project): Text | 'unknown' {
  const content = source === undefined ? undefined : project.readText(source);
  return source === undefined || content === undefined ? 'unknown' : textOf(source, content);
}
