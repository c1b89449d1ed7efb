import { repository } from '@poolcheck/rules/testing/rule-fixtures';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import tseslint from 'typescript-eslint';

/** Without types, which the house rules do not need. */
const eslint = new ESLint({ cwd: repository, overrideConfig: [tseslint.configs.disableTypeChecked] });

async function ruleAgainst(path: string, code: string): Promise<readonly (string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: path });
  return result?.messages.map(({ ruleId }) => ruleId) ?? [];
}

test.each([
  ['parsers/src/text.ts', "import '@poolcheck/rules/known';"],
  ['parsers/src/text.ts', "import '../../rules/src/known.ts';"],
  ['parsers/src/text.ts', "import 'node:fs';"],
  ['rules/src/known.ts', "import 'node:fs/promises';"],
  ['rules/src/known.ts', "import '../../cli/src/main.ts';"],
  ['rules/src/known.ts', "import 'eslint';"],
  ['rules/src/known.ts', "import 'ts-morph';"],
  ['rules/src/disk/walk.ts', "import 'typescript';"],
  ['cli/src/main.ts', "import '../../eslint-plugin/src/index.ts';"],
  ['cli/src/main.ts', "import 'typescript';"],
  ['cli/src/main.ts', "import './types/types.ts';"],
  ['eslint-plugin/src/index.ts', "import '../../cli/src/main.ts';"],
])('%s may not say %s', async (path, code) => {
  expect(await ruleAgainst(path, code)).toEqual(['@typescript-eslint/no-restricted-imports']);
});

test.each([
  ['rules/src/known.ts', 'export const { env } = process;', 'no-restricted-globals'],
  ['cli/src/main.ts', 'process.exit(1);', 'no-restricted-globals'],
  ['cli/src/main.ts', 'console.log(1);', 'no-console'],
  ['cli/src/main.ts', 'export const anything: any = 1;', '@typescript-eslint/no-explicit-any'],
])('%s may not say %s', async (path, code, rule) => {
  expect(await ruleAgainst(path, code)).toEqual([rule]);
});

test.each([
  ['rules/src/disk/walk.ts', "import 'node:fs';"],
  ['rules/src/known.ts', "import '@poolcheck/parsers/text';"],
  ['rules/src/catalogue.ts', "import './rules/release-in-finally.ts';"],
  ['cli/src/main.ts', "import 'node:fs';\nimport '@poolcheck/rules/check';"],
  ['cli/src/io.ts', 'export const { env } = process;'],
  ['cli/src/load-types.ts', "import('./types/types.ts');"],
  ['cli/src/types/types.ts', "import 'ts-morph';"],
  ['eslint-plugin/src/index.ts', "import '@poolcheck/rules/catalogue';"],
  ['scripts/docs.ts', 'console.log(process.argv);'],
])('%s may say %s', async (path, code) => {
  expect(await ruleAgainst(path, code)).toEqual([]);
});
