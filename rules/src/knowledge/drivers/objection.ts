import type { Driver, Method } from '../driver.ts';
import { knex } from './knex.ts';

const { trx } = knex.resources;
const begin: Method = { does: 'acquire', gives: { resource: 'trx', as: 'promise' } };
const scoped: Method = { does: 'scoped', gives: 'trx', callback: 'last' };

/** Its models use a Knex instance that they are given. */
export const objection: Driver = {
  name: 'Objection.js',
  engine: 'any',
  source: 'https://vincit.github.io/objection.js/guide/transactions.html',
  packages: {
    objection: {
      Model: { is: 'model' },
      transaction: { does: scoped },
      'transaction.start': { does: begin },
      Transaction: { type: 'trx' },
    },
  },
  resources: {
    model: {
      role: 'pool',
      methods: {
        startTransaction: begin,
        transaction: scoped,
        query: { does: 'borrow', unlessGiven: 0 },
        relatedQuery: { does: 'borrow', unlessGiven: 1 },
        fetchGraph: { does: 'borrow', unlessGiven: 2 },
      },
    },
    ...(trx ? { trx } : {}),
  },
};
