import { outermost, textOf, type Place, type Text } from '@poolcheck/parsers/text';
import type { CheckResult } from '@poolcheck/rules/check';
import type { Finding, Fix, ProjectProblem, Severity } from '@poolcheck/rules/finding';
import { redact, secretsIn } from './output/redact.ts';
import { pictureOf, type Picture } from './picture.ts';

/** What a run found, as reporters see it: each path is the one that is shown, and no message or fix holds a secret. */
export interface Report {
  readonly findings: readonly Finding[];
  readonly problems: readonly ProjectProblem[];
  readonly deployments: readonly Picture[];
  /** How many files were analysed. */
  readonly files: number;
}

/** How many findings there are of each severity, the suppressed ones apart. */
export type Counts = Readonly<Record<Severity | 'suppressed', number>>;

export function countsOf({ findings }: Report): Counts {
  const counts = { error: 0, warning: 0, info: 0, suppressed: 0 };
  for (const finding of findings) counts[finding.suppressed ? 'suppressed' : finding.severity]++;
  return counts;
}

/** The findings that are not suppressed. */
export function open({ findings }: Report): readonly Finding[] {
  return findings.filter(({ suppressed }) => !suppressed);
}

/** What one root's analysis gives to the report. */
export type Presentable = Omit<Report, 'files'>;

/** Makes a root's findings presentable: `shownAs` turns its paths into those that the user knows. */
export function presentable(
  { findings, problems, deployments }: Pick<CheckResult, 'findings' | 'problems' | 'deployments'>,
  shownAs: (path: string) => string,
): Presentable {
  const show = relocation(shownAs);
  return {
    findings: findings.map((finding) => presentableFinding(finding, show)),
    problems: problems.map(({ path, at, message }) => ({ path: shownAs(path), ...(at && { at: show(at) }), message: redact(message) })),
    deployments: deployments.map((deployment) => pictureOf(deployment, shownAs(deployment.name), show)),
  };
}

type Show = (place: Place) => Place;

/** Places in the files on disk, under the paths that are shown. One text stays one text. */
export function relocation(shownAs: (path: string) => string): Show {
  const shown = new Map<Text, Text>();
  return (place) => {
    const { text, range } = outermost(place);
    const known = shown.get(text) ?? textOf(shownAs(text.path), text.content);
    shown.set(text, known);
    return { text: known, range };
  };
}

function presentableFinding(finding: Finding, show: Show): Finding {
  return {
    ...finding,
    at: show(finding.at),
    message: redact(finding.message),
    related: finding.related.map(({ at, message }) => ({ at: show(at), message: redact(message) })),
    fixes: finding.fixes.map((fix) => presentableFix(fix, show)).filter((fix) => !touchesSecret(fix)),
    ...(finding.suppressed && { suppressed: { ...finding.suppressed, reason: redact(finding.suppressed.reason) } }),
  };
}

function presentableFix(fix: Fix, show: Show): Fix {
  const edits = fix.edits.map(({ text, range, insert }) => ({ ...show({ text, range }), insert }));
  return { title: redact(fix.title), safe: fix.safe, edits };
}

/** An edit with a hole where a secret was would break the file. */
export function touchesSecret({ edits }: Fix): boolean {
  return edits.some(
    ({ text, range, insert }) =>
      redact(insert) !== insert || secretsIn(text).some((secret) => secret.start < range.end && range.start < secret.end),
  );
}
