import type { Rule } from '@poolcheck/rules/rule';

const symbols = { error: '✖ error', warning: '▲ warning', info: '● info' } as const;

/** The rules, a row each; `pages` leads from the table to their pages. */
export function ruleTable(rules: readonly Rule[], pages: string): string {
  const rows = rules.map((rule) => `| [${rule.id}](${pages}${rule.id}.md) | ${symbols[rule.severity]} | ${rule.summary} | ${whereOf(rule)} |`);
  return ['| rule | level | what it finds | runs in |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function whereOf({ looksAt }: Rule): string {
  return looksAt === 'module' ? 'command, ESLint' : 'command';
}

/** The index of the pages. */
export function indexOf(rules: readonly Rule[]): string {
  return `# The rules\n\n<!-- npm run docs -->\n\n${ruleTable(rules, '')}\n`;
}

const region = /(<!-- rules: npm run docs -->\n)[^]*?(<!-- end of rules -->)/;

/** A text with the table in its place. */
export function withRuleTable(text: string, rules: readonly Rule[], pages: string): string {
  return text.replace(region, (_, before: string, after: string) => `${before}${ruleTable(rules, pages)}\n${after}`);
}
