import type { Lockfile, LockedPackage } from './document.ts';
import { linesOf } from './lines.ts';

/** yarn.lock, of Yarn 1 and of later ones: https://yarnpkg.com/configuration/manifest */
export function readYarn(content: string): Lockfile {
  const packages: LockedPackage[] = [];
  for (const { path, value, range } of linesOf(content)) {
    const [header = '', field] = path;
    if (path.length !== 2 || field !== 'version') continue;
    const asked = header.replaceAll('"', '').split(/,\s*/).flatMap(askedFor);
    const [first] = asked;
    if (first) packages.push({ name: first.name, version: { value, range }, ranges: asked.map((each) => each.range) });
  }
  return packages;
}

/** `pg@^8.11.0`, `pg@npm:^8.11.0`; `pg@npm:other@^1` is another package under this name. */
function askedFor(descriptor: string): readonly { readonly name: string; readonly range: string }[] {
  const at = descriptor.indexOf('@', 1);
  const name = descriptor.slice(0, at);
  const range = descriptor.slice(at + 1).replace(/^npm:/, '');
  return at < 0 || (range.includes('@') && !range.startsWith('patch:')) ? [] : [{ name, range }];
}
