import { textOf, type Place } from '@poolcheck/parsers/text';
import { catalogue } from '@poolcheck/rules/catalogue';
import { check } from '@poolcheck/rules/check';
import { configName } from '@poolcheck/rules/disk/root';
import type { Fix } from '@poolcheck/rules/finding';
import { projectOf } from '@poolcheck/rules/project';
import { fixtureCases, type FixtureCase } from '@poolcheck/rules/testing/rule-fixtures';
import { describe, expect, test } from 'vitest';
import { parseConfiguration } from './configuration.ts';
import { applyEdits } from './output/diff.ts';
import { json } from './output/json.ts';
import { pretty } from './output/pretty.ts';
import { presentable, type Report } from './report.ts';
import { ruleIds } from './rule-ids.ts';

type Files = FixtureCase['files'];

/** Checks files by one rule alone. */
function lint(files: Files, rule: string): Report {
  const severities = new Map(catalogue.filter(({ id }) => id !== rule).map(({ id }) => [id, 'off'] as const));
  const { wrappers, versions, databases } = parseConfiguration(textOf(configName, files[configName] ?? ''), configName, ruleIds);
  const result = check(projectOf(files), { severities, wrappers, versions, databases });
  return { ...presentable(result, (path) => path), files: result.files };
}

describe.each(fixtureCases())('$rule $name', ({ rule, kind, files, expected, hasExpected }) => {
  const report = lint(files, rule);

  if (kind === 'bad') {
    test('is found, and shown like this', async () => {
      expect(report.findings).not.toEqual([]);
      await expect(pretty(report, { color: false, columns: undefined })).toMatchFileSnapshot(expected);
    });
    test('is pointed at where it stands, in whole sentences', () => {
      for (const { at, message, related, fixes } of report.findings) {
        expect(at.range.end).toBeGreaterThan(at.range.start);
        for (const place of [at, ...related.map((step) => step.at), ...fixes.flatMap((fix) => fix.edits)]) expectInside(place, files);
        for (const text of [message, ...related.map((step) => step.message), ...fixes.map((fix) => fix.title)])
          expect(text).not.toMatch(/\{\w+\}/);
      }
    });
    test('is gone once a safe fix is applied, and nothing is broken by it', () => {
      for (const fix of report.findings.flatMap(({ fixes }) => fixes.filter(({ safe }) => safe))) {
        const fixed = lint(applied(fix, files), rule);
        expect(fixed.findings.length).toBeLessThan(report.findings.length);
        expect(fixed.problems.length).toBeLessThanOrEqual(report.problems.length);
      }
    });
  } else {
    test('is left alone', () => {
      expect(report.findings).toEqual([]);
      expect(hasExpected).toBe(false);
    });
  }

  if (kind === 'good') test('is left alone because it was understood', () => expect(report.problems).toEqual([]));

  test('is the same on every run', () => expect(json(lint(files, rule))).toBe(json(report)));
});

function expectInside({ text, range }: Place, files: Files): void {
  expect(text.content).toBe(textOf(text.path, files[text.path] ?? '').content);
  expect(range.start).toBeGreaterThanOrEqual(0);
  expect(range.end).toBeGreaterThanOrEqual(range.start);
  expect(range.end).toBeLessThanOrEqual(text.content.length);
}

function applied({ edits }: Fix, files: Files): Files {
  const texts = [...new Set(edits.map(({ text }) => text))];
  const changed = texts.map(
    (text) =>
      [
        text.path,
        applyEdits(
          text,
          edits.filter((edit) => edit.text === text),
        ),
      ] as const,
  );
  for (const [, content] of changed) expect(content).toBeDefined();
  return { ...files, ...Object.fromEntries(changed.map(([path, content]) => [path, content ?? ''])) };
}
