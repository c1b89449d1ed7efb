import type { Driver } from '../driver.ts';
import { close } from '../facts.ts';

export const typeorm: Driver = {
  name: 'TypeORM',
  engine: 'any',
  source: 'https://typeorm.io/docs/data-source/data-source-options',
  packages: {
    typeorm: {
      DataSource: { constructs: 'source', type: 'source' },
      createConnection: { calls: { resource: 'source', as: 'promise' } },
      Connection: { type: 'source' },
    },
  },
  resources: {
    source: {
      role: 'pool',
      methods: {
        initialize: { does: 'view', gives: { resource: 'source', as: 'promise' } },
        connect: { does: 'view', gives: { resource: 'source', as: 'promise' } },
        destroy: close,
        close,
      },
      options: {
        argument: 0,
        max: { names: ['extra.max', 'extra.connectionLimit', 'poolSize'], default: 10 },
        target: { url: ['url'], host: ['host'], port: ['port'], database: ['database'], user: ['username'] },
        system: 'type',
      },
    },
  },
};
