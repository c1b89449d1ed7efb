import { catalogue } from '@poolcheck/rules/catalogue';
import type { ModuleRule } from '@poolcheck/rules/rule';
import type { ESLint, Linter, Rule } from 'eslint';
import packageJson from '../package.json' with { type: 'json' };
import { eslintRule } from './eslint-rule.ts';

const moduleRules = catalogue.filter((rule): rule is ModuleRule => rule.looksAt === 'module');

const plugin = {
  meta: { name: packageJson.name, version: packageJson.version, namespace: 'poolcheck' },
  rules: Object.fromEntries(moduleRules.map((rule): [string, Rule.RuleModule] => [rule.id, eslintRule(rule)])),
  configs: {
    /** Advice is for whoever asks for it. */
    get recommended(): Linter.Config {
      return configOf(
        'recommended',
        moduleRules.filter(({ severity }) => severity !== 'info'),
      );
    },
    get all(): Linter.Config {
      return configOf('all', moduleRules);
    },
  },
} satisfies ESLint.Plugin;

function configOf(name: string, rules: readonly ModuleRule[]): Linter.Config {
  const levels = rules.map(({ id, severity }) => [`poolcheck/${id}`, severity === 'error' ? 'error' : 'warn'] as const);
  return { name: `poolcheck/${name}`, plugins: { poolcheck: plugin }, rules: Object.fromEntries(levels) };
}

export default plugin;
