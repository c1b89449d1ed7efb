import { join } from 'node:path';
import * as babel from '@babel/eslint-parser';
import * as typescript from '@typescript-eslint/parser';
import { RuleTester as RuleTester9, type Linter, type Rule } from 'eslint';
import { Linter as Linter10, RuleTester as RuleTester10, type Rule as Rule10 } from 'eslint10';
import * as vue from 'vue-eslint-parser';
import plugin from '../index.ts';

export type LanguageOptions = NonNullable<Linter.Config['languageOptions']>;

export const parsers = {
  espree: { parserOptions: { ecmaFeatures: { jsx: true } } },
  'typescript-eslint': { parser: typescript },
  'Babel 7': {
    parser: babel,
    parserOptions: {
      requireConfigFile: false,
      babelOptions: { babelrc: false, configFile: false, parserOpts: { plugins: ['typescript', 'decorators-legacy'] } },
    },
  },
  'vue-eslint-parser': { parser: vue, parserOptions: { parser: typescript } },
} satisfies Record<string, LanguageOptions>;

type Parser = keyof typeof parsers;

/** A file, and what a rule has to say of it. */
export interface Case {
  readonly filename: string;
  readonly code: string;
  readonly errors: ExpectedError[];
  /** What the fixes make of it. */
  readonly output: string | null;
}

export interface ExpectedError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly suggestions: { readonly desc: string; readonly output: string }[];
}

/** A version of ESLint, with a parser whose trees it hands over. */
export interface Host {
  readonly name: string;
  readonly readsTypes: boolean;
  /** Throws when a case does not come out as it says. */
  test(id: string, cases: readonly Case[]): void;
}

/** Cases run at once, in the test that brings them. */
for (const Tester of [RuleTester9, RuleTester10]) {
  const atOnce = (_name: string, run: () => void) => run();
  Object.assign(Tester, { describe: atOnce, it: atOnce, itOnly: atOnce });
}

/** The declarations of the two versions do not fit each other; what a rule uses of its context is in both. */
type RuleOf10 = Rule10.RuleModule;

export const hosts: readonly Host[] = [
  eslint9('espree'),
  eslint9('typescript-eslint'),
  eslint9('Babel 7'),
  eslint10('espree'),
  eslint10('typescript-eslint'),
];

function eslint9(parser: Parser): Host {
  const tester = new RuleTester9({ languageOptions: parsers[parser] });
  return { ...named('ESLint 9', parser), test: (id, cases) => tester.run(id, ruleNamed(id), split(cases)) };
}

function eslint10(parser: Parser): Host {
  const tester = new RuleTester10({ languageOptions: parsers[parser] });
  return { ...named('ESLint 10', parser), test: (id, cases) => tester.run(id, ruleNamed(id) as unknown as RuleOf10, split(cases)) };
}

function ruleNamed(id: string): Rule.RuleModule {
  const rule = plugin.rules[id];
  if (!rule) throw new Error(`The plugin has no rule ${id}`);
  return rule;
}

function split(cases: readonly Case[]) {
  const valid = cases.filter(({ errors }) => errors.length === 0);
  const invalid = cases.filter(({ errors }) => errors.length > 0);
  return { valid: valid.map(({ filename, code }) => ({ filename, code })), invalid };
}

function named(version: string, parser: Parser) {
  return { name: `${version} with ${parser}`, readsTypes: parser !== 'espree' };
}

/** The parser that looks at types, as it is set up in a folder. */
export function typedParser(folder: string): LanguageOptions {
  return { parser: typescript, parserOptions: { projectService: true, tsconfigRootDir: folder } };
}

/** What one rule says of a text in a file of a folder. */
export function lint(
  rule: string,
  cwd: string,
  path: string,
  content: string,
  languageOptions: LanguageOptions = parsers.espree,
): readonly Linter.LintMessage[] {
  const config: Linter.Config = {
    files: ['**/*.{js,ts,vue}'],
    plugins: { poolcheck: plugin },
    rules: { [`poolcheck/${rule}`]: 'error' },
    languageOptions,
  };
  return new Linter10({ cwd }).verify(content, config, { filename: join(cwd, path) });
}
