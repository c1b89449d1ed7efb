import type { Driver, Method, Resource } from '../driver.ts';
import { close, each, emitter, nothing } from '../facts.ts';
import { mysqlOptions } from './mysql.ts';

const query: Method = { does: 'query', sql: 0, text: 'sql' };
const statements = {
  ...emitter,
  ...each('escape escapeId format ping changeUser statistics pause resume', nothing),
  query,
  queryStream: query,
};

const transactions = {
  beginTransaction: { does: 'transaction', step: 'begins' },
  commit: { does: 'transaction', step: 'commits' },
  rollback: { does: 'transaction', step: 'rolls back' },
} as const;

const pool: Resource = {
  role: 'pool',
  methods: {
    ...statements,
    getConnection: { does: 'acquire', gives: { resource: 'lease', as: 'promise' } },
    // Until 4.0.
    releaseConnection: { does: 'release', argument: 0 },
    end: { does: 'close', endsLeases: true },
  },
  options: mysqlOptions,
};

/** A cover of mysql, whose pool it is. Since 4.0 `createPool` gives a promise. */
export const promiseMysql: Driver = {
  name: 'promise-mysql',
  engine: 'mysql',
  source: 'https://github.com/CodeFoodPixels/node-promise-mysql#readme',
  packages: {
    'promise-mysql': {
      createPool: { calls: { resource: 'pool', as: 'value-or-promise' } },
      createConnection: { calls: { resource: 'connection', as: 'promise' } },
      Pool: { type: 'pool' },
      PoolConnection: { type: 'lease' },
      Connection: { type: 'connection' },
    },
  },
  resources: {
    pool,
    lease: {
      role: 'lease',
      methods: {
        ...statements,
        ...transactions,
        release: { does: 'release' },
        end: { does: 'release' },
        destroy: { does: 'release', destroys: 'always' },
      },
      secondRelease: 'throws',
    },
    connection: {
      role: 'connection',
      methods: { ...statements, ...transactions, end: close, destroy: close },
      options: mysqlOptions,
      badPerRequest: true,
    },
  },
};
