import type { Driver, Method } from '../driver.ts';
import { close, commit, each, rollback } from '../facts.ts';

/** A builder is started; its `execute` borrows. */
const borrow: Method = { does: 'borrow' };

const settings = 'setIsolationLevel setAccessMode';

export const kysely: Driver = {
  name: 'Kysely',
  engine: 'any',
  source: 'https://kysely-org.github.io/kysely-apidoc/classes/Kysely.html',
  packages: {
    kysely: {
      Kysely: { constructs: 'database', type: 'database' },
      Transaction: { type: 'transaction' },
      ControlledTransaction: { type: 'controlled' },
    },
  },
  resources: {
    /** Its connections are its dialect's. A transaction of it has no `transaction` of its own. */
    database: {
      role: 'pool',
      methods: {
        ...each('selectFrom selectNoFrom insertInto replaceInto updateTable deleteFrom mergeInto executeQuery', borrow),
        transaction: { does: 'view', gives: { resource: 'transactionBuilder', as: 'value' } },
        connection: { does: 'view', gives: { resource: 'connectionBuilder', as: 'value' } },
        startTransaction: { does: 'view', gives: { resource: 'controlledBuilder', as: 'value' } },
        destroy: close,
      },
    },
    transactionBuilder: {
      role: 'connection',
      methods: {
        ...each(settings, { does: 'view', gives: { resource: 'transactionBuilder', as: 'value' } } as const),
        execute: { does: 'scoped', gives: 'transaction', callback: 0 },
      },
    },
    connectionBuilder: { role: 'connection', methods: { execute: { does: 'scoped', gives: 'transaction', callback: 0 } } },
    /** https://kysely-org.github.io/kysely-apidoc/classes/Kysely.html#startTransaction, since 0.28 */
    controlledBuilder: {
      role: 'connection',
      methods: {
        ...each(settings, { does: 'view', gives: { resource: 'controlledBuilder', as: 'value' } } as const),
        execute: { does: 'acquire', gives: { resource: 'controlled', as: 'promise' } },
      },
    },
    controlled: {
      role: 'lease',
      methods: {
        ...each('withSchema withPlugin withoutPlugins', { does: 'view', gives: { resource: 'controlled', as: 'value' } } as const),
        commit,
        rollback,
      },
      lentBy: { methods: ['execute'] },
    },
    transaction: { role: 'connection', methods: {} },
  },
};
