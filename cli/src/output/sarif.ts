import { positionAt, type Place } from '@poolcheck/parsers/text';
import type { Edit, Finding, Fix, ProjectProblem, Severity } from '@poolcheck/rules/finding';
import type { Rule } from '@poolcheck/rules/rule';
import packageJson from '../../package.json' with { type: 'json' };
import type { Report } from '../report.ts';
import { safeJson } from './neutral.ts';

/** What is said of the rules: those there are, and the page of each. */
export interface About {
  readonly rules: readonly Pick<Rule, 'id' | 'severity' | 'summary'>[];
  page(id: string): string | undefined;
}

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/: for code scanning services. */
export function sarif(report: Report, about: About): string {
  return `${safeJson({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'poolcheck', semanticVersion: packageJson.version, rules: about.rules.map((rule) => ruleOf(rule, about)) },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: report.problems.map(notificationOf) }],
        results: report.findings.map((finding) => resultOf(finding, about)),
      },
    ],
  })}\n`;
}

function ruleOf({ id, severity, summary }: About['rules'][number], about: About): object {
  const page = about.page(id);
  return {
    id,
    shortDescription: { text: summary },
    defaultConfiguration: { level: levels[severity] },
    ...(page !== undefined && { help: { text: page, markdown: page } }),
  };
}

function resultOf({ rule, severity, message, at, related, fixes, fingerprint, suppressed }: Finding, about: About): object {
  const steps = related.map((step) => ({ ...locationOf(step.at), message: messageOf(step.message) }));
  return {
    ruleId: rule,
    ruleIndex: about.rules.findIndex(({ id }) => id === rule),
    level: levels[severity],
    message: messageOf(message),
    locations: [locationOf(at)],
    partialFingerprints: { 'poolcheck/v1': fingerprint },
    ...(steps.length > 0 && {
      relatedLocations: steps.map((step, id) => ({ id, ...step })),
      codeFlows: [{ threadFlows: [{ locations: steps.map((location) => ({ location })) }] }],
    }),
    ...(fixes.length > 0 && { fixes: fixes.map(fixOf) }),
    ...(suppressed && {
      suppressions: [{ kind: suppressed.by === 'comment' ? 'inSource' : 'external', justification: suppressed.reason }],
    }),
  };
}

function notificationOf({ path, at, message }: ProjectProblem): object {
  const location = at ? locationOf(at) : { physicalLocation: { artifactLocation: artifactOf(path) } };
  return { level: 'warning', message: messageOf(message), locations: [location] };
}

function fixOf({ title, edits }: Fix): object {
  const paths = [...new Set(edits.map(({ text }) => text.path))];
  return {
    description: messageOf(title),
    artifactChanges: paths.map((path) => ({
      artifactLocation: artifactOf(path),
      replacements: edits.filter(({ text }) => text.path === path).map(replacementOf),
    })),
  };
}

function replacementOf(edit: Edit): object {
  return { deletedRegion: regionOf(edit), insertedContent: { text: edit.insert } };
}

/** A message may hold links, `[text](target)`; ours hold none. */
function messageOf(text: string): object {
  return { text: text.replaceAll('](', '] (') };
}

function locationOf(place: Place): object {
  return { physicalLocation: { artifactLocation: artifactOf(place.text.path), region: regionOf(place) } };
}

function artifactOf(path: string): object {
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

function regionOf({ text, range }: Place): object {
  const start = positionAt(text, range.start);
  const end = positionAt(text, range.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}
