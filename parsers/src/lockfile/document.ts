import type { Range, Written } from '../text.ts';

/** A package that a lockfile installs. */
export interface LockedPackage {
  readonly name: string;
  readonly version: Written<string>;
  /** The folder whose code finds this one, from the lockfile's own folder on; undefined: only other packages find it. */
  readonly folder?: string;
  /** What package.json files ask for that it was installed for. */
  readonly ranges?: readonly string[];
}

export type Lockfile = readonly LockedPackage[];

/** A line of a lockfile: `pg: 8.11.3`, `"pg": {`, `version "8.11.3"`. */
export interface LockfileLine {
  /** The keys of the lines that it stands in, the outermost first, and its own. It changes with the next line. */
  readonly path: readonly string[];
  /** Without its quotes; '' where lines of its own follow. */
  readonly value: string;
  readonly range: Range;
}
