import { changing } from '../changing.ts';
import type { Driver } from '../driver.ts';
import { close, commit, each, rollback } from '../facts.ts';

const exports = {
  'MikroORM.init': { calls: { resource: 'orm', as: 'promise' } },
  MikroORM: { type: 'orm', constructs: 'orm' },
  EntityManager: { type: 'manager' },
  SqlEntityManager: { type: 'manager' },
} as const;

export const mikroOrm: Driver = {
  name: 'MikroORM',
  engine: 'any',
  source: 'https://mikro-orm.io/docs/configuration',
  packages: each('@mikro-orm/core @mikro-orm/postgresql @mikro-orm/mysql @mikro-orm/mariadb @mikro-orm/mssql', exports),
  resources: {
    orm: {
      role: 'pool',
      methods: { close },
      properties: { em: 'manager' },
      options: {
        argument: 0,
        max: { names: ['pool.max'], default: 10 },
        // Until version 7 the pool is one of Knex: https://mikro-orm.io/docs/upgrading-v6-to-v7
        min: { names: ['pool.min'], enforced: { default: changing(2, ['@mikro-orm/core@7.0.0', 0]) } },
        target: { url: ['clientUrl'], host: ['host'], port: ['port'], database: ['dbName'], user: ['user'] },
      },
    },
    /** It takes a connection for its transaction; for everything else, one query at a time. */
    manager: {
      role: 'lease',
      methods: {
        fork: { does: 'view', gives: { resource: 'manager', as: 'value' } },
        transactional: { does: 'scoped', gives: 'manager', callback: 0 },
        begin: { does: 'hold' },
        commit,
        rollback,
      },
    },
  },
};
