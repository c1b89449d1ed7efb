/** What a file is for. Advice and warnings are for production; leaks in tests are warnings. */
export type Role = 'production' | 'test' | 'script' | 'migration' | 'example' | 'generated';

const byPath: readonly (readonly [Role, RegExp])[] = [
  ['generated', /(^|\/)(generated|__generated__|\.prisma|\.next|\.nuxt|\.svelte-kit)\/|\.(generated|gen|min)\.[cm]?[jt]sx?$|\.d\.[cm]?ts$/],
  [
    'test',
    /(^|\/)(tests?|__tests__|__mocks__|spec|specs|e2e|cypress|integration-tests?|test-utils?|testing)\/|[.-](test|spec|e2e|bench|cy|stories|integration)(\.[\w-]+)?\.[cm]?[jt]sx?$|(^|\/)(jest|vitest|playwright)\.[\w.-]*\.[cm]?[jt]s$/,
  ],
  ['migration', /(^|\/)(migrations?|migrate)\/|(^|\/)migrate\.[cm]?[jt]s$/],
  ['script', /(^|\/)(scripts?|bin|tools|seeds?|seeders?)\/|(^|\/)(seed|knexfile|drizzle\.config|gulpfile|ormconfig)\.[cm]?[jt]s$/],
  ['example', /(^|\/)(examples?|samples?|demos?|playground|docs|documentation|benchmarks?|bench)\//],
];

export function roleOf(path: string): Role {
  return byPath.find(([, pattern]) => pattern.test(path))?.[0] ?? 'production';
}
