import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@poolcheck/rules/testing/rule-fixtures';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readArguments } from '../cli/src/arguments.ts';
import packageJson from '../cli/package.json' with { type: 'json' };

const examples = readdirSync(join(repository, 'docs/ci')).map((name) => ({
  name,
  text: readFileSync(join(repository, 'docs/ci', name), 'utf8'),
}));

function textOf(name: string): string {
  return examples.find((each) => each.name === name)?.text ?? '';
}

describe.each(examples)('$name', ({ text }) => {
  test('is YAML', () => expect(parse(text)).toBeTypeOf('object'));

  test('installs this version exactly, and runs nothing out of the checkout', () => {
    const versions = [...text.matchAll(/poolcheck@([\w.^~-]+)/g)].map(([, version]) => version);
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) expect(version).toBe(packageJson.version);
    for (const [line] of text.matchAll(/^.*npm install.*$/gm)) expect(line).toContain('--ignore-scripts');
    expect(text.replace(/^\s*#.*$/gm, '')).not.toMatch(/\bnpx\b|\byarn\b|\bpnpm\b/);
  });

  test('asks for options that there are', () => {
    const commands = [...text.matchAll(/\.bin\/poolcheck"?((?:[^\n]|\\\n)*)|entry: poolcheck(.*)/g)].map(
      ([, run, entry]) => run ?? entry ?? '',
    );
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const words =
        command
          .replace(/\\\n/g, ' ')
          .replace(/\$\{BASE:\+(--since) "\$BASE"\}/, '$1 main')
          .match(/[^\s"]+/g) ?? [];
      const said: string[] = [];
      const options = readArguments(words, { out: (part) => said.push(part), err: (part) => said.push(part) });
      expect(said).toEqual([]);
      expect(options).toMatchObject({ command: 'check' });
    }
  });
});

describe('github.yml', () => {
  interface Step {
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }
  interface Workflow {
    readonly permissions: object;
    readonly jobs: Readonly<Record<string, { readonly permissions: object; readonly steps: readonly Step[] }>>;
  }
  const { permissions, jobs } = parse(textOf('github.yml')) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('pins actions to a commit, with the version beside it', () => {
    const uses = [...textOf('github.yml').matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('gives the token no more than it needs, and leaves none in the checkout', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job.permissions).toEqual({ contents: 'read', 'security-events': 'write' });
    expect(steps[0]?.with).toMatchObject({ 'persist-credentials': false });
  });

  test('puts nothing of the event into a script', () => {
    const scripts = steps.flatMap(({ run }) => run ?? []);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).not.toContain('${{');
  });
});
