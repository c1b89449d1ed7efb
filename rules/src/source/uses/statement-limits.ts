import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import type { Project } from '../../project.ts';
import { roleOf } from '../../role.ts';

/** Where servers, roles and poolers are configured. */
const configuration = /\.(sql|ya?ml|conf|cnf|ini|env|tf|tfvars|toml|sh|prisma|tpl|hcl)$|(^|\/)(\.env[\w.-]*|Dockerfile[\w.-]*)$/;

/** In code only as SQL or as a parameter of a connection, not as an option of a pool. */
const inCode = /statement_timeout['"]?\s*(=|,|%3D|\bto\b)/i;
const inConfiguration = /statement_timeout|^\s*query_timeout\s*=/im;

/** Whether something besides the options of pools limits how long a statement may run. */
export function limitsStatements(project: Project): boolean {
  return project.list().some((path) => {
    const pattern = patternFor(path);
    return pattern !== undefined && pattern.test(project.readText(path) ?? '');
  });
}

function patternFor(path: string): RegExp | undefined {
  if (isJavaScript(path)) return /^(test|generated)$/.test(roleOf(path)) ? undefined : inCode;
  return configuration.test(path) ? inConfiguration : undefined;
}
