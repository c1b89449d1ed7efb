import type { Driver, PoolOptions } from '../driver.ts';
import { close, emitter } from '../facts.ts';
import { pgSizes } from './pg.ts';

const options: PoolOptions = {
  argument: 0,
  // Its pools usually serve one request, which waits for nobody, so nothing is said of connectionTimeoutMillis.
  max: { names: ['max'], default: 10, reads: pgSizes },
  idleTimeout: { names: ['idleTimeoutMillis'], unit: 'ms', zeroIsForever: true },
  target: { url: ['connectionString'], host: ['host'], port: ['port'], database: ['database'], user: ['user'] },
  defaultPort: 5432,
  sizeInUrl: { own: 'ignored', other: 'ignored' },
};

const query = { does: 'query', sql: 0, text: 'text' } as const;

/** In serverless functions its documentation asks for a pool that is made and ended within the request. */
export const neon: Driver = {
  name: '@neondatabase/serverless',
  engine: 'postgresql',
  source: 'https://neon.com/docs/serverless/serverless-driver',
  packages: {
    '@neondatabase/serverless': {
      Pool: { constructs: 'pool', type: 'pool' },
      Client: { constructs: 'client', type: 'client' },
      PoolClient: { type: 'lease' },
    },
  },
  resources: {
    pool: {
      role: 'pool',
      methods: { ...emitter, query, connect: { does: 'acquire', gives: { resource: 'lease', as: 'promise-or-callback' } }, end: close },
      options,
      fatalEvent: 'error',
      badPerRequest: false,
    },
    lease: {
      role: 'lease',
      methods: { ...emitter, query, release: { does: 'release', destroys: 'if-argument' } },
      secondRelease: 'throws',
    },
    client: {
      role: 'connection',
      methods: { ...emitter, query, connect: { does: 'open' }, end: close },
      options: { ...options, urlArgument: true },
    },
  },
};
