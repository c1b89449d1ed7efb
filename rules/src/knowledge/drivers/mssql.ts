import type { Driver, ExportFact } from '../driver.ts';
import { closeUntilOpened, emitter, strictSizes, tarnOptions } from '../facts.ts';

const pool: ExportFact = { constructs: 'pool', type: 'pool' };

/** `sql.connect(…)` is one global pool: calling it again gives the same. */
export const mssql: Driver = {
  name: 'mssql',
  engine: 'mssql',
  source: 'https://github.com/tediousjs/node-mssql#connection-pools',
  packages: { mssql: { ConnectionPool: pool }, 'mssql/msnodesqlv8': { ConnectionPool: pool } },
  resources: {
    pool: {
      role: 'pool',
      methods: { ...emitter, connect: { does: 'view', gives: { resource: 'pool', as: 'promise' } }, close: closeUntilOpened },
      options: {
        argument: 0,
        max: { names: ['pool.max'], default: 10, reads: strictSizes },
        min: { names: ['pool.min'], enforced: { default: 0 } },
        idleTimeout: { names: ['pool.idleTimeoutMillis'], unit: 'ms' },
        others: { pool: tarnOptions },
        unknownOption: 'refused',
        acquireTimeout: { names: ['pool.acquireTimeoutMillis'], unit: 'ms', default: 30_000 },
        target: { url: ['connectionString'], host: ['server'], port: ['port'], database: ['database'], user: ['user'] },
        defaultPort: 1433,
        urlArgument: true,
      },
    },
  },
};
