import { join } from 'node:path';
import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import { positionAt } from '@poolcheck/parsers/text';
import { catalogue } from '@poolcheck/rules/catalogue';
import { check } from '@poolcheck/rules/check';
import type { Edit, Finding } from '@poolcheck/rules/finding';
import { projectOf } from '@poolcheck/rules/project';
import { fixtureCases, type FixtureCase } from '@poolcheck/rules/testing/rule-fixtures';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { JsxEmit, ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { describe, expect, test } from 'vitest';
import plugin from './index.ts';
import { hosts, type Case, type ExpectedError } from './testing/hosts.ts';
import { isOfSource } from './workspace.ts';

const cases = fixtureCases().filter(({ rule }) => Object.hasOwn(plugin.rules, rule));

describe.each(hosts)('$name says what the command says where nothing is known of the deployment', (host) => {
  test.each(cases)('of $rule $name', ({ rule: id, files: written }) => {
    const files = host.readsTypes ? written : withoutTypes(written);
    const root = temporaryFolder({ ...files, 'poolcheck.yaml': '' });
    const rule = plugin.rules[id];
    expect(rule).toBeDefined();
    if (rule)
      host.test(
        id,
        rule,
        sourcesIn(files).map((path) => expectedIn(path, root, files, id)),
      );
  });
});

type Files = FixtureCase['files'];

function sourcesIn(files: Files): readonly string[] {
  return Object.keys(files).filter(isJavaScript);
}

/** The same project, had it been written in JavaScript. */
function withoutTypes(files: Files): Files {
  const compilerOptions = { target: ScriptTarget.ESNext, module: ModuleKind.ESNext, jsx: JsxEmit.Preserve, experimentalDecorators: true };
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => {
      if (!/\.[cm]?tsx?$/.test(path)) return [path, content];
      const { outputText } = transpileModule(content, { fileName: path, compilerOptions });
      return [
        toJs(path),
        outputText.replace(/(['"])(\.\.?\/.*?)\1/g, (_, quote: string, specifier: string) => quote + toJs(specifier) + quote),
      ];
    }),
  );
}

function toJs(path: string): string {
  return path.replace(/\.([cm]?)tsx?$/, '.$1js');
}

/** What the command says of a file, in ESLint's terms. */
function expectedIn(path: string, root: string, files: Files, rule: string): Case {
  const off = catalogue.filter(({ id }) => id !== rule).map(({ id }) => [id, 'off'] as const);
  const source = Object.fromEntries(Object.entries(files).filter(([each]) => isOfSource(each)));
  const { findings } = check(projectOf(source), { severities: new Map(off) });
  const here = findings.filter(({ at }) => at.text.path === path);
  const code = files[path] ?? '';
  const output = here.reduceRight((text, finding) => applied(safeFix(finding)?.edits ?? [], text), code);
  return { filename: join(root, path), code, errors: here.map(errorOf), output: output === code ? null : output };
}

function errorOf(finding: Finding): ExpectedError {
  const { text, range } = finding.at;
  const start = positionAt(text, range.start);
  const end = positionAt(text, range.end);
  const suggested = finding.fixes.filter((fix) => fix !== safeFix(finding));
  return {
    message: finding.message,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    suggestions: suggested.map(({ title, edits }) => ({ desc: title, output: applied(edits, text.content) })),
  };
}

function safeFix({ fixes }: Finding): Finding['fixes'][number] | undefined {
  return fixes.find(({ safe }) => safe);
}

function applied(edits: readonly Edit[], content: string): string {
  const fromTheEnd = edits.toSorted((a, b) => b.range.start - a.range.start);
  return fromTheEnd.reduce((text, { range, insert }) => text.slice(0, range.start) + insert + text.slice(range.end), content);
}
