/** major, minor, patch. */
export type Version = readonly [number, number, number];

/** The versions from `low` on that are before `below`; undefined: all later ones. */
export interface VersionRange {
  readonly low: Version;
  readonly below: Version | undefined;
}

/** Reads the first version in a tag, range or image ("1.27-alpine", "v1.24.1-p1", "^8.11.0"); missing parts are 0. */
export function parseVersion(text: string): Version | undefined {
  const match = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}

export function isBefore(version: Version, other: Version): boolean {
  for (let i = 0; i < 3; i++) {
    const difference = (version[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

export function showVersion(version: Version): string {
  return version.join('.');
}

/** One version, as a range. */
export function exactly(version: Version): VersionRange {
  const [major, minor, patch] = version;
  return { low: version, below: [major, minor, patch + 1] };
}

/** The smallest range around some. */
export function around(ranges: readonly VersionRange[]): VersionRange | undefined {
  const [first, ...others] = ranges;
  return others.reduce<VersionRange | undefined>((a, b) => a && { low: earlier(a.low, b.low), below: later(a.below, b.below) }, first);
}

function earlier(a: Version, b: Version): Version {
  return isBefore(b, a) ? b : a;
}

function later(a: Version | undefined, b: Version | undefined): Version | undefined {
  if (!a || !b) return undefined;
  return isBefore(a, b) ? b : a;
}

/** Whether every version of a range is before another one; when the range is not known, no. */
export function isAllBefore(range: VersionRange | undefined, version: Version): boolean {
  return range?.below !== undefined && !isBefore(version, range.below);
}

/** Of rows in ascending order, those that hold for some version of a range; all of them when it is not known. */
export function rowsIn<Row extends { readonly since: Version }>(rows: readonly Row[], range: VersionRange | undefined): readonly Row[] {
  if (!range) return rows;
  const reached = rows.filter(({ since }) => !isAllBefore(range, since));
  const first = reached.findLastIndex(({ since }) => !isBefore(range.low, since));
  return reached.slice(Math.max(0, first));
}
