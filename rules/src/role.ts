/** What a file is for. Advice and warnings are for production; leaks in tests are warnings. */
export type Role = 'production' | 'test' | 'script' | 'migration' | 'example' | 'generated';

const byPath: readonly (readonly [Role, RegExp])[] = [
  ['generated', /(^|\/)(generated|__generated__|\.prisma|\.next|\.nuxt|\.svelte-kit)\/|\.(generated|gen|min)\.[cm]?[jt]sx?$|\.d\.[cm]?ts$/],
  // A folder with "test" as a word of its name, and the endings of test files.
  [
    'test',
    /(^|\/)([\w.]*[-_.])?(tests?|specs?|e2e|mocks?|testing|testdata|cypress|perf)([-_][\w.-]*)?\/|(^|\/)\w*(perf|load)-?tests?\/|[.-](test|spec|e2e|cy|stories|integration)(\.[\w-]+)?\.[cm]?[jt]sx?$|(^|\/)(jest|vitest|playwright)\.[\w.-]*\.[cm]?[jt]s$/i,
  ],
  ['migration', /(^|\/)(db-?)?(migrations?|migrate|migrator)\/|(^|\/)migrate\.[cm]?[jt]s$/],
  [
    'script',
    /(^|\/)\.[\w-]+\/|(^|\/)(scripts?|bin|tools?|seeds?|seeders?)\/|(^|\/)(seed|knexfile|drizzle\.config|gulpfile|ormconfig)\.[cm]?[jt]s$/,
  ],
  ['example', /(^|\/)(examples?|samples?|demos?|playground|docs|documentation|bench(marks?)?)\/|\.bench\.[cm]?[jt]sx?$/],
];

/** What TypeScript and Babel write at the head of a module that they turned into CommonJS. */
const compiled = /^\s*(["']use strict["'];\s*)?(var __\w+ =|Object\.defineProperty\(exports, ["']__esModule["'])/;

const exportsSomething = /^\s*export\b|\bmodule\.exports\b|\bexports\.\w/m;
const endsByItself = /\bprocess\.exit\(|\.(end|destroy|close|quit|disconnect|\$disconnect)\(\)/;
const keepsRunning =
  /\.(listen|consume|subscribe|process|serve)\(|\b(createServer|serve|setInterval|schedule|bootstrap\w*)\(|\bnew \w*(Worker|Consumer|Server|Bot)\(|\.on\(\s*['"](message|SIG\w+|request|connection)['"]|\.(get|post|put|patch|delete|use|all|route)\(\s*['"`]\//i;

/** By its path and, for a source that looks like production by that, by its content: what was compiled, and what runs once and ends. */
export function roleOf(path: string, content = ''): Role {
  const role = byPath.find(([, pattern]) => pattern.test(path))?.[0] ?? 'production';
  if (role !== 'production' || !/\.[cm]?[jt]s$/.test(path)) return role;
  if (/\.[cm]?js$/.test(path) && compiled.test(content)) return 'generated';
  return endsByItself.test(content) && !exportsSomething.test(content) && !keepsRunning.test(content) ? 'script' : 'production';
}
