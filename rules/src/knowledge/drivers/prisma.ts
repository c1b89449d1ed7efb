import type { Driver, ExportFact, PoolOptions } from '../driver.ts';
import { closeUntilUsed, each, nothing } from '../facts.ts';
import { mariadbOptions } from './mariadb.ts';
import { mssqlOptions } from './mssql.ts';
import { pgOptions } from './pg.ts';

const client: Readonly<Record<string, ExportFact>> = { PrismaClient: { constructs: 'client', type: 'client' } };

/** https://www.prisma.io/docs/orm/reference/prisma-client-reference#model-queries */
const modelMethods =
  'findUnique findUniqueOrThrow findFirst findFirstOrThrow findMany create createMany createManyAndReturn update updateMany ' +
  'updateManyAndReturn upsert delete deleteMany count aggregate groupBy';

/** https://www.prisma.io/docs/orm/overview/databases/database-drivers: each has the options of the driver that it wraps. */
const adapters: Readonly<Record<string, PoolOptions>> = {
  '@prisma/adapter-pg': { ...pgOptions, urlArgument: true },
  '@prisma/adapter-mariadb': mariadbOptions,
  '@prisma/adapter-mssql': mssqlOptions,
};

export const prisma: Driver = {
  name: 'Prisma',
  engine: 'any',
  speaksHttp: true,
  source: 'https://www.prisma.io/docs/orm/prisma-client/setup-and-configuration/databases-connections',
  packages: { '@prisma/client': client, '@prisma/client/default': client },
  resources: {
    client: {
      role: 'pool',
      methods: {
        $on: nothing,
        $use: nothing,
        $extends: { does: 'view', gives: { resource: 'client', as: 'value' } },
        $connect: { does: 'open' },
        $disconnect: closeUntilUsed,
        $transaction: { does: 'scoped', gives: 'transaction', callback: 0 },
        ...each('$executeRaw $executeRawUnsafe $queryRaw $queryRawUnsafe', { does: 'query', sql: 0, lazy: true } as const),
      },
      models: 'model',
      options: {
        argument: 0,
        target: { url: ['datasourceUrl', 'datasources.db.url'], host: [], port: [], database: [], user: [] },
        // https://www.prisma.io/docs/orm/v6/prisma-client/setup-and-configuration/databases-connections/pgbouncer,
        // …/connection-pool: two for each CPU and one more.
        engine: { unless: 'adapter', preparesUnless: ['pgbouncer', 'true'], limit: ['connection_limit', 3] },
        // `new PrismaPg(pool)` shares the pool.
        shares: { option: 'adapter', makers: adapters },
      },
    },
    /** What `$transaction` calls back with. */
    transaction: { role: 'connection', methods: {} },
    model: { role: 'connection', methods: each(modelMethods, { does: 'borrow' } as const) },
  },
};
