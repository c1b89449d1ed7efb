import poolcheck from 'eslint-plugin-poolcheck';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The disk and the process belong to the edges; what analyses is a function of what it is given. */
const disk = {
  group: ['node:fs', 'node:fs/*', 'node:child_process', 'node:process'],
  message: 'Only rules/src/disk and cli touch the disk.',
};

/** A checker that loads for a second is not run on every commit. */
const compilers = { group: ['typescript', 'ts-morph'], message: 'The default path never loads a compiler.' };

const checker = { regex: String.raw`^\.+/types/`, allowTypeImports: true, message: 'The type checker is loaded when it is asked for.' };

/** parsers ← rules ← cli, eslint-plugin */
const parsersKnow = {
  group: ['@poolcheck/rules/*', 'poolcheck', 'eslint*', '**/rules/src/**'],
  message: 'parsers knows nothing of rules.',
};
const rulesKnow = {
  group: ['poolcheck', 'eslint*', '**/cli/src/**', '**/eslint-plugin/src/**'],
  message: 'rules knows nothing of its hosts.',
};
const hostsKnow = {
  group: ['**/cli/src/**', '**/eslint-plugin/src/**', 'poolcheck'],
  message: 'The command and the plugin share rules, nothing else.',
};

function mayNotImport(...patterns) {
  return { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] };
}

export default defineConfig(
  globalIgnores(['**/dist/', '**/fixtures/*/**', 'cli/docs/']),
  {
    files: ['**/*.{ts,js,cjs}'],
    extends: [tseslint.configs.strictTypeChecked, poolcheck.configs.recommended],
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Node types are enums to the type checker and plain strings in every tree.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      // Our interfaces are records of functions, which are taken out by name.
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'error',
      'no-restricted-globals': ['error', { name: 'process', message: 'What the process knows is handed in: see cli/src/io.ts.' }],
    },
  },
  { files: ['**/*.{js,cjs}'], extends: [tseslint.configs.disableTypeChecked] },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['parsers/src/**'], rules: mayNotImport(disk, compilers, parsersKnow) },
  { files: ['rules/src/**'], rules: mayNotImport(disk, compilers, rulesKnow) },
  { files: ['rules/src/disk/**'], rules: mayNotImport(compilers, rulesKnow) },
  { files: ['cli/src/**', 'eslint-plugin/src/**'], rules: mayNotImport(compilers, checker, hostsKnow) },
  { files: ['cli/src/types/**'], rules: mayNotImport(hostsKnow) },
  {
    files: ['**/*.test.ts', '**/testing/**', 'proof/**'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-restricted-imports': 'off',
      // Matchers and parsed output are `any`.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      'no-restricted-globals': 'off',
    },
  },
  {
    files: ['cli/src/bin.ts', 'cli/src/io.ts', '{scripts,bench}/**'],
    rules: { 'no-restricted-globals': 'off' },
  },
  { files: ['{scripts,bench}/**'], rules: { 'no-console': 'off' } },
  {
    // What the rules warn of is shown there.
    files: ['proof/**'],
    rules: Object.fromEntries(Object.keys(poolcheck.configs.all.rules).map((rule) => [rule, 'off'])),
  },
);
