import { changing, type Release } from '../changing.ts';
import type { Driver, Method, PoolOptions, Resource, Size } from '../driver.ts';
import { close, emitter } from '../facts.ts';

const options: PoolOptions = {
  argument: 0,
  target: { url: [], host: [], port: [], database: [], user: [] },
  defaultPort: 27_017,
  urlArgument: true,
  urlOptions: true,
};

/** Until version 4, 5 connections, or 10 with `useUnifiedTopology`: https://github.com/mongodb/node-mongodb-native/blob/3.7/lib/topologies */
function optionsOf(version4: Release): PoolOptions {
  return { ...options, max: { names: ['maxPoolSize', 'poolSize'], default: changing<Size>({ low: 5, high: 10 }, [version4, 100]) } };
}

/** https://www.mongodb.com/docs/manual/reference/server-sessions/: it times out after 30 minutes, and its transaction after one. */
const session: Resource = {
  role: 'lease',
  noun: 'session',
  cheap: true,
  methods: {
    // It only marks the session; the server hears of it with the first operation.
    startTransaction: { does: 'transaction', step: 'begins', cannotFail: true },
    commitTransaction: { does: 'transaction', step: 'commits' },
    abortTransaction: { does: 'transaction', step: 'rolls back' },
    endSession: { does: 'release' },
  },
  secondRelease: 'ignored',
  rollsBackOnRelease: true,
  lentBy: { keys: ['session'], methods: ['session'] },
};

const withSession: Method = { does: 'scoped', gives: 'session', callback: 'last' };

export const mongodb: Driver = {
  name: 'mongodb',
  engine: 'mongodb',
  source: 'https://www.mongodb.com/docs/drivers/node/current/connect/connection-options/connection-pools/',
  packages: {
    mongodb: {
      MongoClient: { constructs: 'client', type: 'client' },
      'MongoClient.connect': { calls: { resource: 'client', as: 'promise' } },
      ClientSession: { type: 'session' },
    },
  },
  resources: {
    client: {
      role: 'pool',
      methods: {
        ...emitter,
        connect: { does: 'view', gives: { resource: 'client', as: 'promise' } },
        db: { does: 'view', gives: { resource: 'database', as: 'value' } },
        startSession: { does: 'acquire', gives: { resource: 'session', as: 'value' } },
        withSession,
        close: { does: 'close', until: 'used', endsLeases: true },
      },
      options: optionsOf('mongodb@4.0.0'),
    },
    session,
    database: { role: 'pool', methods: { collection: { does: 'view', gives: { resource: 'database', as: 'value' } } } },
  },
};

const startSession: Method = { does: 'acquire', gives: { resource: 'session', as: 'promise' } };

/** `mongoose.connect(…)` is one global connection: calling it again is harmless. */
export const mongoose: Driver = {
  name: 'Mongoose',
  engine: 'mongodb',
  source: 'https://mongoosejs.com/docs/connections.html#multiple_connections',
  packages: {
    mongoose: {
      createConnection: { calls: { resource: 'connection', as: 'value' } },
      connection: { is: 'connection' },
      Connection: { type: 'connection' },
      startSession: { does: startSession },
      model: { calls: { resource: 'model', as: 'value' } },
      Model: { type: 'model' },
      models: { is: 'models' },
      ClientSession: { type: 'session' },
    },
  },
  resources: {
    connection: {
      role: 'pool',
      methods: {
        ...emitter,
        model: { does: 'view', gives: { resource: 'model', as: 'value' } },
        asPromise: { does: 'view', gives: { resource: 'connection', as: 'promise' } },
        startSession,
        withSession,
        transaction: { does: 'scoped', gives: 'session', callback: 0 },
        close,
        destroy: close,
      },
      // https://mongoosejs.com/docs/migrating_to_6.html#mongodb-driver-40
      options: optionsOf('mongoose@6.0.0'),
    },
    /** https://mongoosejs.com/docs/api/model.html#Model.startSession() */
    model: { role: 'pool', methods: { startSession }, properties: { db: 'connection' } },
    models: { role: 'pool', methods: {}, models: 'model' },
    session,
  },
};
