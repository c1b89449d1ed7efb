import type { Driver, PoolOptions, Resource } from '../driver.ts';

const environment = { host: 'PGHOST', port: 'PGPORT', database: 'PGDATABASE', user: 'PGUSER' } as const;

/** Connects as pg does, with what it finds in its first argument. */
function options(url: string, more: Partial<PoolOptions> = {}): PoolOptions {
  return {
    argument: 0,
    target: { url: [url], host: ['host'], port: ['port'], database: ['database'], user: ['user'] },
    environment,
    defaultPort: 5432,
    ...more,
  };
}

function keeper(keeps: Resource['keeps'], given: PoolOptions): Resource {
  return { role: 'connection', methods: {}, options: given, ...(keeps && { keeps }) };
}

const subscription = { what: 'subscription', statement: 'LISTEN' } as const;
const lock = { what: 'lock', statement: 'pg_try_advisory_lock' } as const;

/** Packages that use a connection of their own, or of a pool that they are given, for what belongs to its session. */
export const sessionKeepers: readonly Driver[] = [
  {
    name: 'pg-listen',
    engine: 'postgresql',
    source: 'https://github.com/andywer/pg-listen/blob/master/src/index.ts',
    packages: { 'pg-listen': { '': { calls: { resource: 'subscriber', as: 'value' } } } },
    resources: { subscriber: keeper(subscription, options('connectionString')) },
  },
  {
    name: 'pg-pubsub',
    engine: 'postgresql',
    source: 'https://github.com/voxpelli/node-pg-pubsub/blob/main/index.js',
    packages: { 'pg-pubsub': { '': { constructs: 'pubsub' } } },
    resources: { pubsub: keeper(subscription, options('connectionString', { urlArgument: true })) },
  },
  {
    name: 'Graphile Worker',
    engine: 'postgresql',
    source: 'https://worker.graphile.org/docs/library/run',
    packages: { 'graphile-worker': { run: { calls: { resource: 'runner', as: 'promise', covers: ['pgPool'] } } } },
    resources: { runner: keeper(subscription, options('connectionString')) },
  },
  {
    name: 'Socket.IO’s PostgreSQL adapter',
    engine: 'postgresql',
    source: 'https://github.com/socketio/socket.io-postgres-adapter/blob/main/lib/index.ts',
    packages: { '@socket.io/postgres-adapter': { createAdapter: { calls: { resource: 'adapter', as: 'value', covers: [] } } } },
    resources: { adapter: { role: 'connection', methods: {}, keeps: subscription } },
  },
  {
    name: 'node-pg-migrate',
    engine: 'postgresql',
    source: 'https://github.com/salsita/node-pg-migrate/blob/main/src/runner.ts',
    packages: {
      'node-pg-migrate': {
        '': { calls: { resource: 'migration', as: 'promise', covers: ['dbClient'] } },
        runner: { calls: { resource: 'migration', as: 'promise', covers: ['dbClient'] } },
      },
    },
    resources: { migration: keeper({ ...lock, unless: 'noLock' }, options('databaseUrl')) },
  },
  {
    name: 'postgres-migrations',
    engine: 'postgresql',
    source: 'https://github.com/ThomWright/postgres-migrations/blob/master/src/with-lock.ts',
    packages: { 'postgres-migrations': { migrate: { calls: { resource: 'migration', as: 'promise', covers: ['client'] } } } },
    resources: { migration: keeper(lock, options('connectionString')) },
  },
];
