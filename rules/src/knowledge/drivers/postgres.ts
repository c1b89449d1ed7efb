import type { Driver, Method, SizeReadings } from '../driver.ts';
import { close, closeUntilUsed } from '../facts.ts';

/** `[...Array(max)]` makes its connections; it does not turn a text into a number. */
const sizes: SizeReadings = {
  digits: 'one',
  text: 'one',
  empty: 'one',
  nan: 'refused',
  zero: 'none',
  negative: 'refused',
  fraction: 'refused',
  infinite: 'refused',
};

const methods = {
  unsafe: { does: 'query', sql: 0 },
  reserve: { does: 'acquire', gives: { resource: 'reserved', as: 'promise' } },
  begin: { does: 'scoped', gives: 'transaction', callback: 'last' },
  // On one more connection to the same place. https://github.com/porsager/postgres#listen--notify
  listen: { does: 'listen' },
  end: close,
  close: closeUntilUsed,
} as const satisfies Readonly<Record<string, Method>>;

export const postgres: Driver = {
  name: 'postgres.js',
  engine: 'postgresql',
  source: 'https://github.com/porsager/postgres#connection',
  packages: {
    postgres: { '': { calls: { resource: 'sql', as: 'value' } }, Sql: { type: 'given' }, ReservedSql: { type: 'reserved' } },
  },
  resources: {
    sql: {
      role: 'pool',
      isTag: true,
      methods,
      options: {
        argument: 0,
        // There is no acquire timeout: a full pool queues for ever.
        max: { names: ['max'], default: 10, reads: sizes },
        statementTimeout: { names: ['connection.statement_timeout'], unit: 'ms' },
        idleTimeout: { names: ['idle_timeout'], unit: 's', zeroIsForever: true },
        maxLifetime: { names: ['max_lifetime'], unit: 's' },
        // https://github.com/porsager/postgres/blob/master/src/index.js: parseOptions
        others: {
          '': (
            'path pass password ssl sslnegotiation connect_timeout max_pipeline backoff keep_alive prepare no_prepare debug fetch_types ' +
            'publications target_session_attrs connection types onnotice onnotify onclose onparameter socket transform timeout parameters'
          ).split(' '),
        },
        unknownOption: 'ignored',
        target: { url: [], host: ['host', 'hostname'], port: ['port'], database: ['database', 'db'], user: ['user', 'username'] },
        environment: { host: 'PGHOST', port: 'PGPORT', database: 'PGDATABASE', user: 'PGUSER' },
        defaultPort: 5432,
        urlArgument: true,
        sizeInUrl: { own: 'read as text', other: 'sent to the server' },
        startup: { within: { connection: 'all' }, url: 'all others' },
        prepares: 'prepare',
      },
    },
    /** What is typed `Sql` may have one connection only: then BEGIN may be sent through it, and is refused otherwise. */
    given: { role: 'connection', isTag: true, methods },
    transaction: { role: 'connection', isTag: true, methods: { unsafe: { does: 'query', sql: 0 } } },
    reserved: {
      role: 'lease',
      isTag: true,
      methods: { unsafe: { does: 'query', sql: 0 }, release: { does: 'release' } },
      secondRelease: 'ignored',
    },
  },
};
