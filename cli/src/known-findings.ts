import type { Finding } from '@poolcheck/rules/finding';

/** Faults that were there before, by their fingerprints. */
export interface KnownFindings {
  readonly by: 'baseline' | 'since';
  readonly reason: string;
  has(fingerprint: string): boolean;
}

/** Marks the findings that are known; what a comment suppresses stays marked by that. */
export function markKnown(findings: readonly Finding[], known: readonly KnownFindings[]): readonly Finding[] {
  return findings.map((finding) => {
    const match = finding.suppressed ? undefined : known.find((each) => each.has(finding.fingerprint));
    return match ? { ...finding, suppressed: { by: match.by, reason: match.reason } } : finding;
  });
}
