import type { Driver, Method } from '../driver.ts';
import { each } from '../facts.ts';
import { pgSince, pgStartup } from './pg.ts';

const query: Method = { does: 'query', sql: 0 };

/** https://typeorm.io/docs/working-with-entity-manager/repository-api, most of which an entity manager has too. */
const entities = each(
  'find findBy findOne findOneBy findOneOrFail findOneByOrFail findAndCount findAndCountBy count countBy exists existsBy save insert update ' +
    'upsert delete remove softDelete softRemove restore recover increment decrement sum average minimum maximum createQueryBuilder',
  { does: 'borrow' } as const,
);

/** A callback gets an entity manager that is bound to the transaction. */
const transaction: Method = { does: 'scoped', gives: 'boundManager', callback: 0 };

/** A runner takes its connection at its first connect, query or transaction; commit and rollback do not give it back. */
const createQueryRunner: Method = { does: 'acquire', gives: { resource: 'runner', as: 'value' } };

export const typeorm: Driver = {
  name: 'TypeORM',
  engine: 'any',
  source: 'https://typeorm.io/docs/data-source/data-source-options',
  packages: {
    typeorm: {
      DataSource: { constructs: 'source', type: 'source' },
      createConnection: { calls: { resource: 'source', as: 'promise' } },
      Connection: { type: 'source' },
      getConnection: { calls: { resource: 'source', as: 'value' } },
      EntityManager: { type: 'manager' },
      getManager: { calls: { resource: 'manager', as: 'value' } },
      Repository: { type: 'repository' },
      QueryRunner: { type: 'runner' },
    },
  },
  resources: {
    source: {
      role: 'pool',
      methods: {
        initialize: { does: 'view', gives: { resource: 'source', as: 'promise' } },
        connect: { does: 'view', gives: { resource: 'source', as: 'promise' } },
        createQueryRunner,
        transaction,
        query,
        ...each('getRepository getTreeRepository getMongoRepository', {
          does: 'view',
          gives: { resource: 'repository', as: 'value' },
        } as const),
        destroy: { does: 'close', until: 'opened', endsLeases: true },
        close: { does: 'close', until: 'opened', endsLeases: true },
      },
      properties: { manager: 'manager' },
      options: {
        argument: 0,
        max: { names: ['extra.max', 'extra.connectionLimit', 'poolSize'], default: 10 },
        target: { url: ['url'], host: ['host'], port: ['port'], database: ['database'], user: ['username'] },
        startup: { within: { extra: pgStartup } },
        // https://github.com/typeorm/typeorm/blob/master/CHANGELOG.md
        since: { poolSize: 'typeorm@0.3.10', ...pgSince('extra') },
        system: 'type',
      },
    },
    /** A manager or repository may be bound to a transaction or not. */
    manager: {
      role: 'connection',
      methods: { transaction, query, ...entities },
      properties: { connection: 'source', dataSource: 'source' },
    },
    repository: { role: 'connection', methods: { query, ...entities }, properties: { manager: 'manager' } },
    boundManager: { role: 'connection', methods: { query } },
    runner: {
      role: 'lease',
      methods: {
        connect: { does: 'open' },
        query,
        startTransaction: { does: 'transaction', step: 'begins' },
        commitTransaction: { does: 'transaction', step: 'commits' },
        rollbackTransaction: { does: 'transaction', step: 'rolls back' },
        release: { does: 'release' },
      },
      secondRelease: 'ignored',
      deadOnceReleased: true,
      lazy: true,
      poolless: [
        'sqlite',
        'better-sqlite3',
        'sqljs',
        'expo',
        'capacitor',
        'cordova',
        'react-native',
        'nativescript',
        'mongodb',
        'aurora-mysql',
        'aurora-postgres',
      ],
      properties: { manager: 'boundManager' },
      tells: { released: 'isReleased', inTransaction: 'isTransactionActive' },
      lentBy: { methods: ['createQueryBuilder', 'setQueryRunner', 'createEntityManager'] },
    },
  },
};
