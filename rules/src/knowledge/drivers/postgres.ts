import type { Driver } from '../driver.ts';
import { close } from '../facts.ts';

export const postgres: Driver = {
  name: 'postgres.js',
  engine: 'postgresql',
  source: 'https://github.com/porsager/postgres#connection',
  packages: {
    postgres: { '': { calls: { resource: 'sql', as: 'value' } }, Sql: { type: 'sql' }, ReservedSql: { type: 'reserved' } },
  },
  resources: {
    sql: {
      role: 'pool',
      methods: {
        unsafe: { does: 'query', sql: 0 },
        reserve: { does: 'acquire', gives: { resource: 'reserved', as: 'promise' } },
        end: close,
        close,
      },
      options: {
        argument: 0,
        // There is no acquire timeout: a full pool queues for ever.
        max: { names: ['max'], default: 10 },
        target: { url: [], host: ['host', 'hostname'], port: ['port'], database: ['database', 'db'], user: ['user', 'username'] },
        environment: { host: 'PGHOST', port: 'PGPORT', database: 'PGDATABASE', user: 'PGUSER' },
        defaultPort: 5432,
        urlArgument: true,
      },
    },
    reserved: {
      role: 'lease',
      methods: { unsafe: { does: 'query', sql: 0 }, release: { does: 'release' } },
      secondRelease: 'ignored',
    },
  },
};
