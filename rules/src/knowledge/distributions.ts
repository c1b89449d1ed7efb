import type { Version } from '../version.ts';
import type { ImageReference, Software } from './images.ts';

/** The packages of servers, with what may be asked of their version as the first group. */
export const serverPackages: ReadonlyMap<Software, RegExp> = new Map([
  ['pgbouncer', /^pgbouncer([=~<>].*)?$/],
  ['nginx', /^nginx(?:-(?:light|core|full|extras))?([=~<>].*)?$/],
]);

/** A release of a Linux distribution, and which servers it has. Within one release a package keeps its minor version. */
interface Release {
  readonly distribution: 'debian' | 'ubuntu' | 'alpine';
  /** What tags of images call it. */
  readonly names: readonly string[];
  readonly packages: Readonly<Partial<Record<Software, Version>>>;
}

/**
 * PgBouncers before 1.16 are left out: nothing is known of them.
 *
 * https://packages.debian.org/search?keywords=pgbouncer, https://packages.ubuntu.com/search?keywords=pgbouncer,
 * https://pkgs.alpinelinux.org/packages?name=pgbouncer; nginx there, too
 */
const releases: readonly Release[] = [
  { distribution: 'debian', names: ['bullseye', '11'], packages: { nginx: [1, 18, 0] } },
  { distribution: 'debian', names: ['bookworm', '12'], packages: { pgbouncer: [1, 18, 0], nginx: [1, 22, 1] } },
  { distribution: 'debian', names: ['trixie', '13'], packages: { pgbouncer: [1, 24, 1], nginx: [1, 26, 3] } },
  { distribution: 'ubuntu', names: ['jammy', '22.04'], packages: { pgbouncer: [1, 16, 1], nginx: [1, 18, 0] } },
  { distribution: 'ubuntu', names: ['noble', '24.04'], packages: { pgbouncer: [1, 22, 0], nginx: [1, 24, 0] } },
  { distribution: 'ubuntu', names: ['questing', '25.10'], packages: { pgbouncer: [1, 24, 1] } },
  { distribution: 'ubuntu', names: ['resolute', '26.04'], packages: { pgbouncer: [1, 25, 1] } },
  { distribution: 'alpine', names: ['3.15'], packages: { nginx: [1, 20, 2] } },
  { distribution: 'alpine', names: ['3.16'], packages: { nginx: [1, 22, 1] } },
  { distribution: 'alpine', names: ['3.18'], packages: { nginx: [1, 24, 0] } },
  { distribution: 'alpine', names: ['3.19'], packages: { pgbouncer: [1, 21, 0], nginx: [1, 24, 0] } },
  { distribution: 'alpine', names: ['3.20'], packages: { pgbouncer: [1, 22, 1], nginx: [1, 26, 1] } },
  { distribution: 'alpine', names: ['3.21'], packages: { pgbouncer: [1, 23, 1], nginx: [1, 26, 3] } },
  { distribution: 'alpine', names: ['3.22'], packages: { pgbouncer: [1, 24, 0], nginx: [1, 28, 0] } },
  { distribution: 'alpine', names: ['3.23'], packages: { pgbouncer: [1, 25, 1], nginx: [1, 28, 3] } },
  { distribution: 'alpine', names: ['3.24'], packages: { pgbouncer: [1, 25, 2] } },
];

/** Images of a runtime on a distribution, whose packages stay those of the release: `node:22-bookworm-slim`, `python:3.12-alpine3.20`. */
const runtimes = /^(node|python|golang|ruby|php|buildpack-deps)$/;

/** The version of a server in the packages of a published image; undefined when its tag does not name a release that is known. */
export function packagedVersion(image: ImageReference, software: Software): Version | undefined {
  return releases.find((release) => isOf(image, release))?.packages[software];
}

function isOf({ repository, tag = '' }: ImageReference, { distribution, names }: Release): boolean {
  const parts = tag.split('-');
  if (runtimes.test(repository)) return names.some((name) => parts.includes(distribution === 'alpine' ? `alpine${name}` : name));
  return repository === distribution && names.some((name) => parts[0] === name || parts[0]?.startsWith(`${name}.`));
}
