import { outermost, type Place } from '@poolcheck/parsers/text';
import { catalogue } from './catalogue.ts';
import type { Deployment } from './deployment/model.ts';
import { survey } from './deployment/survey.ts';
import { readDocuments, type ConfigDocument } from './documents.ts';
import type { Finding, ProjectProblem, Report, Severity } from './finding.ts';
import { fingerprinter } from './fingerprint.ts';
import type { Project } from './project.ts';
import { roleOf } from './role.ts';
import type { Rule } from './rule.ts';
import { programOf, type Program } from './source/program.ts';
import { httpSpecifiers } from './source/servers.ts';

/** What a run does: decided once, before it. */
export interface Plan {
  /** By rule id; a rule that is not named has its own severity. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
}

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly problems: readonly ProjectProblem[];
  readonly deployments: readonly Deployment[];
  /** How many files were analysed. */
  readonly files: number;
}

/** Analyses a whole root. Pure but for reading through the project. */
export function check(project: Project, plan: Plan): CheckResult {
  const read = readDocuments(project);
  const hasProxy = read.documents.some(({ kind }) => kind === 'nginx');
  const program = programOf(project, hasProxy ? { alsoRelevant: httpSpecifiers } : {});
  const surveyed = survey(project, read.documents, program);
  const rules = catalogue.filter((rule) => plan.severities.get(rule.id) !== 'off');
  const fingerprint = fingerprinter();
  const findings = rules
    .flatMap((rule) => reportsOf(rule, program, read.documents, surveyed.deployments).map((report) => findingOf(rule, report, plan)))
    .filter((finding) => finding !== undefined)
    .sort(byPlace)
    .map((finding) => ({ ...finding, fingerprint: fingerprint(finding) }));
  return {
    findings,
    problems: [...read.problems, ...program.problems, ...surveyed.problems],
    deployments: surveyed.deployments,
    files: program.modules.length + new Set(read.documents.map(({ text }) => text.path)).size,
  };
}

function reportsOf(
  rule: Rule,
  program: Program,
  documents: readonly ConfigDocument[],
  deployments: readonly Deployment[],
): readonly Report[] {
  switch (rule.looksAt) {
    case 'module':
      return program.modules.flatMap((module) => [...rule.check(module, program)]);
    case 'document':
      return documents.flatMap((document) => (document.kind === rule.kind ? [...rule.check(document)] : []));
    case 'deployment':
      return deployments.flatMap((deployment) => [...rule.check(deployment)]);
  }
}

type Unnamed = Omit<Finding, 'fingerprint'> & { readonly symbol: string | undefined };

/** Adds what the engine knows: id, severity, the filled message, places on disk. */
export function findingOf(rule: Rule, report: Report, plan: Plan): Unnamed | undefined {
  const at = outermost(report.at);
  const severity = severityOf(rule, report, plan, at);
  if (!severity) return undefined;
  return {
    rule: rule.id,
    severity,
    message: fill(rule.messages[report.message] ?? report.message, report.data ?? {}),
    at,
    related: (report.related ?? []).map((related) => ({ ...related, at: outermost(related.at) })),
    fixes: report.fixes ?? [],
    symbol: report.symbol,
  };
}

/** The user's word wins; else leaks outside production are warnings, and warnings and advice there are not given. */
function severityOf(rule: Rule, report: Report, plan: Plan, at: Place): Severity | undefined {
  const chosen = plan.severities.get(rule.id);
  if (chosen === 'off') return undefined;
  const own = report.severity ?? rule.severity;
  const severity = chosen !== undefined && own === rule.severity ? chosen : own;
  switch (roleOf(at.text.path)) {
    case 'production':
      return severity;
    case 'generated':
      return undefined;
    default:
      return own === 'error' ? (severity === 'error' ? 'warning' : severity) : undefined;
  }
}

function fill(message: string, data: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (hole, name: string) => (Object.hasOwn(data, name) ? String(data[name]) : hole));
}

function byPlace(a: Unnamed, b: Unnamed): number {
  return (
    compare(a.at.text.path, b.at.text.path) ||
    a.at.range.start - b.at.range.start ||
    compare(a.rule, b.rule) ||
    a.at.range.end - b.at.range.end ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
