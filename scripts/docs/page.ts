import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from '@poolcheck/rules/rule';
import type { FixtureCase } from '@poolcheck/rules/testing/rule-fixtures';
import { mendingOf } from './mending.ts';

/** A page says here which cases it shows: `bad-x` by what is printed of it, `good-x` by its files, or one `good-x/src/a.ts`. */
const marker = /^<!-- Above: npm run docs, from (.+) -->$/m;

/** A rule's page: a head made from the rule and its fixtures, and the body that somebody wrote. */
export function pageOf(rule: Rule, cases: readonly FixtureCase[], current: string): string {
  const shown = marker.exec(current)?.[1]?.split(', ') ?? [firstOf('bad', cases), firstOf('good', cases)];
  const body = marker.test(current) ? current.slice(current.search(marker)).replace(marker, '') : withoutTitle(current);
  return [
    `# ${rule.id}`,
    rule.summary,
    standingOf(rule, cases),
    '## Wrong',
    ...shown.filter((each) => each.startsWith('bad-')).map((each) => printed(each, rule, cases)),
    '## Right',
    ...shown.filter((each) => each.startsWith('good-')).flatMap((each) => filesOf(each, rule, cases)),
    `<!-- Above: npm run docs, from ${shown.join(', ')} -->`,
    body.trim(),
    '',
  ].join('\n\n').replace(/\n+$/, '\n');
}

function standingOf(rule: Rule, cases: readonly FixtureCase[]): string {
  const words = [`**${rule.severity}**`, 'on by default', mendingOf(rule, cases)];
  if (rule.looksAt === 'module') words.push(`in ESLint: \`poolcheck/${rule.id}\``);
  return words.filter((word) => word !== undefined).join(' · ');
}

/** What the command prints, without its last words. */
function printed(name: string, rule: Rule, cases: readonly FixtureCase[]): string {
  const { expected } = caseNamed(name, rule, cases);
  const [finding = ''] = readFileSync(expected, 'utf8').split(/\n\n {2}more: /);
  return fenced('text', finding.trim());
}

function filesOf(shown: string, rule: Rule, cases: readonly FixtureCase[]): readonly string[] {
  const [name = '', ...path] = shown.split('/');
  const wanted = path.join('/');
  const { files } = caseNamed(name, rule, cases);
  const chosen = Object.entries(files).filter(([file]) => (wanted === '' ? file !== 'poolcheck.yaml' : file === wanted));
  if (chosen.length === 0) throw new Error(`${rule.id}: its page shows ${shown}, which is not there`);
  return chosen.flatMap(([file, content]) => [`\`${file}\``, fenced(languageOf(file), content.trim())]);
}

function caseNamed(name: string, rule: Rule, cases: readonly FixtureCase[]): FixtureCase {
  const found = cases.find((each) => each.name === name);
  if (!found) throw new Error(`${rule.id}: its page shows ${name}, which is not in ${join('rules/fixtures', rule.id)}`);
  return found;
}

function firstOf(kind: FixtureCase['kind'], cases: readonly FixtureCase[]): string {
  return cases.find((each) => each.kind === kind)?.name ?? `${String(kind)}-example`;
}

function withoutTitle(page: string): string {
  return page.replace(/^# .*\n+(?:[^#\n].*\n)*/, '');
}

function fenced(language: string, content: string): string {
  return `\`\`\`${language}\n${content}\n\`\`\``;
}

const languages: Readonly<Record<string, string>> = { conf: 'nginx', env: 'sh', mts: 'ts', cts: 'ts', mjs: 'js', cjs: 'js', yml: 'yaml' };

function languageOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return languages[extension] ?? extension;
}
