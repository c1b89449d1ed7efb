import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseIgnoreFile } from './ignore-file.ts';

const lines = [
  '# a comment',
  '*.log',
  '!keep.log',
  '/root-only.ts',
  'dist/',
  'docs/*.txt',
  'deep/**/end',
  'all/**',
  '**/nested/x',
  'trailing   ',
  'escaped\\ ',
  '\\#hash',
  '\\!bang',
  'set[0-9].ts',
  'not[!a].ts',
  'open[a.ts',
  '',
  '/',
  '!',
];
const files = [
  'a.log',
  'keep.log',
  'sub/keep.log',
  'sub/b.log',
  'root-only.ts',
  'sub/root-only.ts',
  'sub/dist',
  'docs/a.txt',
  'sub/docs/a.txt',
  'docs/sub/a.txt',
  'deep/end',
  'deep/a/b/end',
  'all/a',
  'nested/x',
  'sub/nested/x',
  'trailing',
  'escaped ',
  '#hash',
  '!bang',
  'set5.ts',
  'setx.ts',
  'nota.ts',
  'notb.ts',
  'open[a.ts',
  'plain.ts',
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'poolcheck-ignore-'));
  execFileSync('git', ['init', '-q', folder]);
  writeFileSync(join(folder, '.gitignore'), lines.join('\n'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(files)('%j is ignored exactly when git ignores it', (file) => {
  expect(verdict(file)).toBe(gitIgnores(file) ? 'ignored' : 'kept');
});

test('a pattern for folders leaves files alone', () => {
  const rules = parseIgnoreFile('dist/\n');
  expect(rules('dist', true)).toBe('ignored');
  expect(rules('sub/dist', true)).toBe('ignored');
  expect(rules('dist', false)).toBeUndefined();
});

test('line ends of Windows and a byte-order mark do not count', () => {
  const rules = parseIgnoreFile('\uFEFFa.ts\r\nb.ts\r\n');
  expect(rules('a.ts', false)).toBe('ignored');
  expect(rules('b.ts', false)).toBe('ignored');
});

/** As the walk does: a file is ignored when it or a folder above it is. */
function verdict(file: string): 'ignored' | 'kept' {
  const rules = parseIgnoreFile(lines.join('\n'));
  const parts = file.split('/');
  const ignored = parts.some((_, index) => rules(parts.slice(0, index + 1).join('/'), index + 1 < parts.length) === 'ignored');
  return ignored ? 'ignored' : 'kept';
}

function gitIgnores(file: string): boolean {
  try {
    execFileSync('git', ['-C', folder, 'check-ignore', '-q', '--no-index', '--', `./${file}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
