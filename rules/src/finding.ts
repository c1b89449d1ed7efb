import type { Place, Range, Text } from '@poolcheck/parsers/text';
import type { Evidence } from './known.ts';

export type Severity = 'error' | 'warning' | 'info';

/** The worst first. */
export const severities: readonly Severity[] = ['error', 'warning', 'info'];

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}

/** What a rule yields. The engine adds the rule's id, severity and page, and fills the message. */
export interface Report<MessageId extends string = string> {
  readonly at: Place;
  readonly message: MessageId;
  readonly data?: Readonly<Record<string, string | number>>;
  /** When it differs from the rule's own. */
  readonly severity?: Severity;
  /** The path of a leak, the terms of a sum, in reading order. */
  readonly related?: readonly Related[];
  readonly fixes?: readonly Fix[];
  /** What the fault is called in its file when lines move: an enclosing function, a key path. */
  readonly symbol?: string;
}

export interface Related {
  readonly at: Place;
  readonly message: string;
}

/** Evidence as something to look at; what stands nowhere is left out. */
export function asRelated(evidence: readonly Evidence[]): readonly Related[] {
  return evidence.flatMap(({ place, says }) => (place ? [{ at: place, message: says }] : []));
}

export interface Fix {
  readonly title: string;
  /** Applying it cannot change what right code does. */
  readonly safe: boolean;
  readonly edits: readonly Edit[];
}

/** Replaces `range` of `text` by `insert`. */
export interface Edit {
  readonly text: Text;
  readonly range: Range;
  readonly insert: string;
}

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** In the file on disk, never in an embedded text. */
  readonly at: Place;
  readonly related: readonly Related[];
  readonly fixes: readonly Fix[];
  /** Names the fault without its line; equal for the same fault in two versions of a file. */
  readonly fingerprint: string;
  /** Why it does not count: a comment, or that it was there before. */
  readonly suppressed?: Suppressed;
}

export interface Suppressed {
  readonly by: 'comment' | 'baseline' | 'since';
  readonly reason: string;
}

/** Something that was not analysed: a file that cannot be parsed, an include not found, a pool of unknown origin. */
export interface ProjectProblem {
  readonly path: string;
  readonly at?: Place;
  readonly message: string;
}
