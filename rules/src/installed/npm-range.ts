import { type Comparator, Range, type SemVer } from 'semver';
import { around, exactly, isBefore, type Version, type VersionRange } from '../version.ts';

/** The versions that `^8.11.0` and the like of a package.json allow; undefined for a tag, an alias or a URL. */
export function versionsAllowed(range: string): VersionRange | undefined {
  try {
    return around(new Range(range).set.map(allowedBy));
  } catch {
    // Not a range, says its parser.
    return undefined;
  }
}

const all: VersionRange = { low: [0, 0, 0], below: undefined };

function allowedBy(comparators: readonly Comparator[]): VersionRange {
  return comparators.map(allowedByOne).reduce(intersection, all);
}

function allowedByOne({ operator, semver, value }: Comparator): VersionRange {
  if (value === '') return all;
  const version = versionOf(semver);
  const { below } = exactly(version);
  switch (operator) {
    case '<':
      return { low: all.low, below: version };
    case '<=':
      return { low: all.low, below };
    case '>':
      return { low: below ?? version, below: undefined };
    case '>=':
      return { low: version, below: undefined };
    default:
      return { low: version, below };
  }
}

function versionOf({ major, minor, patch }: SemVer): Version {
  return [major, minor, patch];
}

function intersection(a: VersionRange, b: VersionRange): VersionRange {
  const low = isBefore(a.low, b.low) ? b.low : a.low;
  return { low, below: a.below && b.below ? (isBefore(a.below, b.below) ? a.below : b.below) : (a.below ?? b.below) };
}
