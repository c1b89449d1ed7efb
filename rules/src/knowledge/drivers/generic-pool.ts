import type { Driver } from '../driver.ts';
import { close, emitter } from '../facts.ts';

/** A pool of whatever its factory makes. */
export const genericPool: Driver = {
  name: 'generic-pool',
  engine: 'any',
  source: 'https://github.com/coopernurse/node-pool#documentation',
  packages: { 'generic-pool': { createPool: { calls: { resource: 'pool', as: 'value' } }, Pool: { type: 'pool' } } },
  resources: {
    pool: {
      role: 'pool',
      methods: {
        ...emitter,
        acquire: { does: 'acquire', gives: { resource: 'member', as: 'promise-or-callback' } },
        release: { does: 'release', argument: 0 },
        destroy: { does: 'release', argument: 0, destroys: 'always' },
        use: { does: 'scoped', gives: 'member', callback: 0 },
        drain: close,
      },
      // https://github.com/coopernurse/node-pool/blob/master/lib/PoolDefaults.js
      options: {
        argument: 1,
        max: { names: ['max'], default: 1 },
        min: { names: ['min'] },
        acquireTimeout: { names: ['acquireTimeoutMillis'], unit: 'ms', default: null },
        idleTimeout: { names: ['idleTimeoutMillis', 'softIdleTimeoutMillis'], unit: 'ms' },
        others: {
          '': 'autostart destroyTimeoutMillis evictionRunIntervalMillis fifo maxWaitingClients numTestsPerEvictionRun priorityRange testOnBorrow testOnReturn Promise'.split(
            ' ',
          ),
        },
        unknownOption: 'ignored',
        target: { url: [], host: [], port: [], database: [], user: [] },
      },
    },
    /** A second release throws an error, or takes it from whoever has it by then. */
    member: { role: 'lease', noun: 'resource', methods: {}, secondRelease: 'throws' },
  },
};
