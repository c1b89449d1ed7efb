import type { Driver, ExportFact, PoolOptions } from '../driver.ts';
import { closeUntilOpened, each, emitter } from '../facts.ts';

const client: ExportFact = { constructs: 'client', type: 'client' };
const options: PoolOptions = {
  argument: 0,
  target: { url: [], host: ['host'], port: ['port'], database: ['db'], user: ['username'] },
  defaultPort: 6379,
  urlArgument: true,
};

export const ioredis: Driver = {
  name: 'ioredis',
  engine: 'redis',
  source: 'https://github.com/redis/ioredis#connect-to-redis',
  packages: { ioredis: { '': client, Redis: client, Cluster: { constructs: 'cluster', type: 'cluster' } } },
  resources: {
    client: {
      role: 'connection',
      methods: {
        ...emitter,
        connect: { does: 'open' },
        ...each('subscribe psubscribe ssubscribe monitor', { does: 'listen' } as const),
        ...each('quit disconnect', closeUntilOpened),
      },
      options,
      badPerRequest: true,
    },
    cluster: {
      role: 'connection',
      methods: { ...emitter, ...each('quit disconnect', closeUntilOpened) },
      options: { argument: 1, target: options.target },
      badPerRequest: true,
    },
  },
};
