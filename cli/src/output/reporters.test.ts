import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { textOf } from '@poolcheck/parsers/text';
import { formats, type Format } from '../arguments.ts';
import { presentable, type Report } from '../report.ts';
import { at, hostileReport, poolSite, sampleReport } from '../testing/sample-report.ts';
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

const extensions: Readonly<Record<Format, string>> = {
  pretty: 'txt',
  compact: 'compact.txt',
  agent: 'agent.txt',
  json: 'json',
  sarif: 'sarif',
  github: 'github.txt',
  gitlab: 'gitlab.json',
  junit: 'junit.xml',
  rdjson: 'rd.json',
  markdown: 'md',
};

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
  ['compact', 'no findings in 3 files\n'],
  ['github', ''],
  ['gitlab', '[]\n'],
  ['markdown', '### poolcheck: no findings in 3 files\n'],
] as const)('%s says that there is nothing to say', (format, expected) => {
  expect(render(format, { findings: [], problems: [], deployments: [], files: 3 })).toBe(expected);
});

describe('a runner reads as commands only what is meant to be one', () => {
  const isCommand = /^\s*::|##\[|##vso\[/;

  test.each(formats.filter((format) => format !== 'github'))('%s: nothing', (format) => {
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

describe('every format names the same position', () => {
  /** What a consumer of the format takes for the place of the leak. */
  const readers: Readonly<Record<Format, (output: string) => string | undefined>> = {
    pretty: (output) => /release-in-finally {2}(\S+)/.exec(output)?.[1],
    compact: (output) => /^(\S+): error: .*\[release-in-finally\]$/m.exec(output)?.[1],
    agent: (output) => /^error release-in-finally (\S+)/m.exec(output)?.[1],
    json: (output) => {
      const found = find<{ rule: string; file: string; range: { start: Position } }>(output, '$.findings', (each) => each.rule);
      return found && written(found.file, found.range.start);
    },
    sarif: (output) => {
      const found = find<SarifResult>(output, '$.runs.0.results', (each) => each.ruleId)?.locations[0]?.physicalLocation;
      return found && written(found.artifactLocation.uri, { line: found.region.startLine, column: found.region.startColumn });
    },
    github: (output) => {
      const [, file = '', line, column] = /file=([^,]+),line=(\d+),endLine=\d+,col=(\d+),.*release-in-finally/.exec(output) ?? [];
      return written(file, { line: Number(line), column: Number(column) });
    },
    gitlab: (output) => {
      const found = find<GitLabIssue>(output, '$', (each) => each.check_name)?.location;
      return found && written(found.path, found.positions.begin);
    },
    junit: (output) => /<testcase name="release-in-finally (\S+)"/.exec(output)?.[1],
    rdjson: (output) => {
      const found = find<Diagnostic>(output, '$.diagnostics', (each) => each.code.value)?.location;
      return found && written(found.path, found.range.start);
    },
    markdown: (output) => {
      const line = /\*\*release-in-finally\*\*, line (\d+)/.exec(output)?.[1];
      return line === undefined ? undefined : `services/orders/src/orders.ts:${line}:23`;
    },
  };

  interface Position {
    readonly line: number;
    readonly column: number;
  }
  interface SarifResult {
    readonly ruleId: string;
    readonly locations: readonly {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string };
        readonly region: { readonly startLine: number; readonly startColumn: number };
      };
    }[];
  }
  interface GitLabIssue {
    readonly check_name: string;
    readonly location: { readonly path: string; readonly positions: { readonly begin: Position } };
  }
  interface Diagnostic {
    readonly code: { readonly value: string };
    readonly location: { readonly path: string; readonly range: { readonly start: Position } };
  }

  const written = (file: string, { line, column }: Position) => `${file}:${line}:${column}`;

  function find<Item>(output: string, path: string, ruleOf: (item: Item) => string): Item | undefined {
    const keys = path.split('.').slice(1);
    const list = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(output)) as readonly Item[];
    return list.find((item) => ruleOf(item) === 'release-in-finally');
  }

  test.each(formats)('%s', (format) => {
    expect(readers[format](render(format, sampleReport))).toBe('services/orders/src/orders.ts:6:23');
  });
});

test('rdjson counts the bytes of UTF-8, as reviewdog does', () => {
  const text = textOf('a.ts', "const umlaut = 'ä𐐀'; pool.connect();\n");
  const [leak] = sampleReport.findings.filter(({ rule }) => rule === 'release-in-finally');
  const findings = leak ? [{ ...leak, at: at(text, 'pool.connect()'), fixes: [] }] : [];
  expect(JSON.parse(render('rdjson', { ...sampleReport, findings }))).toMatchObject({
    diagnostics: [{ location: { range: { start: { line: 1, column: 26 } } } }],
  });
});

describe('JUnit', () => {
  test.each([
    ['a sample', sampleReport],
    ['hostile contents', hostileReport],
    ['nothing', { findings: [], problems: [], deployments: [], files: 3 }],
  ])('is XML that says how many tests failed: %s', (_, report) => {
    const read = new DOMParser({ onError: onErrorStopParsing }).parseFromString(render('junit', report), 'text/xml');
    const suites = [...read.getElementsByTagName('testsuite')];
    expect(suites.length).toBeGreaterThan(0);
    for (const suite of suites) {
      expect(suite.getElementsByTagName('testcase')).toHaveLength(Number(suite.getAttribute('tests')));
      expect(suite.getElementsByTagName('failure')).toHaveLength(Number(suite.getAttribute('failures')));
      expect(suite.getElementsByTagName('skipped')).toHaveLength(Number(suite.getAttribute('skipped')));
    }
  });
});

test('GitLab reads what its documentation asks for', () => {
  for (const report of [sampleReport, hostileReport])
    for (const issue of JSON.parse(render('gitlab', report)) as object[])
      expect(issue).toEqual({
        description: expect.any(String),
        check_name: expect.stringMatching(/^[a-z-]+$/),
        fingerprint: expect.any(String),
        severity: expect.stringMatching(/^(info|minor|major|critical|blocker)$/),
        location: { path: expect.any(String), positions: { begin: expect.any(Object), end: expect.any(Object) } },
      });
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
