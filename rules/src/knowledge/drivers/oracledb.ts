import type { Driver, Method } from '../driver.ts';
import { close, emitter } from '../facts.ts';

const getConnection: Method = { does: 'acquire', gives: { resource: 'lease', as: 'promise-or-callback' } };
const query: Method = { does: 'query', sql: 0 };
const release: Method = { does: 'release' };

export const oracledb: Driver = {
  name: 'oracledb',
  engine: 'oracle',
  source: 'https://node-oracledb.readthedocs.io/en/latest/user_guide/connection_handling.html#connpooling',
  packages: {
    oracledb: {
      createPool: { calls: { resource: 'pool', as: 'promise' } },
      // Without credentials it takes one of a pool that has an alias; with them, one of its own. Both must be closed.
      getConnection: { does: getConnection },
      Pool: { type: 'pool' },
      Connection: { type: 'lease' },
    },
  },
  resources: {
    pool: {
      role: 'pool',
      methods: { ...emitter, getConnection, close, terminate: close },
      options: {
        argument: 0,
        max: { names: ['poolMax'], default: 4 },
        min: { names: ['poolMin'] },
        acquireTimeout: { names: ['queueTimeout'], unit: 'ms', default: 60_000 },
        idleTimeout: { names: ['poolTimeout'], unit: 's' },
        maxLifetime: { names: ['maxLifetimeSession'], unit: 's' },
        target: { url: ['connectString', 'connectionString'], host: [], port: [], database: [], user: ['user'] },
      },
    },
    lease: {
      role: 'lease',
      methods: {
        execute: query,
        executeMany: query,
        queryStream: query,
        commit: { does: 'transaction', step: 'commits' },
        rollback: { does: 'transaction', step: 'rolls back' },
        close: release,
        release,
      },
      deadOnceReleased: true,
      rollsBackOnRelease: true,
    },
  },
};
