import { readBun } from './bun.ts';
import type { Lockfile } from './document.ts';
import { readNpm } from './npm.ts';
import { readPnpm } from './pnpm.ts';
import { readYarn } from './yarn.ts';

const readers: Readonly<Record<string, (content: string) => Lockfile>> = {
  'package-lock.json': readNpm,
  'npm-shrinkwrap.json': readNpm,
  'pnpm-lock.yaml': readPnpm,
  'yarn.lock': readYarn,
  'bun.lock': readBun,
};

export const lockfileNames: readonly string[] = Object.keys(readers);

/** Reads a lockfile of one of these names; what it does not understand, it leaves out. */
export function parseLockfile(name: string, content: string): Lockfile {
  return (Object.hasOwn(readers, name) ? readers[name] : undefined)?.(content) ?? [];
}
