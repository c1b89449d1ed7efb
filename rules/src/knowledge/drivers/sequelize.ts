import type { Driver, ExportFact, Method } from '../driver.ts';
import { close, commit, nothing, rollback, strictSizes } from '../facts.ts';
import { pgStartup } from './pg.ts';

/** With a callback it commits and rolls back by itself; without one, the transaction holds a connection until either is called. */
const transaction: Method = { does: 'acquire', gives: { resource: 'transaction', as: 'promise' }, orScoped: true };

const query: Method = { does: 'query', sql: 0, text: 'query', unless: { argument: 1, key: 'transaction' } };

const constructs: ExportFact = { constructs: 'sequelize', type: 'sequelize' };

export const sequelize: Driver = {
  name: 'Sequelize',
  engine: 'any',
  source: 'https://sequelize.org/docs/v6/other-topics/connection-pool/',
  packages: {
    sequelize: { '': constructs, Sequelize: constructs, Transaction: { type: 'transaction' } },
    'sequelize-typescript': { Sequelize: constructs },
    '@sequelize/core': { Sequelize: constructs },
  },
  resources: {
    sequelize: {
      role: 'pool',
      methods: { authenticate: { does: 'open' }, query, transaction, startUnmanagedTransaction: transaction, close },
      options: {
        argument: 0,
        max: { names: ['pool.max'], default: 5, reads: strictSizes },
        min: { names: ['pool.min'], enforced: { default: 0 } },
        idleTimeout: { names: ['pool.idle'], unit: 'ms' },
        // https://github.com/sequelize/sequelize/blob/v6/src/dialects/abstract/connection-manager.ts
        others: { pool: ['evict', 'validate', 'maxUses', 'handleDisconnects'] },
        unknownOption: 'ignored',
        acquireTimeout: { names: ['pool.acquire'], unit: 'ms', default: 60_000 },
        target: { url: [], host: ['host'], port: ['port'], database: ['database'], user: ['username'] },
        startup: { within: { dialectOptions: pgStartup } },
        urlArgument: true,
        system: 'dialect',
      },
    },
    transaction: {
      role: 'lease',
      methods: { commit, rollback, afterCommit: nothing },
      secondRelease: 'throws',
      deadOnceReleased: true,
      tells: { released: 'finished' },
      lentBy: { keys: ['transaction'] },
    },
  },
};
