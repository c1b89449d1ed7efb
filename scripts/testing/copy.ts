import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '@poolcheck/rules/testing/rule-fixtures';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';

const copied = ['parsers', 'rules', 'cli', 'docs', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts', '.prettierrc.json'];

/** A copy of this repository to change, which goes when the test ends. */
export function copyOfRepository(): string {
  const copy = temporaryFolder({});
  for (const name of copied) cpSync(join(repository, name), join(copy, name), { recursive: true, filter: isSource });
  const packages = join(copy, 'node_modules');
  mkdirSync(join(packages, '@poolcheck'), { recursive: true });
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (name !== '@poolcheck') symlinkSync(join(repository, 'node_modules', name), join(packages, name));
  }
  for (const name of ['parsers', 'rules']) symlinkSync(join(copy, name), join(packages, '@poolcheck', name));
  return copy;
}

function isSource(path: string): boolean {
  return !['node_modules', 'dist'].includes(basename(path));
}

export interface Ran {
  readonly status: number | null;
  readonly out: string;
}

/** Runs a TypeScript program of the copy. */
export function runIn(copy: string, program: string, ...argv: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', program, ...argv], { cwd: copy, encoding: 'utf8' });
  return { status, out: stdout + stderr };
}
