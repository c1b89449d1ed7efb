import { defineConfig } from 'vitest/config';

/** The proofs: what the rules claim, shown on real servers. `npm test` does not run them. */
export default defineConfig({
  test: {
    include: ['proof/*.proof.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
