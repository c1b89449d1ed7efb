import { lineRange, positionAt } from '@poolcheck/parsers/text';
import type { Finding, Fix, Severity } from '@poolcheck/rules/finding';
import { applyEdits } from '../output/diff.ts';
import type { Graph } from '../output/graph.ts';
import { secretsIn } from '../output/redact.ts';

/**
 * What a pull request does, as plain data. It may come out of a run that the change itself controls, so nothing in it is trusted: whatever
 * writes it into a comment neutralises it.
 */
export interface Change {
  /** The findings in the head, the suppressed ones too. */
  readonly faults: readonly Fault[];
  /** Fingerprints of the faults in the base; `unknown` when it could not be had. */
  readonly before: readonly string[] | 'unknown';
  readonly budgets: readonly BudgetChange[];
  /** Who talks to whom, of what changed. */
  readonly graph: Graph | undefined;
  readonly unread: readonly Unread[];
  /** Files that decide what is reported and that the change touches: poolcheck.yaml, the baseline. */
  readonly touchedSettings: readonly string[];
  /** How many comments that suppress findings the change adds. */
  readonly addedSuppressions: number;
}

export interface Fault {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly lines: Lines;
  readonly fingerprint: string;
  readonly suggestion?: Suggestion;
  /** Why it does not count. */
  readonly suppressed?: string;
}

/** Lines from 1, both ends included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Replaces whole lines by others. */
export interface Suggestion {
  readonly title: string;
  readonly lines: Lines;
  readonly replacement: readonly string[];
}

/** A database before and after; undefined where it is not. */
export interface BudgetChange {
  readonly deployment: string;
  readonly database: string;
  readonly before: BudgetFigures | undefined;
  readonly after: BudgetFigures | undefined;
}

/** Numbers of connections, as they are shown: "84", "84–90". */
export interface BudgetFigures {
  readonly accepts: string;
  readonly steady: string;
  readonly rollout: string;
}

/** A file, or a place in it, that was not analysed. */
export interface Unread {
  readonly file: string;
  readonly message: string;
}

/** A finding of a report as a fault of a change. */
export function faultOf({ rule, severity, message, at, fixes, fingerprint, suppressed }: Finding): Fault {
  const suggestion = fixes[0] && suggestionOf(fixes[0], at.text.path);
  return {
    rule,
    severity,
    message,
    file: at.text.path,
    lines: { first: positionAt(at.text, at.range.start).line, last: positionAt(at.text, at.range.end).line },
    fingerprint,
    ...(suggestion && { suggestion }),
    ...(suppressed && { suppressed: suppressed.reason }),
  };
}

/** Larger ones are better read in the terminal. */
const mostLines = 30;

/** A fix as whole lines of the finding's file; undefined when it is of another file, large, or on a line with a secret. */
function suggestionOf({ title, edits }: Fix, path: string): Suggestion | undefined {
  const text = edits[0]?.text;
  if (text?.path !== path || edits.some((edit) => edit.text !== text)) return undefined;
  const after = applyEdits(text, edits);
  const first = positionAt(text, Math.min(...edits.map(({ range }) => range.start))).line;
  const last = positionAt(text, Math.max(...edits.map(({ range }) => range.end))).line;
  if (after === undefined || last - first >= mostLines) return undefined;
  const start = lineRange(text, first).start;
  const end = lineRange(text, last).end;
  if (secretsIn(text).some((secret) => secret.start < end && start < secret.end)) return undefined;
  const replacement = after.slice(start, end + after.length - text.content.length).split(/\r\n|\r|\n/);
  return { title, lines: { first, last }, replacement };
}
