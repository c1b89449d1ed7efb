import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from './exit.ts';

/** What git tells of a repository. It runs in the repository's own folder only: a bare one that lies inside of it could execute commands. */
export class Git {
  readonly top: string;

  constructor(top: string) {
    this.top = top;
  }

  /** Where the history branched off from a commit, or that commit itself when git cannot tell; throws a UserError when there is none of the name. */
  branchedFrom(ref: string): string {
    const commit = this.#ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    if (commit === undefined) throw new UserError(`git knows no commit ${ref} in ${this.top}; a shallow clone has to fetch it first`);
    return this.#ask('merge-base', '--end-of-options', commit, 'HEAD') ?? commit;
  }

  /** The files that are not as they were at a commit, by absolute path, as they were then; undefined: not there. */
  before(commit: string): ReadonlyMap<string, string | undefined> {
    const changed = this.#fields(
      'diff',
      '--raw',
      '-z',
      '--no-abbrev',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=all',
      '--end-of-options',
      commit,
    );
    const contents = new Map<string, string | undefined>();
    for (let at = 0; at + 1 < changed.length; at += 2) {
      const [mode = '', , id = ''] = (changed[at] ?? '').slice(1).split(' ');
      // Links and submodules are no files.
      contents.set(join(this.top, changed[at + 1] ?? ''), mode.startsWith('100') ? this.#run('cat-file', 'blob', id) : undefined);
    }
    for (const path of this.#fields('ls-files', '-z', '--others', '--exclude-standard')) contents.set(join(this.top, path), undefined);
    return contents;
  }

  #fields(...args: readonly string[]): readonly string[] {
    return this.#run(...args)
      .split('\0')
      .filter((field) => field !== '');
  }

  /** What a command prints; undefined when it fails: what it asks for is not there. */
  #ask(...args: readonly string[]): string | undefined {
    try {
      return this.#run(...args).trim();
    } catch (error) {
      if (isStatus(error)) return undefined;
      throw error;
    }
  }

  /** What a command prints; a failure is never taken for nothing. */
  #run(...args: readonly string[]): string {
    if (!existsSync(join(this.top, '.git'))) throw new UserError(`${this.top} is not the folder of a git repository`);
    try {
      return execFileSync('git', ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false', ...args], {
        cwd: this.top,
        encoding: 'utf8',
        maxBuffer: 256 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw new UserError('git is not installed, and --since needs it');
      throw new UserError(`git ${args[0]} failed in ${this.top}: ${saidBy(error)}`, { cause: error });
    }
  }
}

function isStatus(error: unknown): boolean {
  return error instanceof UserError && error.cause instanceof Error && 'status' in error.cause && typeof error.cause.status === 'number';
}

function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'stderr' in error && typeof error.stderr === 'string' && error.stderr !== '' ? error.stderr.trim() : error.message;
}
