import { changing } from '../changing.ts';
import type { Driver, ExportFact, PoolOptions, SizeReadings, UnknownOption } from '../driver.ts';
import { closeUntilOpened, commit, each, emitter, lenientSizes, rollback, strictSizes, tarnOptions } from '../facts.ts';

const exports: Readonly<Record<string, ExportFact>> = {
  ConnectionPool: { constructs: 'pool', type: 'pool' },
  Transaction: { constructs: 'transaction', type: 'transaction' },
  PreparedStatement: { constructs: 'statement', type: 'statement' },
};

/** Before version 6 its pool was one of generic-pool: https://github.com/tediousjs/node-mssql/blob/master/CHANGELOG.txt */
export const mssqlOptions: PoolOptions = {
  argument: 0,
  max: { names: ['pool.max'], default: 10, reads: changing<SizeReadings | undefined>(lenientSizes, ['mssql@6.0.0', strictSizes]) },
  min: { names: ['pool.min'], enforced: { default: 0 } },
  idleTimeout: { names: ['pool.idleTimeoutMillis'], unit: 'ms' },
  others: { pool: tarnOptions },
  unknownOption: changing<UnknownOption>('ignored', ['mssql@7.0.0', 'refused']),
  acquireTimeout: {
    names: ['pool.acquireTimeoutMillis'],
    unit: 'ms',
    default: changing<number | null>(null, ['mssql@6.0.0', 30_000]),
  },
  target: { url: ['connectionString'], host: ['server'], port: ['port'], database: ['database'], user: ['user'] },
  defaultPort: 1433,
  urlArgument: true,
};

/** `sql.connect(…)` is one global pool: calling it again gives the same. */
export const mssql: Driver = {
  name: 'mssql',
  engine: 'mssql',
  source: 'https://github.com/tediousjs/node-mssql#connection-pools',
  packages: each('mssql mssql/msnodesqlv8', exports),
  resources: {
    pool: {
      role: 'pool',
      methods: {
        ...emitter,
        connect: { does: 'view', gives: { resource: 'pool', as: 'promise' } },
        transaction: { does: 'view', gives: { resource: 'transaction', as: 'value' } },
        close: closeUntilOpened,
      },
      options: mssqlOptions,
    },
    /** Making one takes nothing: https://github.com/tediousjs/node-mssql#transaction */
    transaction: {
      role: 'lease',
      methods: { ...emitter, begin: { does: 'hold' }, commit, rollback },
      secondRelease: 'throws',
      lentBy: { methods: ['Request', 'PreparedStatement'] },
    },
    /** https://github.com/tediousjs/node-mssql#prepared-statement */
    statement: { role: 'lease', methods: { ...emitter, prepare: { does: 'hold' }, unprepare: { does: 'release' } } },
  },
};
