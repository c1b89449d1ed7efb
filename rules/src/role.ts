/** What a file is for. Advice and warnings are for production; leaks in tests are warnings. */
export type Role = 'production' | 'test' | 'script' | 'migration' | 'example' | 'generated';

const byPath: readonly (readonly [Role, RegExp])[] = [
  ['generated', /(^|\/)(generated|__generated__|\.prisma|\.next|\.nuxt|\.svelte-kit)\/|\.(generated|gen|min)\.[cm]?[jt]sx?$|\.d\.[cm]?ts$/],
  // A folder with "test" as a word of its name, and the endings of test files.
  [
    'test',
    /(^|\/)([\w.]*[-_])?(tests?|specs?|e2e|mocks?|testing|testdata|cypress|perf)([-_][\w.-]*)?\/|(^|\/)\w*(perf|load)-?tests?\/|[.-](test|spec|e2e|cy|stories|integration)(\.[\w-]+)?\.[cm]?[jt]sx?$|(^|\/)(jest|vitest|playwright)\.[\w.-]*\.[cm]?[jt]s$/i,
  ],
  ['migration', /(^|\/)(db-?)?(migrations?|migrate|migrator)\/|(^|\/)migrate\.[cm]?[jt]s$/],
  ['script', /(^|\/)(scripts?|bin|tools|seeds?|seeders?)\/|(^|\/)(seed|knexfile|drizzle\.config|gulpfile|ormconfig)\.[cm]?[jt]s$/],
  ['example', /(^|\/)(examples?|samples?|demos?|playground|docs|documentation|bench(marks?)?)\/|\.bench\.[cm]?[jt]sx?$/],
];

export function roleOf(path: string): Role {
  return byPath.find(([, pattern]) => pattern.test(path))?.[0] ?? 'production';
}
