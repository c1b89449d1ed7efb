import type { Method, SizeReadings } from './driver.ts';

/** The same fact for each name of a list. */
export function each<Fact>(names: string, fact: Fact): Readonly<Record<string, Fact>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, fact]));
}

/** What a transaction is given back by. */
export const commit: Method = { does: 'release', settles: 'commit' };
export const rollback: Method = { does: 'release', settles: 'rollback' };

export const nothing: Method = { does: 'nothing' };
export const close: Method = { does: 'close' };

export const closeUntilUsed: Method = { does: 'close', until: 'used' };
export const closeUntilOpened: Method = { does: 'close', until: 'opened' };

/** https://github.com/vincit/tarn.js#usage: it throws an error for any other. */
export const tarnOptions: readonly string[] =
  'validate log createTimeoutMillis destroyTimeoutMillis reapIntervalMillis createRetryIntervalMillis propagateCreateError'.split(' ');

/** https://github.com/vincit/tarn.js/blob/master/src/Pool.ts, and sequelize-pool alike: the size must be a whole number above 0. */
export const strictSizes: SizeReadings = {
  digits: 'refused',
  text: 'refused',
  empty: 'refused',
  nan: 'refused',
  zero: 'refused',
  negative: 'refused',
  fraction: 'refused',
  infinite: 'unlimited',
};

/** https://github.com/coopernurse/node-pool/blob/master/lib/PoolOptions.js: `Math.max(parseInt(max, 10), 1)`, and 1 for what is no number. */
export const lenientSizes: SizeReadings = {
  digits: 'itself',
  text: 'one',
  empty: 'one',
  nan: 'one',
  zero: 'one',
  negative: 'one',
  fraction: 'itself',
  infinite: 'one',
};

/** The methods of an event emitter. */
export const emitter = each('on once off addListener removeListener removeAllListeners', nothing);
