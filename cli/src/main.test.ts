import { chmodSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { asOrdinaryUser } from '@poolcheck/rules/testing/as-ordinary-user';
import { run } from './testing/run.ts';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';

vi.mock('@poolcheck/rules/catalogue', async (original) => {
  const { testRules } = await import('./testing/test-rules.ts');
  return { ...(await original<object>()), catalogue: testRules };
});

const pool = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
const client = "import { Client } from 'pg';\nexport const client = new Client();\n";
const ini = '[databases]\n* = host=db\n[pgbouncer]\nlisten_port = 6432\n';

interface Shown {
  readonly rule: string;
  readonly severity: string;
  readonly file: string;
  readonly range: { readonly start: { readonly line: number; readonly column: number } };
  readonly suppressed?: { readonly reason: string };
}

async function check(cwd: string, argv: readonly string[] = []) {
  const { status, out, err } = await run(cwd, ['--format', 'json', ...argv]);
  const report = JSON.parse(out) as { findings: readonly Shown[]; problems: readonly { file: string; message: string }[] };
  return {
    status,
    err,
    findings: report.findings.map(
      ({ rule, file, range, suppressed }) => `${rule} ${file}:${range.start.line}${suppressed ? ` (${suppressed.reason})` : ''}`,
    ),
    problems: report.problems.map(({ file, message }) => `${file} ${message}`),
    severities: report.findings.map(({ severity }) => severity),
  };
}

describe('the exit status', () => {
  test('0: nothing at or above the failing severity', async () => {
    const root = temporaryFolder({ 'pgbouncer.ini': ini });
    expect(await check(root)).toMatchObject({ status: 0, findings: ['no-pgbouncer pgbouncer.ini:3'] });
  });

  test('1: findings', async () => {
    const root = temporaryFolder({ 'a.ts': pool });
    expect(await check(root)).toMatchObject({ status: 1, findings: ['no-pool a.ts:2'] });
  });

  test.each([
    ['never', 'a.ts', pool, 0],
    ['error', 'a.ts', client, 0],
    ['warning', 'pgbouncer.ini', ini, 1],
    ['warning', 'a.ts', client, 0],
    ['info', 'a.ts', client, 1],
    ['problem', 'a.ts', client, 0],
    ['problem', 'a.ts', `${client}(`, 1],
    ['problem', 'a.ts', pool, 1],
  ])('--fail-on %s, %s %j: %i', async (failOn, path, content, status) => {
    expect(await run(temporaryFolder({ [path]: content }), ['--fail-on', failOn])).toMatchObject({ status });
  });

  test.each([
    [['--nonsense'], "unknown option '--nonsense'"],
    [['--format', 'xml'], 'Formats are pretty, compact, agent, json, sarif, github, gitlab, junit, rdjson, markdown.'],
    [['--format', 'jsn'], 'Did you mean "json"?'],
    [['--format', 'json', '--format', 'pretty'], 'Nothing can be printed beside json: write --format json=FILE.'],
    [['--format', 'json=no/such/folder.json'], 'poolcheck: no/such/folder.json: cannot be written: there is no such file or folder'],
    [['--max-warnings', '-1'], 'Write a whole number.'],
    [['--fail-on', 'always'], 'Allowed choices are'],
    [['--rule', 'no-pool'], 'Write id=level, where level is off, info, warning, error.'],
    [['--rule', 'no-pool=fatal'], 'Write id=level'],
    [['--rule', 'no-pol=off'], 'poolcheck: there is no rule "no-pol". Did you mean "no-pool"?'],
    [['--explain', 'no-pol'], 'poolcheck: there is no rule "no-pol". Did you mean "no-pool"?'],
    [['missing.ts'], 'poolcheck: missing.ts: cannot be read: there is no such file or folder'],
    [['--config', 'missing.yaml'], 'poolcheck: missing.yaml: cannot be read: there is no such file or folder'],
    [['--config', '.'], 'poolcheck: .: not a regular file'],
  ])('2: %j', async (argv, message) => {
    const { status, out, err } = await run(temporaryFolder({ 'a.ts': pool }), argv);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(message);
  });

  test('2: a configuration with a mistake', async () => {
    const cwd = temporaryFolder({ 'shop/poolcheck.yaml': 'rules:\n  no-pol: off\n', 'shop/a.ts': pool });
    expect(await run(cwd, ['shop'])).toEqual({
      status: 2,
      out: '',
      err: 'poolcheck: shop/poolcheck.yaml:2:3: unknown rule "no-pol". Did you mean "no-pool"?\n',
    });
  });

  test('2, and not as the fault of the user: a bug', async () => {
    const cwd = temporaryFolder({ 'a.ts': pool });
    const { status, err } = await run(
      cwd,
      [],
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('oops\x1b[31m');
          },
        },
      ),
    );
    expect(status).toBe(2);
    expect(err).toMatch(/^poolcheck: this is a bug in poolcheck; please report it, with this:\nError: oops␛\[31m\n {4}at /);
  });

  test('3: nothing to check in a folder that was named', async () => {
    const cwd = temporaryFolder({ 'docs/README.md': '# Hello\n', 'poolcheck.yaml': '', 'src/a.ts': client });
    expect(await check(cwd, ['docs'])).toMatchObject({ status: 3, err: 'poolcheck: nothing to check was found in docs\n' });
    expect(await check(cwd, ['docs/README.md'])).toMatchObject({ status: 0, err: '' });
    expect(await check(cwd)).toMatchObject({ status: 0, err: '' });
    expect(await check(temporaryFolder({}))).toMatchObject({ status: 3, err: 'poolcheck: nothing to check was found in .\n' });
  });
});

describe('several reports of one run', () => {
  test('some printed, some written', async () => {
    const cwd = temporaryFolder({ 'a.ts': pool });
    const { status, out } = await run(cwd, ['--format', 'sarif=out.sarif', '-f', 'compact', '--format', 'github', '-f', 'junit=tests.xml']);
    expect(status).toBe(1);
    expect(out).toBe(
      'a.ts:2:21: error: A pool is made here. [no-pool]\n1 error in 1 file\n::error file=a.ts,line=2,endLine=2,col=21,endColumn=30,title=poolcheck%3A no-pool::A pool is made here.\n',
    );
    expect(JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8'))).toMatchObject({ runs: [{ results: [{ ruleId: 'no-pool' }] }] });
    expect(readFileSync(join(cwd, 'tests.xml'), 'utf8')).toContain('<testcase name="no-pool a.ts:2:21"');
  });
});

describe('how mild a finding may be', () => {
  const files = { 'a.ts': pool, 'pgbouncer.ini': ini, 'b.ts': client };

  test.each([
    ['error', ['no-pool a.ts:2']],
    ['warning', ['no-pool a.ts:2', 'no-pgbouncer pgbouncer.ini:3']],
    ['info', ['no-pool a.ts:2', 'no-client b.ts:2', 'no-pgbouncer pgbouncer.ini:3']],
  ])('--min-severity %s', async (least, expected) => {
    expect((await check(temporaryFolder(files), ['--min-severity', least])).findings).toEqual(expected);
  });

  test('what is left out does not fail', async () => {
    const argv = ['--min-severity', 'warning', '--fail-on', 'info'];
    expect((await check(temporaryFolder({ 'b.ts': client }), argv)).status).toBe(0);
  });

  test('--max-warnings', async () => {
    const cwd = temporaryFolder({ 'pgbouncer.ini': ini });
    expect((await check(cwd, ['--max-warnings', '1'])).status).toBe(0);
    expect((await check(cwd, ['--max-warnings', '0'])).status).toBe(1);
  });
});

describe('overrides', () => {
  const overrides = (yaml: string) => ({ 'poolcheck.yaml': yaml, 'legacy/deep/a.ts': pool, 'b.ts': pool });

  test('hold in their files alone', async () => {
    const cwd = temporaryFolder(overrides('overrides:\n  - files: [legacy/]\n    rules: { no-pool: off }\n'));
    expect((await check(cwd)).findings).toEqual(['no-pool b.ts:2']);
  });

  test('turn on what is off elsewhere', async () => {
    const cwd = temporaryFolder(
      overrides('rules: { no-pool: off }\noverrides:\n  - files: ["*.ts", "!b.ts"]\n    rules: { no-pool: info }\n'),
    );
    expect(await check(cwd)).toMatchObject({ findings: ['no-pool legacy/deep/a.ts:2'], severities: ['info'] });
  });

  test('the last one that names a rule holds, and the command line over all', async () => {
    const yaml =
      'overrides:\n  - files: [legacy]\n    rules: { no-pool: off }\n  - files: [legacy/deep]\n    rules: { no-pool: warning }\n';
    const cwd = temporaryFolder(overrides(yaml));
    expect((await check(cwd)).severities).toEqual(['error', 'warning']);
    expect((await check(cwd, ['--rule', 'no-pool=info'])).severities).toEqual(['info', 'info']);
  });

  test('a comment for a rule that is off there is not unused', async () => {
    const commented = pool.replace('\n', '\n// poolcheck-disable-next-line no-pool -- a test\n');
    const cwd = temporaryFolder({ 'poolcheck.yaml': 'overrides: [{ files: [a.ts], rules: { no-pool: off } }]\n', 'a.ts': commented });
    expect((await check(cwd)).problems).toEqual([]);
  });
});

test('a comment needs no reason where that is said', async () => {
  const commented = pool.replace('\n', '\n// poolcheck-disable-next-line no-pool\n');
  const cwd = temporaryFolder({ 'a.ts': commented });
  expect((await check(cwd)).status).toBe(1);
  writeFileSync(join(cwd, 'poolcheck.yaml'), 'suppressions: { reason: optional }\n');
  expect(await check(cwd)).toMatchObject({ status: 0, problems: [] });
});

describe('what is shown', () => {
  test('paths choose the findings, the whole root is analysed', async () => {
    const cwd = temporaryFolder({ 'poolcheck.yaml': '', 'a/a.ts': pool, 'b/b.ts': pool, 'b/pgbouncer.ini': ini });
    expect((await check(cwd, ['b'])).findings).toEqual(['no-pool b/b.ts:2', 'no-pgbouncer b/pgbouncer.ini:3']);
    expect((await check(cwd, ['a/a.ts'])).findings).toEqual(['no-pool a/a.ts:2']);
    expect((await check(join(cwd, 'a'))).findings).toEqual(['no-pool a.ts:2']);
    expect((await check(join(cwd, 'a'), ['..'])).findings).toHaveLength(3);
  });

  test('several roots at once', async () => {
    const cwd = temporaryFolder({ 'a/a.ts': pool, 'b/b.ts': pool });
    expect((await check(cwd, ['a', 'b'])).findings).toEqual(['no-pool a/a.ts:2', 'no-pool b/b.ts:2']);
  });

  test('paths are from the working directory, or from the repository where a service shows them', async () => {
    const top = temporaryFolder({ 'services/shop/a.ts': pool });
    mkdirSync(join(top, '.git'));
    const cwd = join(top, 'services');
    expect((await check(cwd, ['shop'])).findings).toEqual(['no-pool shop/a.ts:2']);
    for (const format of ['github', 'sarif', 'markdown']) {
      expect((await run(cwd, ['shop', '--format', format])).out).toContain('services/shop/a.ts');
    }
  });

  test('a file and a link to it are one, and so are the comments in it', async () => {
    const cwd = temporaryFolder({ 'conf/pgbouncer.ini': ini });
    symlinkSync('conf/pgbouncer.ini', join(cwd, 'another.ini'));
    expect((await check(cwd)).findings).toHaveLength(1);
    writeFileSync(join(cwd, 'conf/pgbouncer.ini'), ini.replace('[pgb', '; poolcheck-disable-next-line no-pgbouncer -- ours\n[pgb'));
    expect(await check(cwd)).toMatchObject({ findings: [expect.stringContaining('(ours)')], problems: [] });
  });

  test('suppressed findings stay in JSON and do not count', async () => {
    const cwd = temporaryFolder({ 'a.ts': pool.replace('\n', '\n// poolcheck-disable-next-line no-pool -- a test\n') });
    expect(await check(cwd)).toMatchObject({ status: 0, findings: ['no-pool a.ts:3 (a test)'], problems: [] });
    expect((await run(cwd, [])).out).toBe('✔ no findings in 1 file, 1 suppressed\n');
  });

  test('a suppression of nothing is a problem', async () => {
    const cwd = temporaryFolder({ 'a.ts': client.replace('\n', '\n// poolcheck-disable-next-line no-pool -- a test\n') });
    expect((await check(cwd)).problems).toEqual(['a.ts this comment suppresses nothing: no-pool has no finding here']);
    expect((await check(cwd, ['--rule', 'no-pool=off'])).problems).toEqual([]);
  });
});

describe('severities', () => {
  test('come from the configuration, and before it from the command line', async () => {
    const cwd = temporaryFolder({ 'poolcheck.yaml': 'rules: { no-pool: info, no-pgbouncer: off }\n', 'a.ts': pool, 'pgbouncer.ini': ini });
    expect(await check(cwd)).toMatchObject({ status: 0, severities: ['info'] });
    expect(await check(cwd, ['--rule', 'no-pool=warning', '--rule', 'no-pgbouncer=error'])).toMatchObject({
      severities: ['warning', 'error'],
    });
  });

  test('--config takes the place of the configuration of the root', async () => {
    const cwd = temporaryFolder({
      'poolcheck.yaml': 'rules: { no-pool: off }\n',
      'ci.yaml': 'ignore: [legacy/]\n',
      'a.ts': pool,
      'legacy/b.ts': pool,
    });
    expect((await check(cwd, ['--config', 'ci.yaml'])).findings).toEqual(['no-pool a.ts:2']);
  });
});

describe('broken input is said and keeps nothing else from being checked', () => {
  async function checkBeside(prepare: (root: string) => void) {
    const root = temporaryFolder({ 'good.ts': pool });
    prepare(root);
    const { findings, problems } = await check(root);
    expect(findings).toContain('no-pool good.ts:2');
    return problems;
  }

  test.each([
    ['a truncated file', 'cut.ts', "import { Pool } from 'pg';\nexport const pool = new Pool({ max: "],
    ['a truncated manifest', 'cut.yaml', 'apiVersion: apps/v1\nkind: Deployment\nspec: { template: [\n'],
    ['a deep manifest', 'deep.yaml', `apiVersion: v1\nkind: ConfigMap\na: ${'['.repeat(50_000)}`],
    ['deep source', 'deep.ts', `import 'pg';\n${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a cycle of includes', 'pgbouncer.ini', '%include pgbouncer.ini\n[databases]\n* = host=db\n[pgbouncer]\n%include other.ini\n'],
  ])('%s', async (_, path, content) => {
    const problems = await checkBeside((root) => writeFileSync(join(root, path), content));
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toContain(`${path} `);
  });

  test('an alias bomb', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}*a${i}]`);
    await checkBeside((root) =>
      writeFileSync(join(root, 'bomb.yaml'), `apiVersion: v1\nkind: ConfigMap\na0: &a0 [x]\n${lines.join('\n')}\n`),
    );
  });

  test('a binary file, invalid UTF-8, 50 MB, a link out of the root, a FIFO', async () => {
    const outside = temporaryFolder({ 'secret.ini': ini });
    const problems = await checkBeside((root) => {
      writeFileSync(join(root, 'binary.ts'), Buffer.from([0x00, 0x01, 0xff]));
      writeFileSync(join(root, 'latin1.ts'), Buffer.from(`${client}// caf\xe9\n`, 'latin1'));
      writeFileSync(join(root, 'giant.ts'), '');
      truncateSync(join(root, 'giant.ts'), 50_000_000);
      symlinkSync(join(outside, 'secret.ini'), join(root, 'pgbouncer.ini'));
    });
    expect(problems).toEqual([
      'binary.ts binary file, not text',
      'giant.ts too large to be checked (47.7 MiB; the limit is 2 MiB)',
      'latin1.ts not valid UTF-8 (line 3): the bytes that are not were read as \uFFFD',
      'pgbouncer.ini link out of the root, which is not followed',
    ]);
  });

  test('a folder that cannot be looked into', async () => {
    const root = temporaryFolder({ 'good.ts': pool, 'closed/a.ts': pool });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed'), 0o000);
    const { findings, problems } = await asOrdinaryUser(() => check(root));
    chmodSync(join(root, 'closed'), 0o755);
    expect(findings).toEqual(['no-pool good.ts:2']);
    expect(problems).toEqual(['closed cannot be looked into: permission denied']);
  });
});

describe('words about itself', () => {
  test('--version', async () => expect(await run('/', ['--version'])).toEqual({ status: 0, out: `${packageJson.version}\n`, err: '' }));

  test('--help names every option and every exit status', async () => {
    const { status, out } = await run('/', ['--help']);
    expect(status).toBe(0);
    for (const word of ['--format', '--config', '--rule', '--fail-on', '--list-rules', '--explain', '--no-color', 'Exit status:\n  0  '])
      expect(out).toContain(word);
  });

  test('--list-rules', async () => {
    expect((await run('/', ['--list-rules'])).out).toBe(
      'error    no-pool       A pool is made.\nwarning  no-pgbouncer  PgBouncer is configured.\ninfo     no-client     A client is made.\n',
    );
  });

  test('--explain, for a rule without a page', async () =>
    expect((await run('/', ['--explain', 'no-pool'])).out).toBe('A pool is made.\n'));
});

describe('colours', () => {
  test.each([
    [{}, [], false],
    [{ FORCE_COLOR: '1' }, [], true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [], true],
    [{ FORCE_COLOR: '0' }, [], false],
    [{ FORCE_COLOR: '1' }, ['--no-color'], false],
    [{ NO_COLOR: '1' }, [], false],
  ])('%j %j: %j', async (env, argv, painted) => {
    const { out } = await run(temporaryFolder({ 'a.ts': pool }), argv, env);
    expect(out.includes('\x1b[')).toBe(painted);
  });
});
