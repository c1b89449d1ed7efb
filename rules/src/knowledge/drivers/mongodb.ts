import type { Driver, Method, PoolOptions, Resource } from '../driver.ts';
import { close, emitter } from '../facts.ts';

const options: PoolOptions = {
  argument: 0,
  max: { names: ['maxPoolSize'], default: 100 },
  target: { url: [], host: [], port: [], database: [], user: [] },
  defaultPort: 27_017,
  urlArgument: true,
  urlOptions: true,
};

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
  disposable: true,
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
      options,
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
      options,
    },
    /** https://mongoosejs.com/docs/api/model.html#Model.startSession() */
    model: { role: 'pool', methods: { startSession }, properties: { db: 'connection' } },
    models: { role: 'pool', methods: {}, models: 'model' },
    session,
  },
};
