import { changing } from '../changing.ts';
import type { Driver, UnknownOption } from '../driver.ts';
import { closeUntilOpened, nothing, tarnOptions } from '../facts.ts';

/** The pool under Knex and mssql, used by itself for whatever its factory makes. */
export const tarn: Driver = {
  name: 'tarn',
  engine: 'any',
  source: 'https://github.com/vincit/tarn.js#usage',
  packages: { tarn: { Pool: { constructs: 'pool', type: 'pool' } } },
  resources: {
    pool: {
      role: 'pool',
      methods: {
        on: nothing,
        acquire: { does: 'acquire', gives: { resource: 'member', as: 'promise', under: 'promise' } },
        release: { does: 'release', argument: 0 },
        destroy: closeUntilOpened,
      },
      options: {
        argument: 0,
        // There is no default: without a size it throws an error.
        min: { names: ['min'] },
        acquireTimeout: { names: ['acquireTimeoutMillis'], unit: 'ms', default: 30_000 },
        idleTimeout: { names: ['idleTimeoutMillis'], unit: 'ms' },
        others: { '': [...tarnOptions, 'create', 'destroy', 'max'] },
        unknownOption: changing<UnknownOption>('ignored', ['tarn@2.0.0', 'refused']),
        target: { url: [], host: [], port: [], database: [], user: [] },
      },
    },
    member: { role: 'lease', noun: 'resource', methods: {}, secondRelease: 'ignored' },
  },
};
