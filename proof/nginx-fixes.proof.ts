import { catalogue } from '@poolcheck/rules/catalogue';
import { check } from '@poolcheck/rules/check';
import type { Fix } from '@poolcheck/rules/finding';
import { projectOf } from '@poolcheck/rules/project';
import { fixtureCases, type FixtureCase } from '@poolcheck/rules/testing/rule-fixtures';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../cli/src/output/diff.ts';
import { newerNginx, type Command } from './newer.ts';
import { installed, privateFolder } from './process.ts';

const folder = privateFolder();

interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const cases = fixtureCases().filter(({ kind, files }) => kind === 'bad' && Object.keys(files).some((file) => file.endsWith('.conf')));

/** What the fixes of a case make of the nginx files that they touch. */
function changesOf({ rule, name, files }: FixtureCase): readonly Change[] {
  const severities = new Map(catalogue.filter(({ id }) => id !== rule).map(({ id }) => [id, 'off'] as const));
  const { findings } = check(projectOf(files), { severities });
  return findings.flatMap(({ fixes }) => fixes.flatMap((fix) => changesBy(fix, `${rule} ${name}: ${fix.title}`)));
}

function changesBy({ edits }: Fix, name: string): readonly Change[] {
  const texts = [...new Set(edits.map(({ text }) => text))].filter(({ path: file }) => file.endsWith('.conf'));
  return texts.map((text) => {
    const after = applyEdits(
      text,
      edits.filter((edit) => edit.text === text),
    );
    if (after === undefined) throw new Error(`${name}: edits overlap`);
    return { name, before: text.content, after };
  });
}

const changes = cases.flatMap(changesOf);

test('there are fixes of nginx files', () => expect(changes.length).toBeGreaterThan(20));

describe.each([
  ['the installed nginx', [installed('nginx', 'nginx-light')] as Command],
  ['a newer nginx', newerNginx()],
])('%s', (_, nginx) => {
  const accepted = changes.filter(({ before }) => complaintOf(nginx, before) === '');

  test('takes most of them as they were', () => expect(accepted.length).toBeGreaterThan(changes.length / 2));

  test.each(accepted.map((change) => [change.name, change] as const))('takes them as they are then: %s', (_name, { before, after }) => {
    expect(after).not.toBe(before);
    expect(complaintOf(nginx, after)).toBe('');
  });
});

/** What `nginx -t` says of a file, or of a part of one; names of other machines become this one. */
function complaintOf([program, ...args]: Command, config: string): string {
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, resolvable(/^\s*(events|http)\s*\{/m.test(config) ? config : `events {}\nhttp {\n${config}\n}\n`));
  const argv = [...args, '-t', '-q', '-p', folder, '-e', 'stderr', '-c', file, '-g', `pid ${folder}/pid;`];
  const { stderr, status } = spawnSync(program, argv, { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

function resolvable(config: string): string {
  const upstreams = new Set(Array.from(config.matchAll(/^\s*upstream\s+(\S+)/gm), ([, name]) => name));
  return config
    .replace(/(\bserver\s+)[a-z][\w.-]*(?=[\s:;])/g, '$1127.0.0.1')
    .replace(/(\w+_pass\s+(?:\w+:\/\/)?)([a-z][\w.-]*)/g, (whole, start: string, host: string) =>
      upstreams.has(host) ? whole : `${start}127.0.0.1`,
    );
}
