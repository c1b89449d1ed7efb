import { pageOf } from '@poolcheck/rules/catalogue';
import { positionAt, type Place } from '@poolcheck/parsers/text';
import type { Finding, Fix, ProjectProblem } from '@poolcheck/rules/finding';
import { countsOf, type Report } from '../report.ts';
import { safeJson } from './neutral.ts';

/** The contract for other tools: fields may be added within schema 1, none changes. */
export function json(report: Report): string {
  const { error, warning, info, suppressed } = countsOf(report);
  return `${safeJson({
    schema: 1,
    findings: report.findings.map(findingOf),
    problems: report.problems.map(problemOf),
    summary: { files: report.files, errors: error, warnings: warning, infos: info, suppressed, problems: report.problems.length },
  })}\n`;
}

function findingOf({ rule, severity, message, at, related, fixes, fingerprint, suppressed }: Finding): object {
  return {
    rule,
    severity,
    message,
    ...locationOf(at),
    related: related.map((step) => ({ ...locationOf(step.at), message: step.message })),
    fixes: fixes.map(fixOf),
    fingerprint,
    ...(suppressed && { suppressed }),
    docs: pageOf(rule),
  };
}

function fixOf({ title, safe, edits }: Fix): object {
  return { title, safe, edits: edits.map((edit) => ({ ...locationOf(edit), text: edit.insert })) };
}

function problemOf({ path, at, message }: ProjectProblem): object {
  return { ...(at ? locationOf(at) : { file: path }), message };
}

function locationOf({ text, range }: Place): object {
  return { file: text.path, range: { start: positionAt(text, range.start), end: positionAt(text, range.end) } };
}
