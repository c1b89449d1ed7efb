/**
 * Packages that stop waiting for a promise after a while, by their exports, '' for the package itself; what it stands for goes on.
 * Sources: https://github.com/sindresorhus/p-timeout#readme, https://www.npmjs.com/package/promise-timeout
 */
const deadlines: Readonly<Record<string, ReadonlySet<string>>> = {
  'p-timeout': new Set(['', 'pTimeout']),
  'promise-timeout': new Set(['timeout']),
};

/** Whether a function of a package puts a deadline on its first argument. */
export function putsDeadline(specifier: string, path: string): boolean {
  return deadlines[specifier]?.has(path) === true;
}
