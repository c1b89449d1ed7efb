import type { ESLint, Linter, Rule } from 'eslint';

declare const plugin: ESLint.Plugin & {
  readonly rules: Readonly<Record<string, Rule.RuleModule>>;
  readonly configs: {
    /** The rules that are on by default, as grave as poolcheck takes them. */
    readonly recommended: Linter.Config;
    /** Every rule, advice included. */
    readonly all: Linter.Config;
  };
};

export default plugin;
