import { changing, type Fact } from '../changing.ts';
import type { Driver, ExportFact, Method, SizeReadings } from '../driver.ts';
import { close, commit, lenientSizes, nothing, rollback, strictSizes } from '../facts.ts';
import { pgSince, pgStartup } from './pg.ts';

/** With a callback it commits and rolls back by itself; without one, the transaction holds a connection until either is called. */
const transaction: Method = { does: 'acquire', gives: { resource: 'transaction', as: 'promise' }, orScoped: true };

const query: Method = { does: 'query', sql: 0, text: 'query', unless: { argument: 1, key: 'transaction' } };

const constructs: ExportFact = { constructs: 'sequelize', type: 'sequelize' };

function sequelizeFrom(packages: Driver['packages'], wait: Fact<number>, reads: Fact<SizeReadings>): Driver {
  return {
    name: 'Sequelize',
    engine: 'any',
    source: 'https://sequelize.org/docs/v6/other-topics/connection-pool/',
    packages,
    resources: {
      sequelize: {
        role: 'pool',
        methods: { authenticate: { does: 'open' }, query, transaction, startUnmanagedTransaction: transaction, close },
        options: {
          argument: 0,
          max: { names: ['pool.max'], default: 5, reads },
          min: { names: ['pool.min'], enforced: { default: 0 } },
          idleTimeout: { names: ['pool.idle'], unit: 'ms' },
          // https://github.com/sequelize/sequelize/blob/v6/src/dialects/abstract/connection-manager.ts
          others: { pool: ['evict', 'validate', 'maxUses', 'handleDisconnects'] },
          unknownOption: 'ignored',
          acquireTimeout: { names: ['pool.acquire'], unit: 'ms', default: wait },
          target: { url: [], host: ['host'], port: ['port'], database: ['database'], user: ['username'] },
          startup: { within: { dialectOptions: pgStartup } },
          since: pgSince('dialectOptions'),
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
}

/** Before version 5 its pool was one of generic-pool: https://github.com/sequelize/sequelize/blob/v5/CHANGELOG.md; `@sequelize/core` is 7. */
export const sequelize: readonly Driver[] = [
  sequelizeFrom(
    {
      sequelize: { '': constructs, Sequelize: constructs, Transaction: { type: 'transaction' } },
      'sequelize-typescript': { Sequelize: constructs },
    },
    changing(10_000, ['sequelize@5.0.0', 60_000]),
    changing(lenientSizes, ['sequelize@5.0.0', strictSizes]),
  ),
  sequelizeFrom({ '@sequelize/core': { Sequelize: constructs } }, 60_000, strictSizes),
];
