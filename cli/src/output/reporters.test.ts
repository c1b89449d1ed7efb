import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { formats, type Format } from '../arguments.ts';
import { presentable, type Report } from '../report.ts';
import { hostileReport, poolSite, sampleReport } from '../testing/sample-report.ts';
import { reporters } from './reporters.ts';

function render(format: Format, report: Report, color = false): string {
  const shown = { ...report, ...presentable({ ...report, deployments: [] }, (path) => path), deployments: report.deployments };
  return reporters[format].render(shown, {
    color,
    columns: undefined,
    rules: [{ id: 'release-in-finally', severity: 'error', summary: 'A connection is not given back.' }],
    page: (id) => (id === 'release-in-finally' ? '# release-in-finally\n' : undefined),
  });
}

const extensions: Readonly<Record<Format, string>> = { pretty: 'txt', json: 'json', sarif: 'sarif', github: 'github.txt', markdown: 'md' };

describe.each(formats)('%s', (format) => {
  test('shows a bit of everything', async () => {
    await expect(render(format, sampleReport)).toMatchFileSnapshot(`snapshots/sample.${extensions[format]}`);
  });

  test('takes the sting out of hostile contents', async () => {
    await expect(render(format, hostileReport)).toMatchFileSnapshot(`snapshots/hostile.${extensions[format]}`);
  });

  test('holds no secret and no character that acts', () => {
    const output = render(format, sampleReport) + render(format, hostileReport);
    expect(output).not.toContain('hunter2');
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(output).not.toMatch(/##\[/);
  });
});

test.each([
  ['pretty', '✔ no findings in 3 files\n'],
  ['github', ''],
  ['markdown', '### poolcheck: no findings in 3 files\n'],
] as const)('%s says that there is nothing to say', (format, expected) => {
  expect(render(format, { findings: [], problems: [], deployments: [], files: 3 })).toBe(expected);
});

describe('a runner reads as commands only what is meant to be one', () => {
  const isCommand = /^\s*::|##\[|##vso\[/;

  test.each(['pretty', 'json', 'sarif', 'markdown'] as const)('%s: nothing', (format) => {
    for (const line of render(format, hostileReport).split('\n')) expect(line).not.toMatch(isCommand);
  });

  test('github: one a finding or problem', () => {
    const lines = render('github', hostileReport).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^::(error|notice) file=[^:]*::/);
  });
});

test('pretty paints only when asked', () => {
  expect(render('pretty', sampleReport, true)).toContain('\x1b[31m');
  expect(render('pretty', sampleReport, true).replace(/\x1b\[\d+m/g, '')).toBe(render('pretty', sampleReport));
});

test('pretty keeps to the columns of a narrow terminal', () => {
  const options = { color: false, columns: 60, rules: [], page: () => undefined };
  const report = { ...sampleReport, ...presentable({ ...sampleReport, deployments: [] }, (path) => path), deployments: [] };
  const findings = reporters.pretty
    .render({ ...report, findings: report.findings.map((finding) => ({ ...finding, fixes: [] })) }, options)
    .split('● not')[0];
  for (const line of findings?.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(60);
  expect(findings).toContain('✖ error  release-in-finally\n  services/orders/src/orders.ts:6:23\n');
});

test('every format names the same position', () => {
  expect(render('pretty', sampleReport)).toContain('services/orders/src/orders.ts:6:23');
  expect(JSON.parse(render('json', sampleReport))).toMatchObject({
    findings: [{}, {}, {}, { range: { start: { line: 6, column: 23 } } }],
  });
  expect(JSON.parse(render('sarif', sampleReport))).toMatchObject({
    runs: [{ results: [{}, {}, {}, { locations: [{ physicalLocation: { region: { startLine: 6, startColumn: 23 } } }] }] }],
  });
  expect(render('github', sampleReport)).toContain('file=services/orders/src/orders.ts,line=6,endLine=6,col=23,');
});

test('SARIF is valid against the published schema', () => {
  const published = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  // Draft 4 but for its name and its id, which mean something else today.
  const { definitions, properties } = JSON.parse(readFileSync(published, 'utf8')) as Record<string, object>;
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  const validate = ajv.compile({ type: 'object', additionalProperties: false, required: ['version', 'runs'], definitions, properties });
  for (const report of [sampleReport, hostileReport]) {
    validate(JSON.parse(render('sarif', report)));
    expect(validate.errors).toBeNull();
  }
});

describe('a fix', () => {
  test('that touches a secret is not offered', () => {
    const findings = sampleReport.findings.map((finding) => ({
      ...finding,
      fixes: [{ title: 't', safe: true, edits: [{ ...poolSite, insert: 'x' }] }],
    }));
    expect(render('json', { ...sampleReport, findings })).not.toContain('"title"');
  });
});

test('a Markdown comment stays within what GitHub takes', () => {
  const many = Array.from({ length: 700 }, (_, index) =>
    sampleReport.findings.map((finding) => ({
      ...finding,
      at: { ...finding.at, text: { ...finding.at.text, path: `k8s/${index}.yaml` } },
    })),
  ).flat();
  const comment = render('markdown', { ...sampleReport, findings: many });
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toMatch(/…and \d+ more, for which there is no room here/);
  expect(comment).toContain('Not everything could be checked');
});
