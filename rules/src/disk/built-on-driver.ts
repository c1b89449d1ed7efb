import { parse as parseJsonc } from 'jsonc-parser';
import { isDriver } from '../knowledge/drivers.ts';
import { parentOf } from '../source/resolve.ts';
import { readInside } from './read.ts';

/** Answers whether a package that a file imports is built on a driver: it depends on one, and is installed in the root. */
export function builtOnDriverIn(root: string): (from: string, specifier: string) => boolean {
  const known = new Map<string, boolean>();

  function isBuiltOnDriver(folder: string, name: string): boolean {
    const key = `${folder}\0${name}`;
    const answer = known.get(key) ?? look(folder, name);
    known.set(key, answer);
    return answer;
  }

  function look(folder: string, name: string): boolean {
    const { text } = readInside(root, `${folder}/node_modules/${name}/package.json`);
    if (text !== undefined) return dependenciesIn(text).some((name) => isDriver(name));
    return folder !== '' && isBuiltOnDriver(parentOf(folder), name);
  }

  return (from, specifier) => {
    const name = /^(?:@[\w.-]+\/)?\w[\w.-]*(?=\/|$)/.exec(specifier)?.[0];
    return name !== undefined && isBuiltOnDriver(parentOf(from), name);
  };
}

function dependenciesIn(manifest: string): readonly string[] {
  const parsed: unknown = parseJsonc(manifest);
  if (!isRecord(parsed)) return [];
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((key) =>
    Object.keys(isRecord(parsed[key]) ? parsed[key] : {}),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
