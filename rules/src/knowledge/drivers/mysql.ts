import type { Driver, PoolOptions } from '../driver.ts';
import { close, emitter, nothing } from '../facts.ts';

export const mysqlOptions: PoolOptions = {
  argument: 0,
  // `acquireTimeout` covers the handshake, not the queue.
  max: { names: ['connectionLimit'], default: 10 },
  // https://github.com/mysqljs/mysql/tree/master/lib: ConnectionConfig.js and PoolConfig.js
  others: {
    '': (
      'acquireTimeout bigNumberStrings charset charsetNumber connectTimeout dateStrings debug flags insecureAuth ' +
      'localAddress localInfile multipleStatements password pool queryFormat queueLimit socketPath ssl stringifyObjects ' +
      'supportBigNumbers timezone trace typeCast waitForConnections'
    ).split(' '),
  },
  unknownOption: 'ignored',
  target: { url: [], host: ['host'], port: ['port'], database: ['database'], user: ['user'] },
  defaultPort: 3306,
  urlArgument: true,
  urlOptions: true,
};

const statements = { query: { does: 'query', sql: 0, text: 'sql' }, escape: nothing, escapeId: nothing } as const;

export const mysql: Driver = {
  name: 'mysql',
  engine: 'mysql',
  source: 'https://github.com/mysqljs/mysql#pooling-connections',
  packages: {
    mysql: {
      createPool: { calls: { resource: 'pool', as: 'value' } },
      createConnection: { calls: { resource: 'connection', as: 'value' } },
      Pool: { type: 'pool' },
      PoolConnection: { type: 'lease' },
      Connection: { type: 'connection' },
    },
  },
  resources: {
    pool: {
      role: 'pool',
      methods: {
        ...emitter,
        ...statements,
        getConnection: { does: 'acquire', gives: { resource: 'lease', as: 'callback' } },
        releaseConnection: { does: 'release', argument: 0 },
        end: { does: 'close', endsLeases: true },
      },
      options: mysqlOptions,
    },
    lease: {
      role: 'lease',
      methods: {
        ...emitter,
        ...statements,
        beginTransaction: { does: 'transaction', step: 'begins' },
        commit: { does: 'transaction', step: 'commits' },
        rollback: { does: 'transaction', step: 'rolls back' },
        release: { does: 'release' },
        end: { does: 'release' },
        destroy: { does: 'release', destroys: 'always' },
      },
      secondRelease: 'throws',
    },
    connection: {
      role: 'connection',
      methods: { ...emitter, ...statements, connect: { does: 'open' }, end: close, destroy: close },
      options: mysqlOptions,
      badPerRequest: true,
    },
  },
};
