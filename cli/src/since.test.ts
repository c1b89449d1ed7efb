import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

function git(cwd: string, ...args: readonly string[]): string {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...settings, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A repository with one commit on main. */
function repository(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryFolder(files);
  git(cwd, 'init', '-q');
  commit(cwd);
  return cwd;
}

function commit(cwd: string): void {
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-q', '-m', 'x');
}

async function since(cwd: string, ref = 'main', ...argv: readonly string[]): Promise<readonly string[]> {
  const { out, err } = await run(cwd, ['-f', 'compact', '--since', ref, ...argv]);
  expect(err).toBe('');
  return out
    .split('\n')
    .filter((line) => / (error|warning): /.test(line))
    .map((line) => line.split(':').slice(0, 2).join(':'));
}

describe('--since', () => {
  test('shows what the change brought in: committed, changed, untracked', async () => {
    const cwd = repository({ 'a.ts': pool, 'old/b.ts': another, 'gone.ts': pool });
    git(cwd, 'switch', '-q', '-c', 'change');
    writeFileSync(join(cwd, 'committed.ts'), pool);
    rmSync(join(cwd, 'gone.ts'));
    commit(cwd);
    writeFileSync(join(cwd, 'a.ts'), `// moved\n\n${pool}export const second = new Pool({ max: 2 });\n`);
    writeFileSync(join(cwd, 'untracked.ts'), pool);
    expect(await since(cwd)).toEqual(['a.ts:5', 'committed.ts:2', 'untracked.ts:2']);
  });

  test('counts from where the history branched off, not from what came later', async () => {
    const cwd = repository({ 'a.ts': pool });
    git(cwd, 'switch', '-q', '-c', 'change');
    writeFileSync(join(cwd, 'b.ts'), another);
    commit(cwd);
    git(cwd, 'switch', '-q', 'main');
    writeFileSync(join(cwd, 'b.ts'), another);
    writeFileSync(join(cwd, 'later.txt'), 'later');
    commit(cwd);
    git(cwd, 'switch', '-q', 'change');
    expect(await since(cwd)).toEqual(['b.ts:2']);
  });

  test('shows what a change uncovers', async () => {
    const cwd = repository({ 'a.ts': pool.replace('\n', '\n// poolcheck-disable-next-line no-pool -- a test\n') });
    writeFileSync(join(cwd, 'a.ts'), pool);
    expect(await since(cwd)).toEqual(['a.ts:2']);
  });

  test('of a root below the repository, and of several', async () => {
    const cwd = repository({ 'x/poolcheck.yaml': '', 'x/a.ts': pool, 'y/poolcheck.yaml': '', 'y/b.ts': another });
    writeFileSync(join(cwd, 'x/new.ts'), another);
    expect(await since(cwd, 'HEAD', 'x', 'y')).toEqual(['x/new.ts:2']);
    expect(await since(join(cwd, 'x'), 'HEAD')).toEqual(['new.ts:2']);
  });

  test('a file that was a link was not there', async () => {
    const cwd = repository({ 'a.ts': pool });
    symlinkSync('a.ts', join(cwd, 'link.ts'));
    commit(cwd);
    rmSync(join(cwd, 'link.ts'));
    writeFileSync(join(cwd, 'link.ts'), another);
    expect(await since(cwd, 'HEAD')).toEqual(['link.ts:2']);
  });

  test('names of files are taken as they are', async () => {
    const cwd = repository({ 'ä ö\t"x".ts': pool });
    writeFileSync(join(cwd, 'ä ö\t"x".ts'), `${pool}// more\n`);
    expect(await since(cwd, 'HEAD')).toEqual([]);
  });

  test('no command of an embedded repository or of an option is run', async () => {
    const cwd = repository({ 'a.ts': pool });
    const mark = join(cwd, 'executed');
    git(cwd, 'config', 'core.fsmonitor', `touch ${mark}`);
    git(cwd, 'config', 'diff.external', `touch ${mark}`);
    mkdirSync(join(cwd, 'inner'));
    git(join(cwd, 'inner'), 'init', '-q', '--bare', '.');
    writeFileSync(join(cwd, 'inner/config'), `[core]\n\tbare = true\n\tfsmonitor = touch ${mark}\n`);
    await since(cwd, 'HEAD');
    const { status } = await run(cwd, ['--since', `--output=${mark}`]);
    expect(status).toBe(2);
    expect((await run(cwd, ['-f', 'compact', `--since=--output=${mark}`])).err).toContain('git knows no commit --output=');
    expect(() => execFileSync('test', ['-e', mark])).toThrow();
  });
});

describe('what the user has to put right', () => {
  test('a commit that is not there', async () => {
    const cwd = repository({ 'a.ts': pool });
    const { status, err } = await run(cwd, ['--since', 'nowhere']);
    expect(status).toBe(2);
    expect(err).toContain('git knows no commit nowhere');
  });

  test('a file of then that git does not have, instead of taking it for new', async () => {
    const cwd = repository({ 'a.ts': pool });
    const id = git(cwd, 'rev-parse', 'HEAD:a.ts').trim();
    writeFileSync(join(cwd, 'a.ts'), `// more\n${pool}`);
    rmSync(join(cwd, '.git/objects', id.slice(0, 2), id.slice(2)));
    const { status, out, err } = await run(cwd, ['--since', 'HEAD']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/git (diff|cat-file) failed/);
  });

  test('a repository that git cannot compare, instead of finding nothing new', async () => {
    const cwd = repository({ 'a.ts': pool });
    writeFileSync(join(cwd, '.git/index'), 'broken');
    const { status, err } = await run(cwd, ['--since', 'HEAD']);
    expect(status).toBe(2);
    expect(err).toContain('git diff failed');
  });

  test('no repository', async () => {
    const { status, err } = await run(temporaryFolder({ 'a.ts': pool }), ['--since', 'main']);
    expect(status).toBe(2);
    expect(err).toContain('is not the folder of a git repository');
  });
});
