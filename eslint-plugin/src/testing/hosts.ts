import { join } from 'node:path';
import * as babel from '@babel/eslint-parser';
import * as typescript from '@typescript-eslint/parser';
import { Linter as Linter9, RuleTester as RuleTester9, type Linter, type Rule } from 'eslint';
import { Linter as Linter10, RuleTester as RuleTester10, type Rule as Rule10 } from 'eslint10';
import * as vue from 'vue-eslint-parser';
import { describe, it } from 'vitest';
import plugin from '../index.ts';

type LanguageOptions = NonNullable<Linter.Config['languageOptions']>;

/** A program that runs the plugin, with a parser whose trees it hands over. */
export interface Host {
  readonly name: string;
  readonly readsTypes: boolean;
  lint(root: string, path: string, content: string, rule: string): readonly Linter.LintMessage[];
}

const parsers = {
  espree: { parserOptions: { ecmaFeatures: { jsx: true } } },
  'typescript-eslint': { parser: typescript },
  'Babel 7': {
    parser: babel,
    parserOptions: {
      requireConfigFile: false,
      babelOptions: { babelrc: false, configFile: false, parserOpts: { plugins: ['typescript'] } },
    },
  },
  'vue-eslint-parser': { parser: vue, parserOptions: { parser: typescript } },
} satisfies Record<string, LanguageOptions>;

type Verify = (cwd: string, filename: string, content: string, config: Linter.Config) => readonly Linter.LintMessage[];

const eslint9: Verify = (cwd, filename, content, config) => new Linter9({ cwd }).verify(content, config, { filename });
const eslint10: Verify = (cwd, filename, content, config) => new Linter10({ cwd }).verify(content, config, { filename });

export const hosts: readonly Host[] = [
  host('ESLint 9', eslint9, 'espree'),
  host('ESLint 9', eslint9, 'typescript-eslint'),
  host('ESLint 9', eslint9, 'Babel 7'),
  host('ESLint 10', eslint10, 'espree'),
  host('ESLint 10', eslint10, 'typescript-eslint'),
];

export const component = host('ESLint 10', eslint10, 'vue-eslint-parser');

export interface ExpectedError {
  readonly message: RegExp;
  readonly line: number;
  readonly column: number;
  readonly suggestions?: { readonly desc: string; readonly output: string }[];
}

interface Cases {
  readonly valid: { readonly filename: string; readonly code: string }[];
  readonly invalid: {
    readonly filename: string;
    readonly code: string;
    readonly output: string | null;
    readonly errors: ExpectedError[];
  }[];
}

/** The types of the two versions do not fit each other; what a rule uses of its context is in both. */
type RuleOf10 = Rule10.RuleModule;

type RunCases = (id: string, rule: Rule.RuleModule, cases: Cases, languageOptions: LanguageOptions) => void;

for (const Tester of [RuleTester9, RuleTester10]) Object.assign(Tester, { describe, it });

export const ruleTesters: readonly (readonly [name: string, run: RunCases])[] = [
  ['ESLint 9', (id, rule, cases, languageOptions) => new RuleTester9({ languageOptions }).run(id, rule, cases)],
  ['ESLint 10', (id, rule, cases, languageOptions) => new RuleTester10({ languageOptions }).run(id, rule as unknown as RuleOf10, cases)],
];

function host(version: string, verify: Verify, parser: keyof typeof parsers): Host {
  return {
    name: `${version} with ${parser}`,
    readsTypes: parser !== 'espree',
    lint: (root, path, content, rule) => verify(root, join(root, path), content, configOf(rule, parsers[parser])),
  };
}

function configOf(rule: string, languageOptions: LanguageOptions): Linter.Config {
  return {
    files: ['**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx,vue}'],
    plugins: { poolcheck: plugin },
    rules: { [`poolcheck/${rule}`]: 'error' },
    languageOptions,
  };
}
