import { changing } from '../changing.ts';
import type { Driver, Method, UnknownOption } from '../driver.ts';
import { closeUntilOpened, commit, each, nothing, rollback, strictSizes, tarnOptions } from '../facts.ts';
import { pgSince, pgStartup } from './pg.ts';

const raw: Method = { does: 'query', sql: 0 };

/** With a callback it commits and rolls back by itself; without one, the transaction holds a connection until either is called. */
const transaction: Method = { does: 'acquire', gives: { resource: 'trx', as: 'promise' }, orScoped: true, settledByPromise: true };

/** What they start borrows a connection when it is waited for. */
const builders = each('select insert from into table with batchInsert', { does: 'borrow' } as const);

const makes = { calls: { resource: 'knex', as: 'value' } } as const;

export const knex: Driver = {
  name: 'Knex',
  engine: 'any',
  source: 'https://knexjs.org/guide/#pool',
  packages: {
    knex: {
      // Until 0.95 the types stood beside the default export.
      '': { ...makes, type: 'handle' },
      Transaction: { type: 'trx' },
      knex: makes,
      Knex: { ...makes, type: 'handle' },
      'Knex.Transaction': { type: 'trx' },
    },
  },
  resources: {
    knex: {
      role: 'pool',
      methods: { on: nothing, initialize: { does: 'open' }, raw, transaction, destroy: closeUntilOpened, ...builders },
      callBorrows: true,
      properties: { client: 'client' },
      options: {
        argument: 0,
        max: { names: ['pool.max'], default: 10, reads: { ...strictSizes, zero: 'none' } },
        min: { names: ['pool.min'], enforced: { default: 2 } },
        idleTimeout: { names: ['pool.idleTimeoutMillis'], unit: 'ms' },
        maxLifetime: { names: ['pool.maxConnectionLifetimeMillis'], unit: 'ms' },
        others: { pool: [...tarnOptions, 'afterCreate', 'maxConnectionLifetimeJitterMillis'] },
        unknownOption: changing<UnknownOption>('ignored', ['knex@0.19.0', 'refused']),
        // https://github.com/knex/knex/blob/master/CHANGELOG.md
        since: {
          connectionPool: 'knex@3.3.0',
          'pool.maxConnectionLifetimeMillis': 'knex@3.2.0',
          'pool.maxConnectionLifetimeJitterMillis': 'knex@3.2.0',
          ...pgSince('connection'),
        },
        acquireTimeout: { names: ['acquireConnectionTimeout', 'pool.acquireTimeoutMillis'], unit: 'ms', default: 60_000 },
        target: {
          url: ['connection', 'connection.connectionString'],
          host: ['connection.host'],
          port: ['connection.port'],
          database: ['connection.database'],
          user: ['connection.user'],
        },
        startup: { within: { connection: pgStartup } },
        shares: { option: 'connectionPool' },
        system: 'client',
      },
    },
    /** What is typed `Knex` may be the pool or a transaction of it. */
    handle: { role: 'connection', methods: { raw, transaction } },
    client: {
      role: 'pool',
      methods: {
        acquireConnection: { does: 'acquire', gives: { resource: 'connection', as: 'promise' } },
        releaseConnection: { does: 'release', argument: 0 },
      },
    },
    connection: { role: 'lease', methods: {}, secondRelease: 'ignored' },
    trx: {
      role: 'lease',
      methods: { raw, commit, rollback },
      tells: { released: 'isCompleted' },
      deadOnceReleased: true,
      lentBy: { methods: ['transacting', 'query', 'transaction'] },
    },
  },
};
