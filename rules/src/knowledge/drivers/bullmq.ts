import type { Driver, PoolOptions } from '../driver.ts';
import { close, emitter } from '../facts.ts';

const target: PoolOptions['target'] = {
  url: ['connection.url'],
  host: ['connection.host'],
  port: ['connection.port'],
  database: [],
  user: [],
};

/** A queue has a Redis connection of its own, unless it is given an ioredis client. */
export const bullmq: Driver = {
  name: 'BullMQ',
  engine: 'redis',
  source: 'https://docs.bullmq.io/guide/connections',
  packages: { bullmq: { Queue: { constructs: 'queue', type: 'queue' } } },
  resources: {
    queue: {
      role: 'connection',
      methods: { ...emitter, close, disconnect: close },
      options: { argument: 1, target, defaultPort: 6379, shares: { option: 'connection' } },
      badPerRequest: true,
    },
  },
};
