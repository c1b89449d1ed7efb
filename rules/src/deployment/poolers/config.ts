import type { Place } from '@poolcheck/parsers/text';
import type { Said } from '../databases/options.ts';

/** What a pooler is told, whether by a file or by variables. */
export interface PoolerConfig {
  /** A setting for the whole pooler; undefined: not set. */
  setting(name: string): Said | undefined;
  readonly databases: readonly ConfiguredDatabase[];
  /** The mode of a server user, which beats that of the database. */
  modeOfUser(user: string): Said | undefined;
  /** Some users have sizes of their own. */
  readonly sizesUsers: boolean;
}

/** One line of `[databases]`. */
export interface ConfiguredDatabase {
  readonly name: string;
  readonly at: Place;
  parameter(name: string): Said | undefined;
}
