import type { Release } from '../changing.ts';
import type { Driver, ExportFact, Method, PoolOptions, SizeReadings, StartupOptions } from '../driver.ts';

const target = {
  url: ['connectionString'],
  host: ['host'],
  port: ['port'],
  database: ['database'],
  user: ['user'],
} as const;

const environment = { host: 'PGHOST', port: 'PGPORT', database: 'PGDATABASE', user: 'PGUSER' } as const;

/** https://github.com/brianc/node-postgres/blob/master/packages/pg/lib/connection-parameters.js and client.js beside it */
const clientOptions =
  'password binary options ssl sslnegotiation client_encoding replication application_name fallback_application_name ' +
  'statement_timeout lock_timeout idle_in_transaction_session_timeout query_timeout keepAlive keepAliveInitialDelayMillis ' +
  'Promise types enableChannelBinding scramMaxIterations connection stream pipeline parseInputDatesAsUTC';

/** `max || poolSize || 10`, which the number of clients is then compared with. */
export const pgSizes: SizeReadings = {
  digits: 'itself',
  text: 'unlimited',
  empty: 'default',
  nan: 'default',
  zero: 'default',
  negative: 'none',
  fraction: 'itself',
  infinite: 'unlimited',
};

/** https://github.com/brianc/node-postgres/blob/master/packages/pg/lib/client.js: getStartupConf */
export const pgStartup: readonly string[] = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'options',
  'replication',
];

/** The releases that brought startup parameters, for options that stand in an object of this name. */
export function pgSince(object: string): Readonly<Record<string, Release>> {
  const prefix = object === '' ? '' : `${object}.`;
  return {
    [`${prefix}idle_in_transaction_session_timeout`]: 'pg@7.17.0',
    [`${prefix}options`]: 'pg@8.3.0',
    [`${prefix}lock_timeout`]: 'pg@8.8.0',
  };
}

const startup: StartupOptions = { within: { '': pgStartup }, url: pgStartup };

/** https://github.com/brianc/node-postgres/blob/master/packages/pg-pool/index.js */
export const pgOptions: PoolOptions = {
  argument: 0,
  max: { names: ['max', 'poolSize'], default: 10, reads: pgSizes },
  acquireTimeout: { names: ['connectionTimeoutMillis'], unit: 'ms', default: null },
  statementTimeout: { names: ['statement_timeout', 'query_timeout'], unit: 'ms' },
  clientTimeout: { names: ['query_timeout'], unit: 'ms' },
  min: { names: ['min'] },
  idleTimeout: { names: ['idleTimeoutMillis'], unit: 'ms', zeroIsForever: true },
  maxLifetime: { names: ['maxLifetimeSeconds'], unit: 's' },
  others: { '': `${clientOptions} maxUses allowExitOnIdle onConnect verify log Client`.split(' ') },
  unknownOption: 'ignored',
  // https://github.com/brianc/node-postgres/blob/master/CHANGELOG.md
  since: {
    ...pgSince(''),
    maxUses: 'pg-pool@3.1.0',
    allowExitOnIdle: 'pg-pool@3.4.0',
    maxLifetimeSeconds: 'pg-pool@3.5.0',
    min: 'pg-pool@3.10.0',
    onConnect: 'pg-pool@3.13.0',
    enableChannelBinding: 'pg@8.14.0',
    scramMaxIterations: 'pg@8.21.0',
    sslnegotiation: 'pg@8.22.0',
    pipeline: 'pg@8.23.0',
  },
  target,
  environment,
  defaultPort: 5432,
  sizeInUrl: { own: 'ignored', other: 'ignored' },
  startup,
};

const query: Method = { does: 'query', sql: 0, text: 'text', name: 'name', clientTimeout: 'query_timeout' };
const nothing: Method = { does: 'nothing' };
const events = { on: nothing, once: nothing, off: nothing, addListener: nothing, removeListener: nothing, removeAllListeners: nothing };
const clientMethods = {
  ...events,
  query,
  escapeIdentifier: nothing,
  escapeLiteral: nothing,
  setTypeParser: nothing,
  getTypeParser: nothing,
};

const pool: ExportFact = { constructs: 'pool', type: 'pool' };
const client: ExportFact = { constructs: 'client', type: 'client' };
const lease: ExportFact = { type: 'lease' };
const plugin: ExportFact = { hangs: { resource: 'pluginPool', name: 'pg' } };

export const pg: Driver = {
  name: 'pg',
  engine: 'postgresql',
  source: 'https://node-postgres.com/apis/pool',
  packages: {
    pg: {
      Pool: pool,
      'native.Pool': pool,
      Client: client,
      'native.Client': client,
      PoolClient: lease,
      ClientBase: { type: 'connection' },
    },
    'pg-pool': { '': pool, Pool: pool },
    '@fastify/postgres': { '': plugin, fastifyPostgres: plugin },
    'fastify-postgres': { '': plugin },
  },
  resources: {
    pool: {
      role: 'pool',
      methods: {
        ...events,
        query,
        connect: { does: 'acquire', gives: { resource: 'lease', as: 'promise-or-callback' } },
        end: { does: 'close' },
      },
      options: pgOptions,
      fatalEvent: 'error',
    },
    /** `fastify.pg`; Fastify ends the pool. https://github.com/fastify/fastify-postgres/blob/main/index.js */
    pluginPool: {
      role: 'pool',
      methods: {
        query,
        connect: { does: 'acquire', gives: { resource: 'lease', as: 'promise-or-callback' } },
        transact: { does: 'scoped', gives: 'lease', callback: 0 },
      },
      properties: { pool: 'pool' },
      options: { ...pgOptions, argument: 1 },
      fatalEvent: 'error',
    },
    lease: {
      role: 'lease',
      methods: { ...clientMethods, release: { does: 'release', destroys: 'if-argument' } },
      secondRelease: 'throws',
      fatalEvent: 'error',
    },
    client: {
      role: 'connection',
      methods: { ...clientMethods, connect: { does: 'open' }, end: { does: 'close' } },
      badPerRequest: true,
      fatalEvent: 'error',
      options: {
        argument: 0,
        target,
        environment,
        defaultPort: 5432,
        urlArgument: true,
        startup,
        since: pgSince(''),
      },
    },
    /** A `ClientBase` may be pooled or not; nobody can say who gives it back. */
    connection: { role: 'connection', methods: clientMethods },
  },
};
