import type { Lockfile, LockedPackage, LockfileLine } from './document.ts';
import { linesOf } from './lines.ts';

const kinds = /^(dependencies|devDependencies|optionalDependencies)$/;

/** pnpm-lock.yaml, versions 5 to 9: https://github.com/pnpm/spec/tree/master/lockfile */
export function readPnpm(content: string): Lockfile {
  const packages: LockedPackage[] = [];
  for (const line of linesOf(content)) packages.push(...(direct(line) ?? stored(line) ?? []));
  return packages;
}

/** What a package of the workspace asks for; without a workspace it stands at the top. */
function direct({ path, value, range }: LockfileLine): Lockfile | undefined {
  const [importer, [kind = '', name = '', field]] = path[0] === 'importers' ? [path[1], path.slice(2)] : ['.', path];
  const version = /^\d[^(_]*/.exec(value)?.[0];
  if (importer === undefined || !kinds.test(kind) || version === undefined || (field ?? 'version') !== 'version') return undefined;
  return [{ name, version: { value: version, range }, folder: importer === '.' ? '' : importer }];
}

/** `/pg/8.7.3`, `/pg@8.11.3`, `pg@8.16.3`, each perhaps with its peers behind. */
function stored({ path: [section, key = '', ...inner], range }: LockfileLine): Lockfile | undefined {
  if (section !== 'packages' || inner.length > 0) return undefined;
  const [, name, version] = /^\/?((?:@[^/@]+\/)?[^/@]+)[/@](\d[^(_]*)/.exec(key) ?? [];
  return name === undefined || version === undefined ? undefined : [{ name, version: { value: version, range } }];
}
