import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{parsers,rules,cli,eslint-plugin,scripts}/**/*.test.ts', 'fixtures/*.test.ts', 'bench/**/*.test.js'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/*/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
