import type { Version } from '../version.ts';

/** A program that changes the schema of a database, and what it needs of the session that it does it in. */
export interface MigrationTool {
  readonly name: string;
  readonly source: string;
  readonly program: RegExp;
  /** The words of which some must stand behind the program, one after the other. */
  readonly commands: readonly (readonly string[])[];
  /** Published images whose entrypoint is the program. */
  readonly images?: readonly string[];
  readonly url: MigrationUrl;
  /** The advisory lock that it holds for its session while it works. Absent: it takes none. */
  readonly lock?: SessionLock;
  /** Where the SQL lies that it runs. Absent: nowhere in particular, or it is not only SQL. */
  readonly files?: { readonly options: readonly string[]; readonly folder?: string };
  /** What gives it a connection string of its own. */
  readonly remedy: string;
}

/** Where it gets its connection string, the winning one first. */
export interface MigrationUrl {
  readonly options?: readonly string[];
  /** Options that name the variable. */
  readonly namedBy?: readonly string[];
  readonly variables?: readonly string[];
  /** Options that name a file, which may say something else. */
  readonly unlessGiven?: readonly string[];
  /** It is the first word with a scheme. */
  readonly positional?: true;
  /** In its Prisma schema. */
  readonly inPrismaSchema?: true;
}

export interface SessionLock {
  readonly function: string;
  /** Any of these turns it off. */
  readonly off?: LockSwitch;
  /** Newer versions only take it when one of these says so. */
  readonly until?: { readonly version: Version; readonly unless: LockSwitch };
}

export interface LockSwitch {
  readonly options?: readonly string[];
  /** By the value that it must have; null is any. */
  readonly variables?: Readonly<Record<string, string | null>>;
  readonly parameters?: Readonly<Record<string, string>>;
}

const flywaySession: LockSwitch = {
  options: ['-postgresql.transactional.lock=false'],
  variables: { FLYWAY_POSTGRESQL_TRANSACTIONAL_LOCK: 'false' },
};

export const migrationTools: readonly MigrationTool[] = [
  {
    name: 'Prisma Migrate',
    source: 'https://www.prisma.io/docs/orm/prisma-migrate/workflows/development-and-production#advisory-locking',
    program: /^prisma$/,
    commands: [
      ['migrate', 'deploy'],
      ['migrate', 'dev'],
      ['migrate', 'reset'],
      ['migrate', 'resolve'],
    ],
    url: { inPrismaSchema: true },
    lock: { function: 'pg_advisory_lock', off: { variables: { PRISMA_SCHEMA_DISABLE_ADVISORY_LOCK: null } } },
    remedy: 'directUrl in the datasource of the schema, since Prisma 7 url in that of prisma.config.ts',
  },
  {
    name: 'node-pg-migrate',
    source: 'https://github.com/salsita/node-pg-migrate/blob/main/src/runner.ts',
    program: /^node-pg-migrate$/,
    commands: [['up'], ['down'], ['redo']],
    url: { namedBy: ['-d', '--database-url-var'], variables: ['DATABASE_URL'], unlessGiven: ['-f', '--config-file'] },
    lock: { function: 'pg_try_advisory_lock', off: { options: ['--no-lock', '--lock=false'] } },
    remedy: '--database-url-var names the variable',
  },
  {
    name: 'graphile-migrate',
    source: 'https://github.com/graphile/migrate/blob/main/src/pgReal.ts',
    program: /^graphile-migrate$/,
    commands: [['migrate'], ['watch']],
    url: { variables: ['DATABASE_URL'], unlessGiven: ['-c', '--config'] },
    lock: { function: 'pg_try_advisory_lock' },
    remedy: 'a DATABASE_URL of its own',
  },
  {
    name: 'golang-migrate',
    source: 'https://github.com/golang-migrate/migrate/blob/master/database/postgres/postgres.go',
    program: /^migrate$/,
    commands: [['up'], ['down'], ['goto'], ['drop']],
    images: ['migrate/migrate'],
    url: { options: ['-database', '--database'] },
    lock: { function: 'pg_advisory_lock', off: { parameters: { 'x-no-lock': 'true' } } },
    files: { options: ['-path', '--path'] },
    remedy: 'the URL behind -database',
  },
  {
    name: 'Flyway',
    source: 'https://github.com/flyway/flyway/issues/3497',
    program: /^flyway$/,
    commands: [['migrate']],
    images: ['flyway/flyway', 'redgate/flyway'],
    url: { options: ['-url'], variables: ['FLYWAY_URL'] },
    lock: { function: 'pg_try_advisory_lock', until: { version: [9, 1, 2], unless: flywaySession } },
    remedy: 'a FLYWAY_URL of its own',
  },
  {
    name: 'Atlas',
    source: 'https://github.com/ariga/atlas/blob/master/sql/postgres/driver_oss.go',
    program: /^atlas$/,
    commands: [
      ['migrate', 'apply'],
      ['schema', 'apply'],
    ],
    images: ['arigaio/atlas'],
    url: { options: ['-u', '--url'] },
    lock: { function: 'pg_try_advisory_lock' },
    remedy: 'the URL behind --url',
  },
  {
    name: 'dbmate',
    source: 'https://github.com/amacneil/dbmate/blob/main/pkg/driver/postgres/postgres.go',
    program: /^dbmate$/,
    commands: [['up'], ['migrate']],
    images: ['amacneil/dbmate'],
    url: { options: ['-u', '--url'], namedBy: ['-e', '--env'], variables: ['DATABASE_URL'] },
    files: { options: ['-d', '--migrations-dir'], folder: 'db/migrations' },
    remedy: 'a DATABASE_URL of its own',
  },
  {
    name: 'psql',
    source: 'https://www.postgresql.org/docs/current/app-psql.html',
    program: /^psql$/,
    commands: [['-f'], ['--file']],
    url: { options: ['-d', '--dbname'], positional: true },
    files: { options: ['-f', '--file'] },
    remedy: 'the URL that it is given',
  },
];
