import { literally, outermost, type Place } from '@poolcheck/parsers/text';
import type { DeclaredDatabase } from './declared.ts';
import type { Edit, Finding, Fix, Report, Severity } from './finding.ts';
import type { Wrappers } from './knowledge/wrappers.ts';
import { roleOf } from './role.ts';
import type { Rule } from './rule.ts';
import type { Versions } from './versions.ts';

/** How a rule may be set. */
export type Level = Severity | 'off';

export interface Override {
  covers(path: string): boolean;
  readonly severities: ReadonlyMap<string, Level>;
}

/** How a rule is set for a file; undefined: not at all. */
export function levelIn({ severities, overrides = [] }: Plan, rule: string, path: string): Level | undefined {
  return overrides.findLast((each) => each.severities.has(rule) && each.covers(path))?.severities.get(rule) ?? severities.get(rule);
}

/** Whether a rule has anything to say in some file. */
export function mayRun({ severities, overrides = [] }: Plan, rule: string): boolean {
  return severities.get(rule) !== 'off' || overrides.some((each) => (each.severities.get(rule) ?? 'off') !== 'off');
}

/** What a run does: decided once, before it. */
export interface Plan {
  /** By rule id; a rule that is not named has its own severity. */
  readonly severities: ReadonlyMap<string, Level>;
  /** What else holds in some files; the last one that names a rule wins. */
  readonly overrides?: readonly Override[];
  /** What wraps drivers outside the root. */
  readonly wrappers?: Wrappers | undefined;
  /** Of what the files do not tell the version of. */
  readonly versions?: Versions;
  /** Database servers outside of the root. */
  readonly databases?: readonly DeclaredDatabase[];
}

/** A finding but for its fingerprint. */
export type Judged = Omit<Finding, 'fingerprint'> & { readonly symbol: string | undefined };

/** Adds what the engine knows: id, severity, the filled message, places on disk. */
export function findingOf(rule: Rule, report: Report, plan: Plan): Judged | undefined {
  const at = outermost(report.at);
  const severity = severityOf(rule, report, plan, at);
  if (!severity) return undefined;
  return {
    rule: rule.id,
    severity,
    message: fill(rule.messages[report.message] ?? report.message, report.data ?? {}),
    at,
    related: (report.related ?? []).map((related) => ({ ...related, at: outermost(related.at) })),
    fixes: (report.fixes ?? []).flatMap(onDisk),
    symbol: report.symbol,
  };
}

/** Findings, and of some more those at places of which the same rule has said nothing yet. */
export function withMore(findings: readonly Judged[], more: readonly Judged[]): readonly Judged[] {
  const said = new Set(findings.map(placeOfFault));
  return [...findings, ...more.filter((finding) => !said.has(placeOfFault(finding)))];
}

function placeOfFault({ rule, at: { text, range } }: Judged): string {
  return [rule, text.path, range.start].join('\0');
}

/** The fix in the files themselves; none where the text around a ConfigMap's file would have to be known to write it. */
function onDisk(fix: Fix): readonly Fix[] {
  const edits = fix.edits.flatMap(editOnDisk);
  return edits.length === fix.edits.length ? [{ ...fix, edits }] : [];
}

/** In a text inside another, a line would need the indentation, and a quote the escape, of the text around. */
function editOnDisk({ text, range, insert }: Edit): readonly Edit[] {
  if (text.within && /[\r\n"'\\]/.test(insert)) return [];
  const place = literally({ text, range });
  return place ? [{ ...place, insert }] : [];
}

/** The user's word wins; else leaks outside production are warnings, and warnings and advice there are not given. */
function severityOf(rule: Rule, report: Report, plan: Plan, at: Place): Severity | undefined {
  const chosen = levelIn(plan, rule.id, at.text.path);
  if (chosen === 'off') return undefined;
  const own = report.severity ?? rule.severity;
  const severity = chosen !== undefined && own === rule.severity ? chosen : own;
  switch (roleOf(at.text.path, at.text.content)) {
    case 'production':
      return severity;
    case 'generated':
      return undefined;
    default:
      return own === 'error' ? (severity === 'error' ? 'warning' : severity) : undefined;
  }
}

/** A message may begin with what stands for a name: "the connection", "this pool". */
function fill(message: string, data: Readonly<Record<string, string | number>>): string {
  const filled = message.replace(/\{(\w+)\}/g, (hole, name: string) => (Object.hasOwn(data, name) ? String(data[name]) : hole));
  return filled.replace(/^(the|this) /, (article) => article.charAt(0).toUpperCase() + article.slice(1));
}
