import type { Driver } from '../driver.ts';
import { close } from '../facts.ts';

export const oracledb: Driver = {
  name: 'oracledb',
  engine: 'oracle',
  source: 'https://node-oracledb.readthedocs.io/en/latest/user_guide/connection_handling.html#connpooling',
  packages: { oracledb: { createPool: { calls: { resource: 'pool', as: 'promise' } }, Pool: { type: 'pool' } } },
  resources: {
    pool: {
      role: 'pool',
      methods: { close },
      options: {
        argument: 0,
        max: { names: ['poolMax'], default: 4 },
        acquireTimeout: { names: ['queueTimeout'], unit: 'ms', default: 60_000 },
        target: { url: ['connectString', 'connectionString'], host: [], port: [], database: [], user: ['user'] },
      },
    },
  },
};
