import type { Place } from '@poolcheck/parsers/text';
import type { Said } from '../databases/options.ts';

/** What a pooler is told, whether by a file or by variables. */
export interface PoolerConfig {
  /** A setting for the whole pooler; undefined: not set. */
  setting(name: string): Said | undefined;
  readonly databases: readonly ConfiguredDatabase[];
  /** What is said of single users. */
  readonly users: ReadonlyMap<string, ConfiguredUser>;
}

/** One line of `[users]`. */
export interface ConfiguredUser {
  parameter(name: string): Said | undefined;
}

/** One line of `[databases]`. */
export interface ConfiguredDatabase {
  readonly name: string;
  readonly at: Place;
  parameter(name: string): Said | undefined;
}
