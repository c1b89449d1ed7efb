import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@poolcheck/rules/testing/rule-fixtures';
import { expect, test } from 'vitest';
import { copyOfRepository, runIn } from './testing/copy.ts';

const vitest = 'node_modules/vitest/vitest.mjs';

test('a new rule is listed, complete, and passes as it is made', { timeout: 120_000 }, () => {
  const copy = copyOfRepository();
  const made = runIn(copy, 'scripts/new-rule.ts', 'no-made-up-thing');
  expect(made.status, made.out).toBe(0);
  expect(runIn(copy, 'cli/src/bin.ts', '--list-rules').out).toContain('no-made-up-thing');

  const tested = runIn(
    copy,
    vitest,
    'run',
    'cli/src/completeness.test.ts',
    'cli/src/rule-fixtures.test.ts',
    '-t',
    'no-made-up-thing|in order',
    '-u',
  );
  expect(tested.out).toContain('passed');
  expect(tested.status, tested.out).toBe(0);
  expect(existsSync(join(copy, 'rules/fixtures/no-made-up-thing/bad-example/expected.txt'))).toBe(true);
  expect(runIn(copy, 'scripts/docs.ts')).toMatchObject({ status: 0 });
  expect(runIn(copy, 'cli/src/bin.ts', '--explain', 'no-made-up-thing').out).toMatch(/^# no-made-up-thing\n/);
});

test.each(['', 'Pool', 'no_pool', '../no-pool', 'release-in-finally'])('%j is no name for a new rule', (id) => {
  const { status, out } = runIn(repository, 'scripts/new-rule.ts', id);
  expect(status).toBe(1);
  expect(out).toMatch(/^(npm run new-rule <id>|There is a rule)/);
});
