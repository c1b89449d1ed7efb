import type { Place } from '@poolcheck/parsers/text';
import type { SqlStatement } from '@poolcheck/parsers/sql/lexer';
import type { Module } from './module.ts';
import type { PoolSite } from './pools.ts';

/** One SQL statement that the source sends. */
export interface Statement {
  readonly module: Module;
  /** The call that sends it. */
  readonly place: Place;
  readonly sql: SqlStatement;
  /** What it is sent through: the pool object itself, a lease taken from a pool, or a connection of its own. */
  readonly through: 'pool' | 'lease' | 'connection';
  /** The pool or connection behind it, when it is known which. */
  readonly site: PoolSite | undefined;
}
