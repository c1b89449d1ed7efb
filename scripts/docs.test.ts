import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogue } from '@poolcheck/rules/catalogue';
import { fixtureCases, repository } from '@poolcheck/rules/testing/rule-fixtures';
import { describe, expect, test } from 'vitest';
import { pageOf } from './docs/page.ts';
import { pictureOf } from './docs/picture.ts';
import { ruleTable, withRuleTable } from './docs/tables.ts';

const pages = readdirSync(join(repository, 'docs/rules')).map((file) => `docs/rules/${file}`);

describe.each(pages.filter((path) => !path.endsWith('README.md')))('%s', (path) => {
  const text = readFileSync(join(repository, path), 'utf8');

  test('says why, how to mend it, what proves it, and when it does not matter', () => {
    const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(expect.arrayContaining(['Wrong', 'Right', 'Why', 'How to mend it', 'Proof', 'When to turn it off']));
    expect(headings).toEqual([...new Set(headings)]);
  });

  test('names proofs that are there', () => {
    const section = text.slice(text.indexOf('## Proof'));
    for (const [proof] of section.matchAll(/proof\/[\w-]+\.proof\.ts/g)) expect(existsSync(join(repository, proof)), proof).toBe(true);
  });
});

const guides = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));

test.each(['README.md', 'CONTRIBUTING.md', ...guides.map((name) => `docs/${name}`), ...pages])('the links of %s lead somewhere', (path) => {
  const text = readFileSync(join(repository, path), 'utf8');
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
    expect(existsSync(join(repository, dirname(path), link)), link).toBe(true);
  }
});

describe('a page', () => {
  const [rule] = catalogue.filter(({ id }) => id === 'release-in-finally');
  const cases = fixtureCases().filter((each) => each.rule === rule?.id);
  const made = (current: string) => (rule ? pageOf(rule, cases, current) : '');

  test('keeps what was written below its head, whatever the head was', () => {
    const page = made('# Old title\n\nOld summary.\n\n## Why\n\nBecause.\n');
    expect(page).toMatch(/^# release-in-finally\n\nA borrowed connection/);
    expect(page).toMatch(/<!-- Above: npm run docs, from bad-\S+, good-\S+ -->\n\n## Why\n\nBecause\.\n$/);
    expect(made(page)).toBe(page);
    expect(made(page.replace('# release', '# changed by hand: release'))).toBe(page);
  });

  test('shows the cases that it names', () => {
    const page = made('<!-- Above: npm run docs, from bad-early-return, good-finally/src/articles.ts -->\n\n## Why\n');
    expect(page).toContain('leaves here without giving it back');
    expect(page).toMatch(/## Right\n\n`src\/articles\.ts`\n\n```ts\nimport/);
    expect(() => made('<!-- Above: npm run docs, from bad-nowhere, good-finally -->\n')).toThrow(
      /bad-nowhere, which is not in rules\/fixtures/,
    );
    expect(() => made('<!-- Above: npm run docs, from bad-early-return, good-finally/nothing.ts -->\n')).toThrow(/not there/);
  });
});

describe.each(guides.filter((name) => name.endsWith('-mistakes.md')))('%s', (name) => {
  const text = readFileSync(join(repository, 'docs', name), 'utf8');
  const rows = Array.from(text.matchAll(/^\| (.+) \| \[([\w-]+)\]\(rules\/\2\.md\) \| (.+) \|$/gm));

  test('has a table of what is found, and one of what only looks like it', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map(([row]) => row)).toEqual(text.split('\n').filter((line) => line.includes('](rules/')));
  });

  const looksLikeOne = text.indexOf('## What only looks like one');
  const named = rows.map(
    ({ 1: mistake = '', 2: rule = '', 3: cases = '', index }) => [mistake, rule, cases, index < looksLikeOne] as const,
  );

  test.each(named)('%s', (_, rule, cases, isMistake) => {
    const all = Array.from(cases.matchAll(/\[([\w.-]+)\]\(\.\.\/rules\/fixtures\/([\w-]+)\/([\w.-]+)\)/g));
    expect(all).not.toEqual([]);
    for (const [, shown, owner, kase = ''] of all) {
      expect([shown, owner]).toEqual([kase, rule]);
      expect(kase).toMatch(isMistake ? /^bad-/ : /^(good|near)-/);
    }
  });
});

test('the table takes its place, again and again', () => {
  const text = 'Before.\n\n<!-- rules: npm run docs -->\n<!-- end of rules -->\n\nAfter.\n';
  const filled = withRuleTable(text, catalogue, 'docs/');
  expect(filled).toContain(ruleTable(catalogue, 'docs/'));
  expect(filled.startsWith('Before.') && filled.endsWith('After.\n')).toBe(true);
  expect(withRuleTable(filled, catalogue, 'docs/')).toBe(filled);
});

describe('a picture of a terminal', () => {
  const rows = (output: string, columns = 20) =>
    Array.from(pictureOf(output, columns).matchAll(/<text [^>]*>(.*)<\/text>/g), ([, row]) => row?.replaceAll('\u00A0', ' '));

  test('shows colours, weight, and characters that mean something in XML', () => {
    expect(rows('\x1b[1m\x1b[31m✖ error\x1b[39m\x1b[22m a < b && c')).toEqual([
      '<tspan fill="#ff7b72" font-weight="bold">✖ error</tspan> a &lt; b &amp;&amp; c',
    ]);
    expect(rows('\x1b[2mfaint\x1b[22m, \x1b[36mstep\x1b[0m')).toEqual([
      '<tspan fill="#7d8590">faint</tspan>, <tspan fill="#76e3ea">step</tspan>',
    ]);
  });

  test('breaks lines where the terminal does, and keeps empty ones', () => {
    expect(rows('\x1b[31mabcdef\x1b[39m\n\nxy', 4)).toEqual([
      '<tspan fill="#ff7b72">abcd</tspan>',
      '<tspan fill="#ff7b72">ef</tspan>',
      'xy',
    ]);
    expect(pictureOf('a\n\nb', 4)).toContain('height="86"');
  });
});
