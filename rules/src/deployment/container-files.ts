import { textOf, type Text } from '@poolcheck/parsers/text';
import type { Project } from '../project.ts';
import { fileAt, type Container } from './stack.ts';

/** What the project knows of the files in a container, by absolute path: what is mounted, and what its Dockerfile copies. */
export interface ContainerFiles {
  list(): readonly string[];
  /** `unknown`: what stands there cannot be read. */
  read(path: string): Text | 'unknown' | undefined;
}

export function containerFiles(container: Container, copied: ReadonlyMap<string, string | undefined>, project: Project): ContainerFiles {
  const mounted = container.mounts.flatMap(
    ({ path, files }) => files?.list().map((name) => (name === '' ? path : `${path}/${name}`)) ?? [],
  );
  return {
    list: () => [...new Set([...mounted, ...copied.keys()])],
    read: (path) => fileAt(container, path) ?? (copied.has(path) ? copyOf(copied.get(path), project) : undefined),
  };
}

function copyOf(source: string | undefined, project: Project): Text | 'unknown' {
  const content = source === undefined ? undefined : project.readText(source);
  return source === undefined || content === undefined ? 'unknown' : textOf(source, content);
}
