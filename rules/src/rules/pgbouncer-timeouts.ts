import type { PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import type { Deployment, ServicePool } from '../deployment/model.ts';
import type { Related, Report } from '../finding.ts';
import { configures, PgbouncerReader, versionThatReads, type Amount } from '../pgbouncer/read.ts';
import { documentRule } from '../rule.ts';
import { poolIdleOf, showIdle } from '../source/pool-idle.ts';
import { isBefore } from '../version.ts';

type MessageId = 'endless' | 'reserveOff' | 'reserveLate' | 'singleUse' | 'cutsIdle' | 'cutsOthers';

export default documentRule({
  id: 'pgbouncer-timeouts',
  severity: 'warning',
  summary: 'A timeout of PgBouncer is off, comes too late, or cuts connections that their clients still count on.',
  kind: 'pgbouncer',
  messages: {
    endless: 'query_wait_timeout is off: a client waits for a server connection for ever, and nobody hears that the pool is full.',
    reserveOff: 'The reserve of {reserve} is never used: reserve_pool_timeout is off.',
    reserveLate:
      'The reserve of {reserve} is never used: clients would get it after {reserveTimeout} s, and are cut off after {waitTimeout} s (query_wait_timeout).',
    singleUse: 'server_lifetime is 0: each server connection is used once, so that every transaction starts a new one.',
    cutsIdle:
      'Clients that are idle for {seconds} s are cut off, but {pool} keeps its connections for {idle}: it hands out dead ones, and their first query fails.',
    cutsOthers:
      'As client_idle_timeout is 0 in [pgbouncer], a user with one of its own makes PgBouncer cut off the idle clients of all other users within a second. Set a large one in [pgbouncer], too.',
  },
  *check({ document }, deployments, versions) {
    const reader = new PgbouncerReader(document, versionThatReads(document, deployments, versions));
    yield* aboutWaiting(reader);
    yield* aboutServers(reader);
    yield* aboutIdleClients(reader, deployments);
    yield* aboutUsers(reader);
  },
});

function* aboutWaiting(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const wait = reader.seconds('query_wait_timeout');
  const before = reader.seconds('reserve_pool_timeout');
  const reserve = reader.number('reserve_pool_size');
  if (wait?.place && wait.value === 0) yield { at: wait.place, message: 'endless' };
  if (!reserve?.place || reserve.value <= 0 || !before) return;
  const related = about(reserve, 'the reserve');
  if (before.value === 0 && before.place) yield { at: before.place, message: 'reserveOff', data: { reserve: reserve.value }, related };
  const isLate = wait && wait.value > 0 && before.value >= wait.value;
  const at = before.place ?? wait?.place;
  if (!isLate || !at) return;
  const data = { reserve: reserve.value, reserveTimeout: before.value, waitTimeout: wait.value };
  yield { at, message: 'reserveLate', data, related: [...related, ...(wait.place === at ? [] : about(wait, 'query_wait_timeout'))] };
}

function* aboutServers(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const lifetime = reader.seconds('server_lifetime');
  if (lifetime?.place && lifetime.value === 0) yield { at: lifetime.place, message: 'singleUse' };
}

/** A driver that keeps an idle connection longer than PgBouncer does finds it closed. */
function* aboutIdleClients(reader: PgbouncerReader, deployments: readonly Deployment[]): Iterable<Report<MessageId>> {
  const timeout = reader.seconds('client_idle_timeout');
  if (!timeout?.place || timeout.value === 0) return;
  for (const { services } of deployments) {
    for (const { environment, pools } of services) {
      for (const pool of pools.filter((each) => goesThrough(each, reader.document))) {
        const idle = poolIdleOf(pool.site, environment);
        if (!idle || idle.seconds <= timeout.value) continue;
        const data = { seconds: timeout.value, pool: pool.site.name ?? `the ${pool.site.role}`, idle: showIdle(idle) };
        yield { at: timeout.place, message: 'cutsIdle', data, related: [{ at: idle.place, message: 'kept for so long' }] };
        return;
      }
    }
  }
}

function goesThrough({ target }: ServicePool, document: PgbouncerDocument): boolean {
  return target?.kind === 'pooler' && configures(document, target.pooler);
}

/** Seen from 1.24 on: once one user has the setting, the check is made for all. */
function* aboutUsers(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const forAll = reader.seconds('client_idle_timeout');
  const { version } = reader;
  if (!forAll || forAll.value !== 0 || (version && isBefore(version, [1, 24, 0]))) return;
  for (const [, user] of reader.document.users) {
    const own = reader.own(user, 'client_idle_timeout');
    if (!own?.place || own.value <= 0) continue;
    const isSession = reader.text('pool_mode')?.toLowerCase() === 'session';
    yield { at: own.place, message: 'cutsOthers', severity: isSession ? 'warning' : 'error' };
  }
}

function about({ place }: Amount, message: string): readonly Related[] {
  return place ? [{ at: place, message }] : [];
}
