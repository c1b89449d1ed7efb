import type { Dockerfile, Instruction, Stage } from '@poolcheck/parsers/dockerfile/parse';
import { hasGlob, matchesGlob } from '@poolcheck/parsers/nginx/glob';
import { textOf, type Text } from '@poolcheck/parsers/text';
import type { Project } from '../../project.ts';
import { joinPath } from '../paths.ts';
import { fileAt, type Container } from '../stack.ts';

/** What the project knows of the files in a container, by absolute path: what its Dockerfile copies and what is mounted over that. */
export interface ContainerFiles {
  list(): readonly string[];
  /** `unknown`: something stands there that cannot be read. */
  read(path: string): Text | 'unknown' | undefined;
}

export function containerFiles(container: Container, copied: ReadonlyMap<string, string>, project: Project): ContainerFiles {
  const mounted = container.mounts.flatMap(({ path, files }) => (files?.list() ?? []).map((name) => (name === '' ? path : `${path}/${name}`)));
  const read = (path: string) => fileAt(container, path) ?? copyAt(copied.get(path), project);
  const listed = new Set([...mounted, ...copied.keys()].filter((path) => read(path) !== undefined));
  return { list: () => [...listed], read };
}

function copyAt(source: string | undefined, project: Project): Text | 'unknown' | undefined {
  if (source === undefined) return undefined;
  const content = project.readText(source);
  return content === undefined ? 'unknown' : textOf(source, content);
}
