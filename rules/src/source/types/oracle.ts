import type { Place } from '@poolcheck/parsers/text';
import type { ProjectProblem } from '../../finding.ts';
import type { DeclaredType } from '../../knowledge/declared-type.ts';

/** Answers what a type checker knows of expressions. Asked only where syntax and imports say nothing. */
export interface TypeOracle {
  /** The type of the expression at a place, then those it is derived from, nearest first. */
  typesOf(expression: Place): readonly DeclaredType[];
}

/** A type checker, before it is known which files it is asked about. */
export interface Types {
  /** Whether a package outside the root is built on a driver, so that who imports it is worth analysing. */
  isBuiltOnDriver(from: string, specifier: string): boolean;
  /** Gets ready to answer about these files of the root. */
  about(paths: readonly string[]): TypeOracle;
  /** What could not be asked about, and why. */
  problems(): readonly ProjectProblem[];
}
