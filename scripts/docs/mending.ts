import { catalogue } from '@poolcheck/rules/catalogue';
import { check } from '@poolcheck/rules/check';
import { projectOf } from '@poolcheck/rules/project';
import type { Rule } from '@poolcheck/rules/rule';
import type { FixtureCase } from '@poolcheck/rules/testing/rule-fixtures';

/** How far a rule can mend what it finds, as its fixtures show. */
export function mendingOf({ id }: Rule, cases: readonly FixtureCase[]): string | undefined {
  const off = catalogue.filter((rule) => rule.id !== id).map((rule) => [rule.id, 'off'] as const);
  const plan = { severities: new Map(off) };
  const fixes = cases.flatMap(({ files }) => check(projectOf(files), plan).findings).flatMap((finding) => finding.fixes);
  if (fixes.some(({ safe }) => safe)) return 'has a safe fix';
  return fixes.length > 0 ? 'suggests a fix' : undefined;
}
