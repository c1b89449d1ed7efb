import { classify } from '../../sql/classify.ts';
import type { SqlEffect } from '../../sql/effect.ts';
import { isWithin } from '../leases/sites.ts';
import type { Sending } from '../statements.ts';
import { mentionsAny } from './waits.ts';
import type { Held } from './held.ts';

/** What messages call a held connection: the variable that holds it, when it is clear which. */
export function describeHeld({ names: [first, ...others] }: Held): string {
  return first && others.length === 0 ? first.name : 'a connection';
}

/** Whether what is held is a connection to a database: not a browser of a pool of browsers, and not a session of MongoDB, which holds none. */
export function isDatabaseConnection({ resource: { driver } }: Held): boolean {
  const sends = Object.values(driver.resources).some(({ methods }) =>
    Object.values(methods).some(({ does }) => does === 'query' || does === 'borrow'),
  );
  return sends && driver.engine !== 'mongodb' && driver.engine !== 'redis';
}

/** Whether a connection is one to be held, by what its module sends: it listens, or its session has a lock that lasts as long as the work. */
export function isHeldOnPurpose(held: Held, sendings: readonly Sending[]): boolean {
  return listens(held, sendings) || sends(held, sendings, (effect) => effect.kind === 'advisory-lock' && effect.scope === 'session');
}

/** Whether what is sent on a connection makes its session listen for notifications. */
export function listens(held: Held, sendings: readonly Sending[]): boolean {
  return sends(held, sendings, ({ kind }) => kind === 'listen');
}

function sends({ names, fn }: Held, sendings: readonly Sending[], isWanted: (effect: SqlEffect) => boolean): boolean {
  return sendings.some(
    ({ call, statements, dialect }) =>
      isWithin(call, fn) && mentionsAny(call, names) && statements.some((statement) => classify(statement, dialect).some(isWanted)),
  );
}
