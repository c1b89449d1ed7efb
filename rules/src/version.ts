/** major, minor, patch. */
export type Version = readonly [number, number, number];

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
