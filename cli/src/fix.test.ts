import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { fix } from './fix.ts';
import { lint } from './lint.ts';
import { run } from './testing/run.ts';

/** What is between taking and `try` belongs into it: a safe fix. */
function transfer(name: string): string {
  return `
export async function ${name}() {
  const client = await pool.connect();
  await client.query('BEGIN');
  try {
    await client.query('UPDATE t SET n = 1');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
`;
}

const head = "import { Pool } from 'pg';\nconst pool = new Pool({ connectionString: 'postgres://app:hunter2@db/shop' });\n";
const source = head + transfer('first') + transfer('second');
const warnings = ['-f', 'compact', '--min-severity', 'warning'];

function read(cwd: string, path: string): string {
  return readFileSync(join(cwd, path), 'utf8');
}

describe('--fix', () => {
  test('mends every fault that it can mend, and shows what is left', async () => {
    const cwd = temporaryFolder({ 'a.ts': source, 'b.ts': head + transfer('third') });
    const { out, err } = await run(cwd, ['--fix', ...warnings]);
    expect(err).toBe('poolcheck: 3 fixes made in 2 files\n');
    expect(out).not.toContain('release-in-finally');
    expect(read(cwd, 'a.ts').match(/try \{\n {4}await client.query\('BEGIN'\);/g)).toHaveLength(2);
    expect((await run(cwd, ['--fix', ...warnings])).err).toBe('poolcheck: there is nothing to mend by itself\n');
  });

  test('leaves alone what was not named, what is suppressed, and what is in the baseline', async () => {
    const suppressed =
      head + transfer('quiet').replace('  const client', '  // poolcheck-disable-next-line release-in-finally -- a test\n  const client');
    const cwd = temporaryFolder({ 'poolcheck.yaml': '', 'a.ts': source, 'named/b.ts': suppressed });
    await run(cwd, ['--fix', 'named', ...warnings]);
    expect([read(cwd, 'a.ts'), read(cwd, 'named/b.ts')]).toEqual([source, suppressed]);
    await run(cwd, ['--baseline', 'baseline.json', '--update-baseline', ...warnings]);
    await run(cwd, ['--fix', '--baseline', 'baseline.json', ...warnings]);
    expect(read(cwd, 'a.ts')).toBe(source);
  });

  test('takes a path behind it for a path', async () => {
    const cwd = temporaryFolder({ 'a.ts': source });
    expect((await run(cwd, [...warnings, '--fix', 'a.ts'])).err).toBe('poolcheck: 2 fixes made in 1 file\n');
  });

  test('keeps line breaks, the byte-order mark and permissions', async () => {
    const cwd = temporaryFolder({ 'a.ts': `\uFEFF${source.replaceAll('\n', '\r\n')}` });
    chmodSync(join(cwd, 'a.ts'), 0o750);
    await run(cwd, ['--fix', ...warnings]);
    const after = read(cwd, 'a.ts');
    expect(after.startsWith('\uFEFFimport')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(after).toContain("try {\r\n    await client.query('BEGIN');\r\n");
    expect(statSync(join(cwd, 'a.ts')).mode & 0o777).toBe(0o750);
  });

  test('writes to the file behind a link inside of the root, once', async () => {
    const cwd = temporaryFolder({ 'src/a.ts': source });
    symlinkSync('src/a.ts', join(cwd, 'link.ts'));
    await run(cwd, ['--fix', ...warnings]);
    expect(read(cwd, 'link.ts')).toBe(read(cwd, 'src/a.ts'));
    expect(read(cwd, 'src/a.ts').match(/BEGIN/g)).toHaveLength(2);
  });

  test('leaves a file alone that is not UTF-8', async () => {
    const cwd = temporaryFolder({ 'a.ts': '' });
    const bytes = Buffer.from(`${source}// caf\xe9\n`, 'latin1');
    writeFileSync(join(cwd, 'a.ts'), bytes);
    expect((await run(cwd, ['--fix', ...warnings])).err).toContain('a.ts was left alone: it has changed, or is not UTF-8');
    expect(readFileSync(join(cwd, 'a.ts')).equals(bytes)).toBe(true);
  });
});

describe('--fix-dry-run', () => {
  test('prints a patch that git applies, and changes nothing', async () => {
    const cwd = temporaryFolder({ 'src/a.ts': source.replace(':hunter2', '') });
    const before = read(cwd, 'src/a.ts');
    const { status, out } = await run(cwd, ['--fix-dry-run', ...warnings]);
    expect(status).toBe(1);
    expect(read(cwd, 'src/a.ts')).toBe(before);
    mkdirSync(join(cwd, '.git'));
    execFileSync('git', ['init', '-q'], { cwd });
    execFileSync('git', ['apply'], { cwd, input: out });
    const patched = read(cwd, 'src/a.ts');
    expect(patched).not.toBe(before);
    writeFileSync(join(cwd, 'src/a.ts'), before);
    await run(cwd, ['--fix', ...warnings]);
    expect(patched).toBe(read(cwd, 'src/a.ts'));
  });

  test('holds no secret', async () => {
    const { out } = await run(temporaryFolder({ 'a.ts': source }), ['--fix-dry-run', ...warnings]);
    expect(out).toContain('@@');
    expect(out).not.toContain('hunter2');
  });

  test('0: nothing to mend', async () => {
    expect(await run(temporaryFolder({ 'a.ts': 'export {};\n' }), ['--fix-dry-run'])).toEqual({ status: 0, out: '', err: '' });
  });
});

test('a file that a fix would break keeps its faults, others are mended', () => {
  const cwd = temporaryFolder({ 'a.ts': source, 'b.ts': head + transfer('third') });
  const request = { paths: ['.'], config: undefined, rules: new Map(), cwd, env: {}, onRead: () => undefined, typesIn: undefined };
  const view = { minSeverity: 'warning', known: [] } as const;
  const breaking = (contents: ReadonlyMap<string, string>) =>
    lint({
      ...request,
      contents: new Map([...contents].map(([path, content]) => [path, path.endsWith('b.ts') ? `${content}(((` : content])),
    });
  const { contents, made } = fix(lint(request), 'safe', view, breaking);
  expect([...contents.keys()].map((path) => path.slice(cwd.length + 1))).toEqual(['a.ts']);
  expect(made).toBe(2);
});
