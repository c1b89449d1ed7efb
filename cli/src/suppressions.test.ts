import { textOf } from '@poolcheck/parsers/text';
import type { Finding } from '@poolcheck/rules/finding';
import { describe, expect, test } from 'vitest';
import { suppress } from './suppressions.ts';

const rules = { all: ['release-in-finally', 'no-pool-per-request', 'connection-budget'], runs: () => true, reasons: 'required' as const };

/** A finding on the first line that holds `HERE`, with the comments of the file applied. */
function run(path: string, content: string, runs: (rule: string) => boolean = () => true) {
  const text = textOf(path, content);
  const start = content.indexOf('HERE');
  const finding: Finding = {
    rule: 'release-in-finally',
    severity: 'error',
    message: 'm',
    at: { text, range: { start, end: start + 4 } },
    related: [],
    fixes: [],
    fingerprint: 'f',
  };
  const { findings, problems } = suppress(
    start < 0 ? [] : [finding],
    { texts: [[path, content]], realPath: (each) => each },
    { ...rules, runs },
  );
  return { reason: findings[0]?.suppressed?.reason, problems: problems.map(({ message }) => message) };
}

describe('a comment with a reason suppresses', () => {
  test.each([
    ['a.ts', '// poolcheck-disable-next-line release-in-finally -- closed by the caller\nHERE'],
    ['a.ts', '  /* poolcheck-disable-next-line release-in-finally -- closed by the caller */\nHERE'],
    ['a.tsx', '{/* poolcheck-disable-next-line release-in-finally -- closed by the caller */}\nHERE'],
    ['a.ts', 'HERE(); // poolcheck-disable-line release-in-finally -- closed by the caller'],
    ['a.ts', 'x();\nHERE();\n// poolcheck-disable-file release-in-finally -- closed by the caller'],
    ['a.yaml', '# poolcheck-disable-next-line no-pool-per-request, release-in-finally -- closed by the caller\r\nHERE'],
    ['a.ini', '; poolcheck-disable-next-line release-in-finally -- closed by the caller\nHERE'],
    ['a.sql', '-- poolcheck-disable-next-line release-in-finally -- closed by the caller\nHERE'],
    ['a.html', '<!-- poolcheck-disable-next-line release-in-finally -- closed by the caller -->\nHERE'],
    [
      'a.ts',
      '// poolcheck-disable-next-line release-in-finally -- closed by the caller\n// poolcheck-disable-next-line connection-budget -- x\nHERE',
    ],
  ])('%s: %s', (path, content) => expect(run(path, content).reason).toBe('closed by the caller'));

  test('and nothing is said when it was needed', () => {
    expect(run('a.ts', '// poolcheck-disable-next-line release-in-finally -- x\nHERE').problems).toEqual([]);
  });
});

describe('a comment does not suppress', () => {
  test.each([
    [
      'on another line',
      '// poolcheck-disable-next-line release-in-finally -- x\n\nHERE',
      'suppresses nothing: release-in-finally has no finding here',
    ],
    [
      'another rule',
      '// poolcheck-disable-next-line connection-budget -- x\nHERE',
      'suppresses nothing: connection-budget has no finding here',
    ],
    [
      'without a reason',
      '// poolcheck-disable-next-line release-in-finally\nHERE',
      'suppresses nothing without a reason: write one behind " -- "',
    ],
    [
      'with an empty reason',
      '// poolcheck-disable-next-line release-in-finally --  \nHERE',
      'suppresses nothing without a reason: write one behind " -- "',
    ],
    ['without a rule', '// poolcheck-disable-next-line -- x\nHERE', 'has to name the rules that it suppresses'],
    [
      'with a rule that is none',
      '// poolcheck-disable-next-line release-in-finaly -- x\nHERE',
      'names an unknown rule, "release-in-finaly". Did you mean "release-in-finally"?',
    ],
    [
      'in a form that is none',
      '// poolcheck-disable release-in-finally -- x\nHERE',
      'is not known: write poolcheck-disable-next-line, poolcheck-disable-line, poolcheck-disable-file',
    ],
  ])('%s', (_, content, problem) => {
    expect(run('a.ts', content)).toEqual({ reason: undefined, problems: [`this comment ${problem}`] });
  });

  test('that is none: outside a comment the words mean nothing', () => {
    expect(run('a.ts', 'poolcheck-disable-next-line release-in-finally -- x\nHERE')).toEqual({ reason: undefined, problems: [] });
  });
});

test('a comment for a rule that is off is not unused', () => {
  expect(run('a.ts', '// poolcheck-disable-line connection-budget -- x', (rule) => rule !== 'connection-budget').problems).toEqual([]);
});

test('a line as long as a file costs little', () => {
  const started = performance.now();
  run('a.ts', `// poolcheck-disable-line ${'a '.repeat(500_000)}`);
  run('a.ts', '// poolcheck-disable-next-line x -- y\n'.repeat(3_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
