import type { Installed } from '../installed/installations.ts';
import { parseVersion, rowsIn, type Version } from '../version.ts';
import { supportedVersions } from './supported.ts';

/** A release of a package: `mysql2@3.20.0`. */
export type Release = `${'' | `@${string}/`}${string}@${number}.${number}.${number}`;

/** A fact that releases of a package have changed. */
export interface Changing<T> {
  readonly package: string;
  /** Ascending; the first holds from the beginning. */
  readonly rows: readonly { readonly since: Version; readonly value: T }[];
}

/** A fact that is the same in every version, or one that has changed. */
export type Fact<T> = T | Changing<T>;

/** Answers which versions of a package may be installed, as one module sees it. */
export type InstalledOf = (name: string) => Installed | undefined;

/** A fact that was `first`, until each of these releases of one package, in ascending order, made it another. */
export function changing<T>(first: T, ...later: readonly (readonly [since: Release, value: T])[]): Changing<T> {
  const rows = later.map(([since, value]) => ({ since: versionOf(since), value }));
  return { package: packageIn(later[0]?.[0] ?? '@0.0.0'), rows: [{ since: [0, 0, 0], value: first }, ...rows] };
}

export function packageIn(release: Release): string {
  return release.slice(0, release.lastIndexOf('@'));
}

export function versionOf(release: Release): Version {
  return parseVersion(release.slice(release.lastIndexOf('@'))) ?? [0, 0, 0];
}

export function isChanging<T>(fact: Fact<T>): fact is Changing<T> {
  return typeof fact === 'object' && fact !== null && 'rows' in fact;
}

/** Every value that a fact has in the versions that may be installed: when nothing tells, in all that are supported. */
export function valuesOf<T>(fact: Fact<T>, installed: InstalledOf): readonly T[] {
  return isChanging(fact)
    ? rowsIn(fact.rows, installed(fact.package)?.versions ?? supportedVersions(fact.package)).map(({ value }) => value)
    : [fact];
}

/** What a fact is in all versions that may be installed; undefined when they differ. */
export function valueOf<T>(fact: Fact<T>, installed: InstalledOf): T | undefined {
  const [first, ...others] = valuesOf(fact, installed);
  return others.length === 0 ? first : undefined;
}
