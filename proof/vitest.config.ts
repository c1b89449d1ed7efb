import { defineConfig } from 'vitest/config';

/**
 * The proofs: what the rules claim, shown on real servers, and that the verdict on leases agrees with running the program, for more
 * programs than `npm test` has time for. `npm test` does not run them.
 */
export default defineConfig({
  test: {
    include: ['proof/*.proof.ts', 'rules/src/source/leases/differential.test.ts'],
    env: { POOLCHECK_PROGRAMS: '100000' },
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
