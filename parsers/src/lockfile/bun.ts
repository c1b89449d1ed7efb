import type { LockedPackage, Lockfile, LockfileLine } from './document.ts';
import { linesOf } from './lines.ts';

/** bun.lock: https://bun.com/docs/pm/lockfile */
export function readBun(content: string): Lockfile {
  const packages: LockedPackage[] = [];
  const folders = new Map<string, string>();
  for (const line of linesOf(content)) {
    const [section, key = '', field, ...inner] = line.path;
    if (section === 'workspaces' && field === 'name' && inner.length === 0) folders.set(line.value, key);
    const found = section === 'packages' && field === undefined ? installedAs(key, line, folders) : undefined;
    if (found) packages.push(found);
  }
  return packages;
}

/** `"pg": ["pg@8.16.3", …]`, and `"api/pg"` for what only `api` finds: a package of the workspace, or another package. */
function installedAs(key: string, { value, range }: LockfileLine, folders: ReadonlyMap<string, string>): LockedPackage | undefined {
  const [, name, version] = /^\["((?:@[^/"@]+\/)?[^@"]+)@(\d[^"]*)"/.exec(value) ?? [];
  if (name === undefined || version === undefined || (key !== name && !key.endsWith(`/${name}`))) return undefined;
  const folder = key === name ? '' : folders.get(key.slice(0, -name.length - 1));
  return { name, version: { value: version, range }, ...(folder === undefined ? {} : { folder }) };
}
