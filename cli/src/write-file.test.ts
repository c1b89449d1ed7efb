import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { writeFile } from './write-file.ts';

describe('a file that is written', () => {
  test('is there, and nothing beside it', () => {
    const folder = temporaryFolder({ 'a.json': 'old' });
    writeFile('a.json', 'new', folder);
    expect(readdirSync(folder)).toEqual(['a.json']);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('new');
  });

  test('keeps its permissions', () => {
    const folder = temporaryFolder({ 'run.ts': 'old' });
    chmodSync(join(folder, 'run.ts'), 0o755);
    writeFile('run.ts', 'new', folder);
    expect(statSync(join(folder, 'run.ts')).mode & 0o777).toBe(0o755);
  });

  test('replaces a link of the tree instead of following it', () => {
    const outside = temporaryFolder({ 'precious.txt': 'mine' });
    const folder = temporaryFolder({ 'other.ts': '' });
    symlinkSync(join(outside, 'precious.txt'), join(folder, 'out.sarif'));
    writeFile('out.sarif', 'report', folder);
    expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'out.sarif'), 'utf8')).toBe('report');
  });

  test('goes through no folder of the tree that leads out of it', () => {
    const outside = temporaryFolder({ 'precious.txt': 'mine' });
    const folder = temporaryFolder({ 'other.ts': '' });
    symlinkSync(outside, join(folder, 'reports'));
    expect(() => writeFile('reports/precious.txt', 'report', folder)).toThrow('link out of what is checked');
    expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('mine');
  });

  test('may lie where the user says, outside of the tree', () => {
    const outside = temporaryFolder({ 'a.txt': '' });
    writeFile(join(outside, 'b.txt'), 'report', temporaryFolder({ 'a.ts': '' }));
    expect(readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('report');
  });

  test('that cannot be written is the user’s to put right', () => {
    expect(() => writeFile('no/such/folder.txt', 'report', temporaryFolder({ 'a.ts': '' }))).toThrow(
      'no/such/folder.txt: cannot be written',
    );
  });
});
