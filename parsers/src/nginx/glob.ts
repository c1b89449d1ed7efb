import { matchesGlob as matches, parseGlob } from '../glob.ts';

/** Whether a path matches a pattern as glob(3) reads it for `include`: no wildcard crosses a `/` or takes a leading dot. */
export function matchesGlob(pattern: string, path: string): boolean {
  const glob = parseGlob(pattern.replace(/\*{2,}/g, '*'));
  return glob !== undefined && matches(glob, path) && !takesLeadingDot(pattern.split('/'), path.split('/'));
}

function takesLeadingDot(patterns: readonly string[], names: readonly string[]): boolean {
  return names.some((name, i) => name.startsWith('.') && !patterns[i]?.startsWith('.'));
}

export function hasGlob(pattern: string): boolean {
  return /[*?[]/.test(pattern);
}
