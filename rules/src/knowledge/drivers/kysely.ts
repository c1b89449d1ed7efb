import type { Driver, Method } from '../driver.ts';
import { close, each } from '../facts.ts';

/** A builder is started; its `execute` borrows. */
const borrow: Method = { does: 'borrow' };

const settings = 'setIsolationLevel setAccessMode';

export const kysely: Driver = {
  name: 'Kysely',
  engine: 'any',
  source: 'https://kysely-org.github.io/kysely-apidoc/classes/Kysely.html',
  packages: { kysely: { Kysely: { constructs: 'database', type: 'database' }, Transaction: { type: 'transaction' } } },
  resources: {
    /** The pool is its dialect's. What is typed `Kysely` may be a transaction of it. */
    database: {
      role: 'connection',
      methods: {
        ...each('selectFrom selectNoFrom insertInto replaceInto updateTable deleteFrom mergeInto executeQuery', borrow),
        transaction: { does: 'view', gives: { resource: 'transactionBuilder', as: 'value' } },
        connection: { does: 'view', gives: { resource: 'connectionBuilder', as: 'value' } },
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
    transaction: { role: 'connection', methods: {} },
  },
};
