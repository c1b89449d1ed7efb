import type { LockedPackage, Lockfile, LockfileLine } from './document.ts';
import { linesOf } from './lines.ts';

const modules = 'node_modules/';

/** package-lock.json and npm-shrinkwrap.json: https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
export function readNpm(content: string): Lockfile {
  const packages: LockedPackage[] = [];
  const aliases = new Set<string>();
  for (const line of linesOf(content)) {
    const field = line.path.at(-1);
    if ((field !== 'name' && field !== 'version') || line.value === '') continue;
    const place = placeIn(line.path);
    if (!place) continue;
    // The name of the package that stands under another one comes before its version.
    if (field === 'name' && line.value !== place.name) aliases.add(line.path.slice(0, -1).join());
    if (field === 'version' && !aliases.has(line.path.slice(0, -1).join())) packages.push(...installed(place, line));
  }
  return packages;
}

interface Installed {
  readonly name: string;
  readonly folder: string;
}

/** `node_modules/pg` of `packages`, or the nested `dependencies` of version 1. */
function placeIn(path: readonly string[]): Installed | undefined {
  if (path[0] !== 'packages') return nestedIn(path.slice(0, -1));
  const [, key = '', , ...inner] = path;
  const at = key.lastIndexOf(modules);
  if (inner.length > 0 || at < 0) return undefined;
  return { name: key.slice(at + modules.length), folder: key.slice(0, Math.max(0, at - 1)) };
}

function nestedIn(path: readonly string[]): Installed | undefined {
  const names = path.filter((_, at) => at % 2 === 1);
  const name = names.at(-1);
  const isNested = path.length % 2 === 0 && path.every((each, at) => at % 2 === 1 || each === 'dependencies');
  if (!isNested || name === undefined) return undefined;
  const around = names.slice(0, -1).map((each) => modules + each);
  return { name, folder: around.join('/') };
}

/** What comes from elsewhere than a registry has a URL for its version. */
function installed({ name, folder }: Installed, { value, range }: LockfileLine): readonly LockedPackage[] {
  return /^\d/.test(value) ? [{ name, version: { value, range }, folder }] : [];
}
