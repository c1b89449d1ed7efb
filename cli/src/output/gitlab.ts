import { positionAt } from '@poolcheck/parsers/text';
import type { Finding, Severity } from '@poolcheck/rules/finding';
import { open, type Report } from '../report.ts';
import { prose, safeJson } from './neutral.ts';

const severities: Readonly<Record<Severity, string>> = { error: 'critical', warning: 'major', info: 'info' };

/** A Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
export function gitlab(report: Report): string {
  return `${safeJson(open(report).map(issueOf))}\n`;
}

function issueOf({ rule, severity, message, at: { text, range }, fingerprint }: Finding): object {
  return {
    description: prose(message),
    check_name: rule,
    fingerprint,
    severity: severities[severity],
    location: { path: text.path, positions: { begin: positionAt(text, range.start), end: positionAt(text, range.end) } },
  };
}
