/** The outside world of an analysis: one root folder. Handed in by the CLI, the ESLint plugin or a test. */
export interface Project {
  /** Every file that may be read: root-relative, `/`-separated, sorted. Ignored files are not in it. */
  list(): readonly string[];
  /** The decoded contents, or undefined when there is no such file, it lies outside the root, or it cannot be read. */
  readText(path: string): string | undefined;
}

/** A project in memory. */
export function projectOf(files: Readonly<Record<string, string>>): Project {
  const paths = Object.keys(files).sort();
  return { list: () => paths, readText: (path) => (Object.hasOwn(files, path) ? files[path] : undefined) };
}
