import type { Driver, PoolOptions } from '../driver.ts';
import { closeUntilOpened, each } from '../facts.ts';

const client = { resource: 'client', as: 'value' } as const;
const target: PoolOptions['target'] = {
  url: ['url'],
  host: ['socket.host'],
  port: ['socket.port'],
  database: ['database'],
  user: ['username'],
};
const closing = each('quit disconnect close destroy', closeUntilOpened);

export const redis: Driver = {
  name: 'node-redis',
  engine: 'redis',
  source: 'https://github.com/redis/node-redis/blob/master/docs/client-configuration.md',
  packages: each('redis @redis/client', {
    createClient: { calls: client },
    createCluster: { calls: { resource: 'cluster', as: 'value' } },
    createClientPool: { calls: { resource: 'pool', as: 'value' } },
    RedisClientType: { type: 'client' },
    RedisClientPoolType: { type: 'pool' },
  } as const),
  resources: {
    client: {
      role: 'connection',
      methods: {
        ...each('on once off', { does: 'view', gives: client } as const),
        connect: { does: 'view', gives: { resource: 'client', as: 'promise' } },
        ...each('subscribe pSubscribe sSubscribe monitor', { does: 'listen' } as const),
        // Until version 4: https://github.com/redis/node-redis/blob/v4/docs/isolated-execution.md
        executeIsolated: { does: 'scoped', gives: 'client', callback: 0 },
        ...closing,
      },
      options: { argument: 0, target, defaultPort: 6379 },
      fatalEvent: 'error',
      badPerRequest: true,
    },
    cluster: {
      role: 'connection',
      methods: {
        ...each('on once off', { does: 'view', gives: { resource: 'cluster', as: 'value' } } as const),
        connect: { does: 'view', gives: { resource: 'cluster', as: 'promise' } },
        ...closing,
      },
      options: { argument: 0, target: { ...target, url: [] } },
      badPerRequest: true,
    },
    pool: {
      role: 'pool',
      methods: {
        ...each('on once off', { does: 'view', gives: { resource: 'pool', as: 'value' } } as const),
        connect: { does: 'view', gives: { resource: 'pool', as: 'promise' } },
        execute: { does: 'scoped', gives: 'client', callback: 0 },
        ...closing,
      },
      options: {
        argument: 1,
        max: { names: ['maximum'], default: 100 },
        min: { names: ['minimum'] },
        acquireTimeout: { names: ['acquireTimeout'], unit: 'ms', default: 3_000 },
        target: { url: [], host: [], port: [], database: [], user: [] },
      },
    },
  },
};
