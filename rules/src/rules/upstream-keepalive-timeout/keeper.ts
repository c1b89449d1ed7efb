import type { Place } from '@poolcheck/parsers/text';
import type { Fix } from '../../finding.ts';
import type { Evidence, Known } from '../../known.ts';

/** A server behind a proxy, as far as it keeps idle connections. */
export interface Keeper {
  /** What it is, the same for every route to it. */
  readonly is: object;
  readonly at: Place;
  /** What sets the time. */
  readonly setting: string;
  /** Whose default holds otherwise. */
  readonly owner: string;
  readonly isSet: boolean;
  /** How long it keeps an idle connection, ms. */
  readonly closes: Known;
  /** How much longer it may keep one, ms. */
  readonly buffer: number;
  readonly evidence: readonly Evidence[];
  /** A time as it would be written. */
  show(milliseconds: number): string;
  fixes(milliseconds: number): readonly Fix[];
}
