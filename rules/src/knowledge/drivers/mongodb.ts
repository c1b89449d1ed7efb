import type { Driver, PoolOptions } from '../driver.ts';
import { close, closeUntilUsed, emitter } from '../facts.ts';

const options: PoolOptions = {
  argument: 0,
  max: { names: ['maxPoolSize'], default: 100 },
  target: { url: [], host: [], port: [], database: [], user: [] },
  defaultPort: 27_017,
  urlArgument: true,
  urlOptions: true,
};

export const mongodb: Driver = {
  name: 'mongodb',
  engine: 'mongodb',
  source: 'https://www.mongodb.com/docs/drivers/node/current/connect/connection-options/connection-pools/',
  packages: {
    mongodb: {
      MongoClient: { constructs: 'client', type: 'client' },
      'MongoClient.connect': { calls: { resource: 'client', as: 'promise' } },
    },
  },
  resources: {
    client: {
      role: 'pool',
      methods: {
        ...emitter,
        connect: { does: 'view', gives: { resource: 'client', as: 'promise' } },
        db: { does: 'view', gives: { resource: 'database', as: 'value' } },
        close: closeUntilUsed,
      },
      options,
    },
    database: { role: 'pool', methods: { collection: { does: 'view', gives: { resource: 'database', as: 'value' } } } },
  },
};

/** `mongoose.connect(…)` is one global connection: calling it again is harmless. */
export const mongoose: Driver = {
  name: 'Mongoose',
  engine: 'mongodb',
  source: 'https://mongoosejs.com/docs/connections.html#multiple_connections',
  packages: { mongoose: { createConnection: { calls: { resource: 'connection', as: 'value' } } } },
  resources: {
    connection: {
      role: 'pool',
      methods: { ...emitter, asPromise: { does: 'view', gives: { resource: 'connection', as: 'promise' } }, close, destroy: close },
      options,
    },
  },
};
