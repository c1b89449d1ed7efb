import type { Driver, ExportFact, Method } from '../driver.ts';
import { close, each } from '../facts.ts';
import { pgOptions } from './pg.ts';

const statements = each('query none one oneOrNone many manyOrNone any result multi multiResult map each', {
  does: 'query',
  sql: 0,
  text: 'text',
} as const);

const scoped: Method = { does: 'scoped', gives: 'task', callback: 'last' };
const scopes = each('task taskIf tx txIf', scoped);

const database: ExportFact = { type: 'database' };

export const pgPromise: Driver = {
  name: 'pg-promise',
  engine: 'postgresql',
  source: 'https://vitaly-t.github.io/pg-promise/Database.html#connect',
  packages: {
    'pg-promise': {
      '': { calls: { resource: 'library', as: 'value' } },
      IMain: { type: 'library' },
      IDatabase: database,
      IConnected: { type: 'connected' },
      ITask: { type: 'task' },
    },
  },
  resources: {
    /** What initialising gives: calling that makes the pool. */
    library: { role: 'connection', methods: { end: close }, calls: { resource: 'database', as: 'value' } },
    database: {
      role: 'pool',
      methods: { ...statements, ...scopes, connect: { does: 'acquire', gives: { resource: 'connected', as: 'promise' } } },
      options: { ...pgOptions, urlArgument: true },
    },
    connected: {
      role: 'lease',
      methods: { ...statements, ...scopes, done: { does: 'release', destroys: 'if-argument' } },
      secondRelease: 'throws',
      deadOnceReleased: true,
    },
    task: { role: 'connection', methods: { ...statements, ...scopes } },
  },
};
