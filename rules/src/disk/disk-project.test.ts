import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asOrdinaryUser } from '../testing/as-ordinary-user.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openProject, type Named } from './disk-project.ts';
import { ignoreRules } from './ignore-file.ts';

function open(root: string, named: readonly Named[] = [], ignore: readonly string[] = []) {
  return openProject(root, { ignore: ignoreRules(ignore), named });
}

describe('which files are listed', () => {
  test('what is not ignored, sorted, at any depth', () => {
    const root = temporaryFolder({ 'b.ts': '', 'a/z.ts': '', 'a/b/c.yaml': '', '.env': '' });
    expect(open(root).list()).toEqual(['.env', 'a/b/c.yaml', 'a/z.ts', 'b.ts']);
  });

  test('nested .gitignore files, the nearest deciding, and .git/info/exclude', () => {
    const root = temporaryFolder({
      '.gitignore': '*.log\nout/\n',
      '.git/info/exclude': 'local.yaml\n',
      'a/.gitignore': '!kept.log\n/only-here.ts\n',
      'a/kept.log': '',
      'a/only-here.ts': '',
      'a/b/only-here.ts': '',
      'a/out/x.ts': '',
      'a/local.yaml': '',
      'b.log': '',
    });
    expect(open(root).list()).toEqual(['.gitignore', 'a/.gitignore', 'a/b/only-here.ts', 'a/kept.log']);
  });

  test("other people's code and generated files are left out", () => {
    const root = temporaryFolder({
      'node_modules/pg/index.js': '',
      'packages/a/node_modules/x.js': '',
      '.next/server.js': '',
      'jquery.min.js': '',
      'go/go.mod': '',
      'go/vendor/x.ts': '',
      'src/vendor/vendor.ts': '',
    });
    expect(open(root).list()).toEqual(['go/go.mod', 'src/vendor/vendor.ts']);
  });

  test("the user's own patterns win over a .gitignore that takes back", () => {
    const root = temporaryFolder({ '.gitignore': '!legacy\n', 'legacy/a.ts': '', 'a.ts': '' });
    expect(open(root, [], ['legacy']).list()).toEqual(['.gitignore', 'a.ts']);
  });

  test('what is named wins over every ignore', () => {
    const root = temporaryFolder({
      '.gitignore': 'dist/\nsecret.ts\n',
      'dist/a.ts': '',
      'node_modules/x/b.ts': '',
      'secret.ts': '',
      'other/secret.ts': '',
    });
    const named = [
      { path: 'dist', isFolder: true },
      { path: 'node_modules/x', isFolder: true },
      { path: 'secret.ts', isFolder: false },
    ];
    expect(open(root, named).list()).toEqual(['.gitignore', 'dist/a.ts', 'node_modules/x/b.ts', 'secret.ts']);
  });

  test('naming the root does not switch its ignores off', () => {
    const root = temporaryFolder({ '.gitignore': 'x.ts\n', 'x.ts': '' });
    expect(open(root, [{ path: '', isFolder: true }]).list()).toEqual(['.gitignore']);
  });
});

describe('what is read', () => {
  test('nothing outside the root, however it is called', () => {
    const outside = temporaryFolder({ 'secret.ini': 'password=1' });
    const root = temporaryFolder({ 'a.ts': 'a' });
    symlinkSync(join(outside, 'secret.ini'), join(root, 'pgbouncer.ini'));
    symlinkSync(outside, join(root, 'conf.d'));
    const project = open(root);
    expect(project.list()).toEqual(['a.ts', 'pgbouncer.ini']);
    for (const path of ['pgbouncer.ini', 'conf.d/secret.ini', '../x', join(outside, 'secret.ini'), 'a\0b', '']) {
      expect(project.readText(path)).toBeUndefined();
    }
    expect(project.readText('a.ts')).toBe('a');
    expect(project.problems()).toEqual([
      { path: 'conf.d', message: 'link out of the root, which is not followed' },
      { path: 'pgbouncer.ini', message: 'link out of the root, which is not followed' },
    ]);
  });

  test('a link to a file inside the root', () => {
    const root = temporaryFolder({ 'sites-available/shop.conf': 'server {}' });
    mkdirSync(join(root, 'sites-enabled'));
    symlinkSync('../sites-available/shop.conf', join(root, 'sites-enabled/shop.conf'));
    expect(open(root).readText('sites-enabled/shop.conf')).toBe('server {}');
  });

  test('neither FIFOs, nor links to themselves, nor folders', () => {
    const root = temporaryFolder({ 'folder/a.ts': '' });
    execFileSync('mkfifo', [join(root, 'fifo.ts')]);
    symlinkSync('loop.ts', join(root, 'loop.ts'));
    const project = open(root);
    for (const path of ['fifo.ts', 'loop.ts', 'folder', 'missing.ts', `${'x'.repeat(5000)}.ts`]) {
      expect(project.readText(path)).toBeUndefined();
    }
    expect(project.problems()).toEqual([
      { path: 'fifo.ts', message: 'not a regular file' },
      { path: 'loop.ts', message: 'cannot be read: its links lead nowhere' },
    ]);
  });

  test('no binary, no giant, and no minified file; the first two are said', () => {
    const root = temporaryFolder({ 'binary.ts': 'a\0b', 'giant.ts': '', 'bundle.js': 'x();'.repeat(10_000) });
    truncateSync(join(root, 'giant.ts'), 50 * 1024 * 1024);
    const project = open(root);
    expect(project.list().map((path) => project.readText(path))).toEqual([undefined, undefined, undefined]);
    expect(project.problems()).toEqual([
      { path: 'binary.ts', message: 'binary file, not text' },
      { path: 'giant.ts', message: 'too large to be checked (50 MiB; the limit is 2 MiB)' },
    ]);
  });

  test('a lockfile may be larger', () => {
    const line = '# nothing of interest\n';
    const root = temporaryFolder({ 'yarn.lock': line.repeat(200_000), 'giant/yarn.lock': '' });
    truncateSync(join(root, 'giant/yarn.lock'), 50 * 1024 * 1024);
    const project = open(root);
    expect(project.readText('yarn.lock')).toHaveLength(line.length * 200_000);
    expect(project.readText('giant/yarn.lock')).toBeUndefined();
    expect(project.problems()).toEqual([{ path: 'giant/yarn.lock', message: 'too large to be checked (50 MiB; the limit is 16 MiB)' }]);
  });

  test('invalid UTF-8 with a word about it, UTF-16 as it is', () => {
    const root = temporaryFolder({});
    writeFileSync(join(root, 'latin1.conf'), Buffer.from('# ok\n# caf\xe9\n', 'latin1'));
    writeFileSync(join(root, 'little.ts'), Buffer.from('\uFEFFlet é', 'utf16le'));
    writeFileSync(join(root, 'big.ts'), Buffer.from('\uFEFFlet é', 'utf16le').swap16());
    const project = open(root);
    expect(project.readText('latin1.conf')).toBe('# ok\n# caf\uFFFD\n');
    expect(project.readText('little.ts')).toBe('let é');
    expect(project.readText('big.ts')).toBe('let é');
    expect(project.problems()).toEqual([
      { path: 'latin1.conf', message: 'not valid UTF-8 (line 2): the bytes that are not were read as \uFFFD' },
    ]);
  });

  test('each file once', () => {
    const root = temporaryFolder({ 'a.ts': 'a' });
    const reads: string[] = [];
    const project = openProject(root, { ignore: () => undefined, named: [], onRead: (path) => reads.push(path) });
    project.readText('a.ts');
    project.readText('a.ts');
    expect(reads).toEqual(['a.ts']);
    expect([...project.texts()]).toEqual([['a.ts', 'a']]);
  });
});

describe('what cannot be looked into', () => {
  test('a folder and a file without permission', async () => {
    const root = temporaryFolder({ 'closed/a.ts': '', 'b.ts': '', 'c.ts': 'c' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed'), 0o000);
    chmodSync(join(root, 'b.ts'), 0o000);
    const project = await asOrdinaryUser(() => {
      const opened = open(root);
      opened.list().forEach((path) => opened.readText(path));
      return opened;
    });
    chmodSync(join(root, 'closed'), 0o755);
    expect(project.readText('c.ts')).toBe('c');
    expect(project.problems()).toEqual([
      { path: 'closed', message: 'cannot be looked into: permission denied' },
      { path: 'b.ts', message: 'cannot be read: permission denied' },
    ]);
  });

  test('a tree that is too deep', () => {
    const root = temporaryFolder({ [`${'d/'.repeat(70)}a.ts`]: '', 'b.ts': '' });
    const project = open(root);
    expect(project.list()).toEqual(['b.ts']);
    expect(project.problems()[0]?.message).toBe('nested more than 64 folders deep: not looked into');
  });
});
