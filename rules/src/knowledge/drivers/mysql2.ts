import { changing } from '../changing.ts';
import type { Driver, Gives, Method, PoolOptions, SecondRelease, SizeReadings } from '../driver.ts';

/** https://github.com/sidorares/node-mysql2/blob/master/lib/pool_config.js: `isNaN(limit) ? 10 : Number(limit)`, of which 0 has no limit */
const sizes: SizeReadings = {
  digits: 'itself',
  text: 'default',
  empty: 'unlimited',
  nan: 'default',
  zero: 'unlimited',
  negative: 'none',
  fraction: 'itself',
  infinite: 'unlimited',
};

const options: PoolOptions = {
  argument: 0,
  // There is no acquire timeout: a full pool queues for ever unless `waitForConnections` is false.
  max: { names: ['connectionLimit'], default: 10, reads: sizes },
  idleTimeout: { names: ['idleTimeout'], unit: 'ms' },
  // https://github.com/sidorares/node-mysql2/blob/master/lib/connection_config.js: validOptions
  others: {
    '': (
      'authPlugins authSwitchHandler bigNumberStrings charset charsetNumber compress connectAttributes connectTimeout dateStrings debug ' +
      'decimalNumbers disableEval enableCleartextPlugin enableKeepAlive flags gracefulEnd infileStreamFactory insecureAuth isServer ' +
      'jsonStrings keepAliveInitialDelay localAddress maxIdle maxPreparedStatements multipleStatements namedPlaceholders nestTables password ' +
      'password1 password2 password3 passwordSha1 pool Promise queryFormat queueLimit resetOnRelease rowsAsArray socketPath ssl stream ' +
      'stringifyObjects supportBigNumbers timezone trace typeCast waitForConnections'
    ).split(' '),
  },
  unknownOption: 'ignored with a warning',
  // https://github.com/sidorares/node-mysql2/blob/master/Changelog.md
  since: {
    disableEval: 'mysql2@3.13.0',
    enableCleartextPlugin: 'mysql2@3.22.0',
    gracefulEnd: 'mysql2@3.15.0',
    idleTimeout: 'mysql2@3.1.0',
    infileStreamFactory: 'mysql2@3.6.0',
    jsonStrings: 'mysql2@3.10.0',
    maxIdle: 'mysql2@3.1.0',
    password1: 'mysql2@3.0.0',
    password2: 'mysql2@3.0.0',
    password3: 'mysql2@3.0.0',
    resetOnRelease: 'mysql2@3.22.0',
  },
  target: { url: ['uri'], host: ['host'], port: ['port'], database: ['database'], user: ['user'] },
  defaultPort: 3306,
  urlArgument: true,
  urlOptions: true,
};

const query = { does: 'query', sql: 0, text: 'sql', clientTimeout: 'timeout' } as const;
const nothing: Method = { does: 'nothing' };
const events = { on: nothing, once: nothing, off: nothing, addListener: nothing, removeListener: nothing };
const statements = { query, execute: query, format: nothing, escape: nothing, escapeId: nothing };

const transactions: Readonly<Record<string, Method>> = {
  beginTransaction: { does: 'transaction', step: 'begins' },
  commit: { does: 'transaction', step: 'commits' },
  rollback: { does: 'transaction', step: 'rolls back' },
  ping: nothing,
  changeUser: nothing,
  prepare: nothing,
};

/** The callback and the promise flavour have the same methods; `getConnection` hands over differently. */
function flavour(as: Gives['as'], pool: string, lease: string) {
  const promised = as === 'promise';
  // It throws an error for a function: https://github.com/sidorares/node-mysql2/blob/master/promise.js
  const promising: Method = { ...query, ignoresCallback: true };
  const sends = promised ? { ...statements, query: promising, execute: promising } : statements;
  return {
    [pool]: {
      role: 'pool',
      methods: {
        ...events,
        ...sends,
        getConnection: { does: 'acquire', gives: { resource: lease, as } },
        releaseConnection: { does: 'release', argument: 0 },
        promise: { does: 'view', gives: { resource: 'promisePool', as: 'value' } },
        end: { does: 'close', endsLeases: true },
      },
      ...(promised ? { properties: { pool: 'pool' } } : {}),
      options,
    },
    [lease]: {
      role: 'lease',
      methods: {
        ...events,
        ...sends,
        ...transactions,
        release: { does: 'release' },
        destroy: { does: 'release', destroys: 'always' },
        promise: { does: 'view', gives: { resource: 'promiseLease', as: 'value' } },
        end: { does: 'release' },
      },
      ...(promised ? { properties: { connection: 'lease' } } : {}),
      // https://github.com/sidorares/node-mysql2/blob/v3.19.0/lib/base/pool.js: it is put among the free ones twice
      secondRelease: changing<SecondRelease>('lends twice', ['mysql2@3.20.0', 'ignored']),
      resetsOnRelease: { option: 'resetOnRelease', default: false },
    },
  } as const;
}

const connectionMethods = { ...events, ...statements, ...transactions, end: { does: 'close' }, destroy: { does: 'close' } } as const;

export const mysql2: Driver = {
  name: 'mysql2',
  engine: 'mysql',
  source: 'https://sidorares.github.io/node-mysql2/docs',
  packages: {
    mysql2: {
      createPool: { calls: { resource: 'pool', as: 'value' } },
      createConnection: { calls: { resource: 'connection', as: 'value' } },
      Pool: { type: 'pool' },
      PoolConnection: { type: 'lease' },
      Connection: { type: 'connection' },
    },
    'mysql2/promise': {
      createPool: { calls: { resource: 'promisePool', as: 'value' } },
      createConnection: { calls: { resource: 'connection', as: 'promise' } },
      Pool: { type: 'promisePool' },
      PoolConnection: { type: 'promiseLease' },
      Connection: { type: 'connection' },
    },
  },
  resources: {
    ...flavour('callback', 'pool', 'lease'),
    ...flavour('promise', 'promisePool', 'promiseLease'),
    connection: { role: 'connection', methods: connectionMethods, options, badPerRequest: true },
  },
};
