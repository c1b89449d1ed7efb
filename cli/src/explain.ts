import { catalogue } from '@poolcheck/rules/catalogue';
import { pageText } from './pages.ts';
import { unknownRule } from './rule-ids.ts';

/** A rule's page. */
export function explain(id: string): string {
  const rule = catalogue.find((each) => each.id === id);
  if (!rule) throw unknownRule(id);
  return pageText(id) ?? `${rule.summary}\n`;
}

/** A line a rule: severity, id, what it is about. */
export function listRules(): string {
  const width = Math.max(0, ...catalogue.map(({ id }) => id.length));
  return catalogue.map(({ id, severity, summary }) => `${severity.padEnd(7)}  ${id.padEnd(width)}  ${summary}\n`).join('');
}
