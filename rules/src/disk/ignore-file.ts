import { matchesGlob, parseGlob, type Glob } from '@poolcheck/parsers/glob';

/** What an ignore file says of a path: the last pattern that matches decides. */
export type Verdict = 'ignored' | 'kept' | undefined;

/** The rules of one ignore file, for paths relative to the folder that it stands in. */
export type IgnoreRules = (path: string, isFolder: boolean) => Verdict;

interface Pattern {
  readonly glob: Glob;
  /** It is about the last name of a path, at every depth. */
  readonly ofName: boolean;
  readonly verdict: Verdict;
  readonly foldersOnly: boolean;
}

/** Reads the lines of a `.gitignore` (https://git-scm.com/docs/gitignore#_pattern_format). */
export function parseIgnoreFile(content: string): IgnoreRules {
  return ignoreRules(content.replace(/^\uFEFF/, '').split(/\r?\n/));
}

export function ignoreRules(lines: readonly string[]): IgnoreRules {
  const patterns = lines.flatMap(parsePattern);
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return patterns.findLast(({ glob, ofName, foldersOnly }) => (isFolder || !foldersOnly) && matchesGlob(glob, ofName ? name : path))
      ?.verdict;
  };
}

function parsePattern(line: string): Pattern[] {
  if (line.startsWith('#')) return [];
  const text = withoutTrailingSpaces(line);
  const negated = text.startsWith('!');
  const pattern = negated ? text.slice(1) : text;
  const foldersOnly = pattern.endsWith('/');
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  if (body === '') return [];
  const glob = parseGlob(body.startsWith('/') ? body.slice(1) : body);
  return glob ? [{ glob, ofName: !body.includes('/'), verdict: negated ? 'kept' : 'ignored', foldersOnly }] : [];
}

/** Trailing spaces do not count, unless the first of them is escaped. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  return line.endsWith('\\', end) && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}
