import { posix } from 'node:path';
import type { Project } from '@poolcheck/rules/project';
import { parse as parseJsonc } from 'jsonc-parser';

/** The files of a root that say how others are compiled. */
export interface Tsconfigs {
  readonly configs: readonly string[];
  /** The one that a file is under: the nearest, or the first that it refers to when it has no files of its own. */
  readonly configOf: (path: string) => string | undefined;
}

const names = ['tsconfig.json', 'jsconfig.json'];

export function tsconfigsIn(project: Project): Tsconfigs {
  const files = new Set(project.list());
  const known = new Map<string, string | undefined>();

  function configIn(folder: string): string | undefined {
    if (!known.has(folder)) known.set(folder, look(folder));
    return known.get(folder);
  }

  function look(folder: string): string | undefined {
    const config = names.map((name) => posix.join(folder, name)).find((path) => files.has(path));
    if (config !== undefined) return referredBy(config) ?? config;
    return folder === '.' ? undefined : configIn(posix.dirname(folder));
  }

  function referredBy(config: string): string | undefined {
    const paths = referencesIn(parseJsonc(project.readText(config) ?? '')).map((path) => posix.join(posix.dirname(config), path));
    return paths.flatMap((path) => [path, posix.join(path, 'tsconfig.json')]).find((path) => files.has(path));
  }

  return {
    configs: project.list().filter((path) => names.includes(posix.basename(path))),
    configOf: (path) => configIn(posix.dirname(path)),
  };
}

function referencesIn(config: unknown): readonly string[] {
  if (!isRecord(config) || !Array.isArray(config['files']) || config['files'].length > 0) return [];
  const references: readonly unknown[] = Array.isArray(config['references']) ? config['references'] : [];
  return references.flatMap((reference) => (isRecord(reference) && typeof reference['path'] === 'string' ? [reference['path']] : []));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
