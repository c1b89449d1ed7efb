import type { Related, Report } from '../finding.ts';
import { deploymentRule } from '../rule.ts';
import { nameOfHost } from '../source/describe.ts';
import type { PoolSite } from '../source/pools.ts';
import type { SessionState } from '../sql/session-state.ts';
import { lostKeptIn } from './no-session-state-in-transaction-mode/kept.ts';
import { type LostOnTheWay, lostStatesIn, pinningStatesIn, type PoolerTarget } from './no-session-state-in-transaction-mode/lost.ts';

export default deploymentRule({
  id: 'no-session-state-in-transaction-mode',
  severity: 'error',
  summary: 'State of the session is set through a pooler that gives every transaction another session.',
  messages: {
    set: '{statement} goes through {pooler} in {mode} mode: it stays on whichever server connection is lent for it, so other clients get it and this one loses it. {fix}',
    listen:
      '{statement} goes through {pooler} in {mode} mode: the subscription stays on one server connection, whose notifications this client does not get. {fix}',
    subscribed:
      '{by} listens through {pooler} in {mode} mode: the subscription stays on one server connection, whose notifications it does not get. {fix}',
    lock: '{statement} goes through {pooler} in {mode} mode: the lock stays on a server connection that other clients use too, and unlocking may reach another one. {fix}',
    made: '{statement} goes through {pooler} in {mode} mode: what it makes stays on one server connection, where the next statement may not find it and other clients do. {fix}',
    gone: '{statement} goes through {pooler}, which in {mode} mode clears the session after each transaction: the next one does not have it any more. {fix}',
    pinned:
      '{statement} goes through {pooler}, which then keeps the server connection for this client until it disconnects: with every client that does so, there is one less to share. {fix}',
    undo: '{statement} goes through {pooler} in {mode} mode: it acts on whichever server connection is lent for it, not on the one that it is meant for. {fix}',
  },
  *check(deployment) {
    for (const lost of lostStatesIn(deployment)) {
      const isAssumed = lost.target.entry.mode.source === 'assumed';
      yield { ...reportOf(lost), message: messageFor(lost), ...(isAssumed && { severity: 'warning' }) };
    }
    for (const pinning of pinningStatesIn(deployment)) yield { ...reportOf(pinning), message: 'pinned', severity: 'warning' };
    for (const { kept, site, target } of lostKeptIn(deployment, 'subscription')) {
      yield {
        at: kept.place,
        message: 'subscribed',
        ...(target.entry.mode.source === 'assumed' && { severity: 'warning' }),
        data: { by: kept.by, pooler: target.pooler.name, mode: target.entry.mode.value, fix: direct },
        related: wayOf(site, target),
      };
    }
  },
});

function reportOf({ sending, state, undone, site, target }: LostOnTheWay): Omit<Report, 'message'> {
  return {
    at: sending.place,
    data: { statement: state.statement, pooler: target.pooler.name, mode: target.entry.mode.value, fix: fixFor(state) },
    related: [
      ...undone.map(({ place }) => ({ at: place, message: 'meant for the same session, but may reach another one' })),
      ...wayOf(site, target),
    ],
    symbol: nameOfHost(sending.call),
  };
}

function messageFor({ state, target }: LostOnTheWay) {
  if (state.undoes) return 'undo';
  return target.pooler.behaviour.lost(state) === 'gone' ? 'gone' : messageOf[state.kind];
}

const messageOf = {
  parameter: 'set',
  role: 'set',
  characteristics: 'set',
  subscription: 'listen',
  lock: 'lock',
  temporary: 'made',
  cursor: 'made',
  prepared: 'made',
  library: 'made',
} as const satisfies Record<SessionState['kind'], string>;

const direct = 'Use a connection that goes to PostgreSQL directly, or through an entry in session mode.';

const fixes: Readonly<Record<SessionState['kind'], string>> = {
  parameter: 'Use SET LOCAL inside the transaction that needs it, or ALTER ROLE … SET for all.',
  role: 'Use SET LOCAL ROLE inside the transaction that needs it.',
  characteristics: 'Say it with BEGIN, for each transaction.',
  subscription: direct,
  lock: 'Use pg_advisory_xact_lock inside a transaction, whose end gives it back.',
  temporary: 'Create the table with ON COMMIT DROP, and use it in that transaction only.',
  cursor: 'Use a cursor without HOLD inside a transaction.',
  prepared: 'Let the driver prepare it (a query with a name), and PgBouncer track it: max_prepared_statements.',
  library: 'Load it for all with session_preload_libraries.',
};

function fixFor({ kind, statement }: SessionState): string {
  if (statement.startsWith('set_config')) return 'Pass true as its third argument, inside the transaction that needs it.';
  if (statement === 'SET SESSION AUTHORIZATION' || /VIEW|SEQUENCE/.test(statement)) return direct;
  return fixes[kind];
}

/** The way of the statement: the pool, what says where it connects, and the mode. */
function wayOf({ place, name, role }: PoolSite, { pooler, entry, evidence }: PoolerTarget): readonly Related[] {
  const way = [{ place, says: `${name ?? `the ${role}`} is made here` }, ...evidence, entry.mode.evidence];
  return way.flatMap((each) =>
    each.place ? [{ at: each.place, message: each === entry.mode.evidence ? `${pooler.name}: ${each.says}` : each.says }] : [],
  );
}
