import { join } from 'node:path';
import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import { positionAt, textOf } from '@poolcheck/parsers/text';
import { catalogue } from '@poolcheck/rules/catalogue';
import type { Edit, Fix } from '@poolcheck/rules/finding';
import { findingOf, type Judged } from '@poolcheck/rules/judge';
import { projectOf } from '@poolcheck/rules/project';
import type { ModuleRule } from '@poolcheck/rules/rule';
import { programOf } from '@poolcheck/rules/source/program';
import { wrappersIn } from '@poolcheck/rules/wrappers';
import { configName } from '@poolcheck/rules/disk/root';
import { fixtureCases, type FixtureCase } from '@poolcheck/rules/testing/rule-fixtures';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { JsxEmit, ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { describe, test } from 'vitest';
import { hosts, type Case, type ExpectedError } from './testing/hosts.ts';

const moduleRules = catalogue.filter((rule) => rule.looksAt === 'module');
const cases = moduleRules.flatMap((rule) =>
  fixtureCases().flatMap((each) => (each.rule === rule.id ? { ...each, rule, id: rule.id } : [])),
);

describe.each(hosts)('$name says what the rule says', (host) => {
  test.each(cases)('of $id $name', ({ rule, id, files: written }) => {
    const files = host.readsTypes ? written : withoutTypes(written);
    const root = temporaryFolder({ [configName]: '', ...files });
    const expected = sourcesIn(files).map((path) => expectedIn(path, root, files, rule));
    host.test(id, expected);
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

/** What a rule says of a file, in ESLint's terms. */
function expectedIn(path: string, root: string, files: Files, rule: ModuleRule): Case {
  const here = findingsOf(rule, files).filter(({ at }) => at.text.path === path);
  const code = files[path] ?? '';
  const output = here.reduceRight((text, finding) => applied(safeFix(finding)?.edits ?? [], text), code);
  return { filename: join(root, path), code, errors: here.map(errorOf), output: output === code ? null : output };
}

function findingsOf(rule: ModuleRule, files: Files): readonly Judged[] {
  const program = programOf(projectOf(files), { wrappers: wrappersIn(textOf(configName, files[configName] ?? '')) });
  const reports = program.modules.flatMap((module) => [...rule.check(module, program, [])]);
  const findings = reports.flatMap((report) => findingOf(rule, report, { severities: new Map() }) ?? []);
  return findings.toSorted((a, b) => a.at.range.start - b.at.range.start);
}

function errorOf(finding: Judged): ExpectedError {
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

function safeFix({ fixes }: Judged): Fix | undefined {
  return fixes.find(({ safe }) => safe);
}

function applied(edits: readonly Edit[], content: string): string {
  const fromTheEnd = edits.toSorted((a, b) => b.range.start - a.range.start);
  return fromTheEnd.reduce((text, { range, insert }) => text.slice(0, range.start) + insert + text.slice(range.end), content);
}
