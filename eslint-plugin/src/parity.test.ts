import { join } from 'node:path';
import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import { positionAt } from '@poolcheck/parsers/text';
import { catalogue } from '@poolcheck/rules/catalogue';
import { check } from '@poolcheck/rules/check';
import type { Finding, Fix } from '@poolcheck/rules/finding';
import { projectOf } from '@poolcheck/rules/project';
import { fixtureCases, type FixtureCase } from '@poolcheck/rules/testing/rule-fixtures';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import type { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from './index.ts';
import { hosts, type Host } from './testing/hosts.ts';

/** What a host and the command must agree on. */
interface Said {
  readonly at: readonly [line: number, column: number, endLine: number | undefined, endColumn: number | undefined];
  readonly message: string;
  readonly fixed: string | undefined;
  readonly suggested: readonly (readonly [title: string, content: string])[];
}

const cases = fixtureCases().filter(({ rule }) => Object.hasOwn(plugin.rules, rule));

describe.each(hosts)('$name says what the command says', (host) => {
  test.each(cases.filter((each) => isReadable(each, host)))('of $rule $name', (fixture) => {
    const root = temporaryFolder({ ...fixture.files, 'poolcheck.yaml': '' });
    for (const path of sources(fixture)) {
      expect(lint(host, fixture, root, path), path).toEqual(command(fixture).flatMap((finding) => saidOf(finding, path)));
    }
  });
});

function sources({ files }: FixtureCase): readonly string[] {
  return Object.keys(files).filter(isJavaScript);
}

function isReadable(fixture: FixtureCase, { readsTypes }: Host): boolean {
  return readsTypes || sources(fixture).every((path) => /\.[cm]?jsx?$/.test(path));
}

function lint(host: Host, { rule, files }: FixtureCase, root: string, path: string): readonly Said[] {
  const content = files[path] ?? '';
  const messages = host.lint(root, path, content, rule);
  return messages.map((message) => ({
    at: [message.line, message.column, message.endLine, message.endColumn],
    message: message.message,
    fixed: message.fix && applied(content, message.fix),
    suggested: (message.suggestions ?? []).map(({ desc, fix }) => [desc, applied(content, fix)]),
  }));
}

function applied(content: string, { range: [start, end], text }: NonNullable<Linter.LintMessage['fix']>): string {
  return content.slice(0, start) + text + content.slice(end);
}

function command({ rule, files }: FixtureCase): readonly Finding[] {
  const off = catalogue.filter(({ id }) => id !== rule).map(({ id }) => [id, 'off'] as const);
  return check(projectOf(files), { severities: new Map(off) }).findings;
}

function saidOf({ at: { text, range }, message, fixes }: Finding, path: string): readonly Said[] {
  if (text.path !== path) return [];
  const start = positionAt(text, range.start);
  const end = positionAt(text, range.end);
  const here = fixes.filter(({ edits }) => edits.every((edit) => edit.text === text));
  const safe = here.find((fix) => fix.safe);
  return [
    {
      at: [start.line, start.column, end.line, end.column],
      message,
      fixed: safe && mended(safe, text.content),
      suggested: here.filter((fix) => fix !== safe).map((fix) => [fix.title, mended(fix, text.content)]),
    },
  ];
}

function mended({ edits }: Fix, content: string): string {
  const fromTheEnd = edits.toSorted((a, b) => b.range.start - a.range.start);
  return fromTheEnd.reduce((text, { range, insert }) => text.slice(0, range.start) + insert + text.slice(range.end), content);
}
