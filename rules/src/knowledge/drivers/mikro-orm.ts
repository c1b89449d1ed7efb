import type { Driver } from '../driver.ts';
import { close, each } from '../facts.ts';

const exports = { 'MikroORM.init': { calls: { resource: 'orm', as: 'promise' } }, MikroORM: { type: 'orm' } } as const;

export const mikroOrm: Driver = {
  name: 'MikroORM',
  engine: 'any',
  source: 'https://mikro-orm.io/docs/configuration',
  packages: each('@mikro-orm/core @mikro-orm/postgresql @mikro-orm/mysql @mikro-orm/mariadb @mikro-orm/mssql', exports),
  resources: {
    orm: {
      role: 'pool',
      methods: { close },
      options: {
        argument: 0,
        max: { names: ['pool.max'], default: 10 },
        target: { url: ['clientUrl'], host: ['host'], port: ['port'], database: ['dbName'], user: ['user'] },
      },
    },
  },
};
