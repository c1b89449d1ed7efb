import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { run } from './testing/run.ts';

vi.mock('@poolcheck/rules/catalogue', async (original) => {
  const { testRules } = await import('./testing/test-rules.ts');
  return { ...(await original<object>()), catalogue: testRules };
});

const pool = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
const another = "import { Pool } from 'pg';\nexport const other = new Pool({ max: 1 });\n";

const check = (cwd: string, ...argv: readonly string[]) => run(cwd, ['-f', 'compact', '--baseline', 'baseline.json', ...argv]);

async function adopted(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = temporaryFolder(files);
  await check(cwd, '--update-baseline');
  return cwd;
}

describe('a baseline', () => {
  test('takes what is there', async () => {
    const cwd = temporaryFolder({ 'src/a.ts': pool });
    expect(await check(cwd, '--update-baseline')).toEqual({
      status: 0,
      out: 'no findings in 1 file, 1 suppressed\n',
      err: 'poolcheck: 1 finding in baseline.json\n',
    });
    expect(JSON.parse(readFileSync(join(cwd, 'baseline.json'), 'utf8'))).toEqual({
      schema: 1,
      findings: [{ rule: 'no-pool', file: 'src/a.ts', fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) }],
    });
    expect(await check(cwd)).toEqual({ status: 0, out: 'no findings in 1 file, 1 suppressed\n', err: '' });
  });

  test('lets nothing new through', async () => {
    const cwd = await adopted({ 'a.ts': pool });
    writeFileSync(join(cwd, 'b.ts'), another);
    const { status, out } = await check(cwd);
    expect(status).toBe(1);
    expect(out).toContain('b.ts:2:22: error');
    expect(out).not.toContain('a.ts:2');
  });

  test('knows a fault that moves', async () => {
    const cwd = await adopted({ 'a.ts': pool });
    writeFileSync(join(cwd, 'a.ts'), `// A line more.\n\n${pool}`);
    expect(await check(cwd)).toMatchObject({ status: 0, err: '' });
  });

  test('counts equal faults: one more is new', async () => {
    const cwd = await adopted({ 'a.ts': pool });
    writeFileSync(join(cwd, 'a.ts'), `${pool}export const second = new Pool();\n`);
    expect((await check(cwd)).out).toContain('1 error in 1 file, 1 suppressed');
  });

  test('says what is gone, and forgets it when it is updated', async () => {
    const cwd = await adopted({ 'a.ts': pool, 'b.ts': another });
    rmSync(join(cwd, 'b.ts'));
    expect(await check(cwd)).toMatchObject({
      status: 0,
      err: 'poolcheck: 1 finding of baseline.json is gone: --update-baseline takes them out\n',
    });
    await check(cwd, '--update-baseline');
    expect(await check(cwd)).toMatchObject({ status: 0, err: '' });
  });

  test('keeps what was not analysed this time', async () => {
    const cwd = await adopted({ 'x/poolcheck.yaml': '', 'x/a.ts': pool, 'y/poolcheck.yaml': '', 'y/b.ts': another });
    await check(cwd, '--update-baseline', 'x', 'y');
    expect(await check(cwd, 'x')).toMatchObject({ status: 0, err: '' });
    await check(cwd, '--update-baseline', 'x');
    expect(await check(cwd, 'x', 'y')).toMatchObject({ status: 0, err: '' });
  });

  test('leaves suppressed findings to their comments', async () => {
    const cwd = await adopted({ 'a.ts': pool.replace('\n', '\n// poolcheck-disable-next-line no-pool -- a test\n') });
    expect(JSON.parse(readFileSync(join(cwd, 'baseline.json'), 'utf8'))).toEqual({ schema: 1, findings: [] });
  });

  test('is external in SARIF, a comment is not', async () => {
    const cwd = await adopted({ 'a.ts': pool, 'b.ts': another.replace('\n', '\n// poolcheck-disable-next-line no-pool -- a test\n') });
    const { out } = await run(cwd, ['-f', 'sarif', '--baseline', 'baseline.json']);
    expect(JSON.parse(out)).toMatchObject({
      runs: [{ results: [{ suppressions: [{ kind: 'external' }] }, { suppressions: [{ kind: 'inSource', justification: 'a test' }] }] }],
    });
  });
});

describe('what the user has to put right', () => {
  test.each([
    [undefined, 'baseline.json: cannot be read: there is no such file or folder; --update-baseline writes it'],
    ['{', 'baseline.json: not JSON'],
    ['[]', '"schema" must be 1'],
    ['{"schema": 2, "findings": []}', '"schema" must be 1'],
    ['{"schema": 1, "findings": [{"rule": "no-pool"}]}', '"findings" must be a list of {rule, file, fingerprint}'],
  ])('%s', async (content, message) => {
    const cwd = temporaryFolder({ 'a.ts': pool, ...(content !== undefined && { 'baseline.json': content }) });
    const { status, out, err } = await check(cwd);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(message);
  });

  test('--update-baseline alone', async () => {
    expect(await run(temporaryFolder({ 'a.ts': pool }), ['--update-baseline'])).toEqual({
      status: 2,
      out: '',
      err: 'error: --update-baseline needs --baseline <file>\n',
    });
  });
});
