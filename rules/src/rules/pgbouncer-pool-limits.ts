import { parameter, type Connection } from '@poolcheck/parsers/pgbouncer/document';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import type { Report } from '../finding.ts';
import { PgbouncerReader, versionThatReads, type Amount } from '../pgbouncer/read.ts';
import { documentRule } from '../rule.ts';

type MessageId = 'capped' | 'noReserve' | 'minimum' | 'session' | 'everyName';

export default documentRule({
  id: 'pgbouncer-pool-limits',
  severity: 'warning',
  summary: 'Sizes of PgBouncer contradict each other, so that one of them is never reached.',
  kind: 'pgbouncer',
  messages: {
    capped:
      'A pool of {size} is never reached: max_db_connections ends at {cap} for all users of {name} together, and clients wait while the pool looks half empty.',
    noReserve: 'The reserve of {reserve} is never used: the pool of {name} already takes all {cap} of max_db_connections.',
    minimum: 'A minimum of {minimum} is never kept: the pool ends at {size}.',
    session:
      'pool_mode is not set, so each of up to {clients} clients keeps a server connection for as long as it is connected: beyond {size} for each database and user they wait, and are cut off after query_wait_timeout.',
    everyName:
      'Every database name that a client asks for goes to {database}, each with a pool of its own: a client that misspells it gets a further {size} connections.',
  },
  *check({ document }, deployments, versions) {
    const reader = new PgbouncerReader(document, versionThatReads(document, deployments, versions));
    for (const [, entry] of document.databases) yield* aboutEntry(entry, reader);
    yield* aboutMinimum(reader);
    yield* aboutSessions(reader);
  },
});

function* aboutEntry(entry: Connection, reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const name = entry.key.value;
  const size = positive(reader.own(entry, 'pool_size') ?? reader.number('default_pool_size'));
  const cap = positive(reader.own(entry, 'max_db_connections') ?? reader.number('max_db_connections'));
  const reserve = positive(
    reader.own(entry, 'reserve_pool_size') ?? reader.own(entry, 'reserve_pool') ?? reader.number('reserve_pool_size'),
  );
  const minimum = positive(reader.own(entry, 'min_pool_size'));
  if (size?.place && cap?.place && size.value > cap.value) {
    yield {
      at: nearer(size, cap, entry),
      message: 'capped',
      data: { size: size.value, cap: cap.value, name },
      related: about(cap, 'max_db_connections'),
    };
  } else if (size && cap?.place && reserve?.place && size.value === cap.value) {
    yield {
      at: nearer(reserve, cap, entry),
      message: 'noReserve',
      data: { reserve: reserve.value, cap: cap.value, name },
      related: about(cap, 'max_db_connections'),
    };
  }
  if (minimum?.place && size && minimum.value > size.value) {
    yield { at: minimum.place, message: 'minimum', data: { minimum: minimum.value, size: size.value }, related: about(size, 'the size') };
  }
  const database = parameter(entry, 'dbname');
  if (name === '*' && database && size) {
    yield {
      at: placeOf(entry.text, database.range),
      message: 'everyName',
      severity: 'info',
      data: { database: database.value, size: size.value },
    };
  }
}

/** Where the entry itself says one of them; else where the first is said. */
function nearer(first: Amount, second: Amount, { text, value }: Connection): Place {
  const isWithin = ({ place }: Amount) =>
    place?.text === text && value.range.start <= place.range.start && place.range.end <= value.range.end;
  const told = isWithin(first) ? first : isWithin(second) ? second : first;
  return told.place ?? placeOf(text, value.range);
}

function about({ place }: Amount, message: string): NonNullable<Report['related']> {
  return place ? [{ at: place, message }] : [];
}

/** 0 is no limit, or no reserve. */
function positive(amount: Amount | undefined): Amount | undefined {
  return amount && amount.value > 0 ? amount : undefined;
}

function* aboutMinimum(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const minimum = reader.number('min_pool_size');
  const size = positive(reader.number('default_pool_size'));
  if (!minimum?.place || !size || minimum.value <= size.value) return;
  yield { at: minimum.place, message: 'minimum', data: { minimum: minimum.value, size: size.value }, related: about(size, 'the size') };
}

/** So many clients for each server connection are meant for transaction mode. */
const many = 10;

function* aboutSessions(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const { document } = reader;
  const clients = reader.number('max_client_conn');
  const size = positive(reader.number('default_pool_size'));
  const saysMode =
    reader.written('pool_mode') ??
    [...document.databases.values(), ...document.users.values()].find((each) => parameter(each, 'pool_mode'));
  if (saysMode || !document.complete || !clients?.place || !size) return;
  if (clients.value < size.value * many * Math.max(1, document.databases.size)) return;
  yield {
    at: clients.place,
    message: 'session',
    data: { clients: clients.value, size: size.value },
    related: about(size, 'the size of each pool'),
  };
}
