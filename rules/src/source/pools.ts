import type { Place } from '@poolcheck/parsers/text';
import type { Driver } from '../knowledge/driver.ts';
import type { Module } from './module.ts';
import type { Setting } from './setting.ts';

/** Where the source makes a pool, or a single connection of its own. */
export interface PoolSite {
  readonly driver: Driver;
  readonly role: 'pool' | 'connection';
  readonly module: Module;
  /** The construction: `new Pool({…})`. */
  readonly place: Place;
  /** The variable, field or property it is kept in, for messages. */
  readonly name: string;
  /** undefined: not given, the driver's default holds; `unknown` when the options cannot be read. */
  readonly max: Setting | undefined;
  readonly acquireTimeout: Setting | undefined;
  /** The option object could be read whole: what is not in it is not set. */
  readonly complete: boolean;
  readonly target: TargetSettings;
}

/** Where a pool connects, as the source says. */
export interface TargetSettings {
  readonly url: Setting | undefined;
  readonly host: Setting | undefined;
  readonly port: Setting | undefined;
  readonly database: Setting | undefined;
}
