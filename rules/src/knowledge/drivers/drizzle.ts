import type { Driver, Engine, StartupOptions } from '../driver.ts';
import { each } from '../facts.ts';
import { pgSince, pgStartup } from './pg.ts';

/** `drizzle(url)` and `drizzle({ connection })` make a pool; `drizzle(pool)` and `drizzle({ client })` use one. */
function drizzleOver(
  specifier: string,
  engine: Engine,
  max: string,
  defaultPort: number,
  { startup, preparesBy }: { readonly startup?: StartupOptions; readonly preparesBy?: string } = {},
): Driver {
  const prepares = preparesBy === undefined ? {} : { preparesBy };
  return {
    name: 'Drizzle',
    engine,
    source: 'https://orm.drizzle.team/docs/connect-overview',
    packages: { [specifier]: { drizzle: { calls: { resource: 'database', as: 'value', covers: ['client'] } } } },
    resources: {
      database: {
        role: 'pool',
        methods: {
          execute: { does: 'query', sql: 0 },
          ...each('select selectDistinct selectDistinctOn insert update delete $count', { does: 'borrow' } as const),
          transaction: { does: 'scoped', gives: 'transaction', callback: 0 },
        },
        properties: { query: 'relations' },
        coveredAs: '$client',
        ...prepares,
        options: {
          argument: 0,
          max: { names: [`connection.${max}`], default: 10 },
          target: {
            url: ['connection.connectionString', 'connection.url', 'connection.uri'],
            host: ['connection.host'],
            port: ['connection.port'],
            database: ['connection.database'],
            user: ['connection.user'],
          },
          defaultPort,
          ...(startup && { startup, since: pgSince('connection') }),
          urlArgument: true,
          madeFrom: ['connection'],
        },
      },
      transaction: { role: 'connection', methods: {} },
      relations: { role: 'connection', methods: {}, models: 'relation' },
      relation: { role: 'connection', methods: each('findMany findFirst', { does: 'borrow' } as const), ...prepares },
    },
  };
}

export const drizzle: readonly Driver[] = [
  // Over postgres.js nothing is prepared: it goes through `unsafe`.
  drizzleOver('drizzle-orm/node-postgres', 'postgresql', 'max', 5432, {
    startup: { within: { connection: pgStartup } },
    preparesBy: 'prepare',
  }),
  drizzleOver('drizzle-orm/postgres-js', 'postgresql', 'max', 5432),
  drizzleOver('drizzle-orm/mysql2', 'mysql', 'connectionLimit', 3306),
];
