import { outermost, type Place, positionAt } from '@poolcheck/parsers/text';
import { expect, test } from 'vitest';
import { readDocuments } from '../documents.ts';
import { type Known, show } from '../known.ts';
import { projectOf } from '../project.ts';
import { programOf } from '../source/program.ts';
import type { Database, Deployment, Service } from './model.ts';
import { survey } from './survey.ts';

type Files = Readonly<Record<string, string>>;

function surveyOf(files: Files) {
  const project = projectOf(files);
  const { documents } = readDocuments(project);
  return survey(project, documents, programOf(project));
}

function deploymentOf(files: Files): Deployment {
  const [deployment] = surveyOf(files).deployments;
  if (!deployment) throw new Error('no deployment');
  return deployment;
}

const brief = (known: Known | undefined) => known && `${show(known)} ${known.source}`;

function lineOf(place: Place | undefined): string | undefined {
  if (!place) return undefined;
  const { text, range } = outermost(place);
  return `${text.path}:${positionAt(text, range.start).line}`;
}

/** "api: pool 10 written -> db" for every pool of every service. */
function drawn({ services }: Deployment): readonly string[] {
  return services.flatMap(({ name, pools }) =>
    pools.map(({ site, size, target }) => `${name}: ${site.name} ${show(size)} ${size.source} -> ${targetName(target)}`),
  );
}

function targetName(target: Service['pools'][number]['target']): string {
  if (!target) return '?';
  return target.kind === 'database' ? target.database.name : `${target.pooler.name}/${target.entry.name} ${target.entry.mode.value}`;
}

const pool = (options: string, name = 'pool') => `import { Pool } from 'pg';\nexport const ${name} = new Pool({ ${options} });\n`;
const api = (fields: string) => `services:\n  db: { image: postgres:17 }\n  api:\n    build: .\n${fields}`;
const environment = (variables: string) => api(`    environment: { ${variables} }\n`);

const url = 'connectionString: process.env.DATABASE_URL';
const toDb = 'DATABASE_URL: postgres://app@db/app';

test.each([
  [`${url}, max: 7`, toDb, '7 written'],
  [url, toDb, '10 defaulted'],
  [`${url}, max: Number(process.env.MAX ?? 12)`, toDb, '12 written'],
  [`${url}, max: Number(process.env.MAX ?? 12)`, `${toDb}, MAX: 30`, '30 written'],
  [`${url}, max: Number(process.env.MAX)`, `${toDb}, MAX: "\${MAX}"`, 'at least 1 assumed'],
  [`${url}, max: Number(process.env.MAX || 12)`, `${toDb}, MAX: ""`, '12 written'],
  [`${url}, max: 0`, toDb, '10 written'],
  [`${url}, max: Number(process.env.MAX)`, `${toDb}, MAX: many`, '10 written'],
  [`${url}, max: isBig() ? 40 : 10`, toDb, '10–40 written'],
  [`...options, ${url}`, toDb, 'at least 1 assumed'],
])('the size of a pool with %s where %s', (options, variables, expected) => {
  const { services } = deploymentOf({
    'compose.yaml': environment(variables),
    'src/db.ts': `import { options } from 'elsewhere';\n${pool(options)}`,
  });
  expect(brief(services[0]?.pools[0]?.size)).toBe(expected);
});

test.each([
  ['', 'at least 3 assumed'],
  ['?connection_limit=7&pool_timeout=5', '7 written'],
  ['?connection_limit=many', 'at least 1 assumed'],
])('the pool of Prisma with a URL that ends with "%s" is %s', (query, expected) => {
  const { services } = deploymentOf({
    'compose.yaml': environment(`DATABASE_URL: "postgres://app@db/app${query}"`),
    'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}\n',
    'src/db.ts': "import { PrismaClient } from '@prisma/client';\nexport const prisma = new PrismaClient();\n",
  });
  expect(services[0]?.pools.map(({ size, target }) => [brief(size), targetName(target)])).toEqual([[expected, 'db']]);
});

test('a pool that is ended where it is made is most often not there', () => {
  const source = (end: string) =>
    `import { Pool } from 'pg';\nexport async function check() {\n  const pool = new Pool({ ${url} });\n  try { await pool.query('SELECT 1'); } finally { ${end} }\n}\n`;
  const size = (end: string) =>
    brief(deploymentOf({ 'compose.yaml': environment(toDb), 'src/check.ts': source(end) }).services[0]?.pools[0]?.size);
  expect([size('await pool.end();'), size('console.log(1);')]).toEqual(['0–10 defaulted', '10 defaulted']);
});

test('the size of a pool stands first where its variable is set, then where the source reads it', () => {
  const files = { 'compose.yaml': environment(`${toDb}, MAX: 30`), 'src/db.ts': pool(`${url}, max: Number(process.env.MAX ?? 12)`) };
  const evidence = deploymentOf(files).services[0]?.pools[0]?.size.evidence;
  expect(evidence?.map(({ place }) => lineOf(place))).toEqual(['compose.yaml:5', 'src/db.ts:2']);
});

test.each([
  [url, toDb, 'db'],
  [url, 'DATABASE_URL: "postgres://app:${PASSWORD}@db:5432/app"', 'db'],
  [url, 'DATABASE_URL: "postgres://app@${HOST}/app"', '?'],
  [url, 'DATABASE_URL: "${DATABASE_URL}"', '?'],
  [url, 'DATABASE_URL: "postgres://app@one,db/app"', '?'],
  [`${url} ?? 'postgres://db/app'`, 'OTHER: 1', 'db'],
  ['host: process.env.DB_HOST', 'DB_HOST: db', 'db'],
  ["host: 'db', port: 5432", 'A: b', 'db'],
  ['max: 5', 'PGHOST: db', 'db'],
  ['max: 5', 'A: b', '?'],
  ["connectionString: process.env.EU ? 'postgres://db/app' : 'postgres://elsewhere/app'", 'A: b', '?'],
])('a pool with %s where %s leads to %s', (options, variables, expected) => {
  const { services } = deploymentOf({ 'compose.yaml': environment(variables), 'src/db.ts': pool(options) });
  expect(targetName(services[0]?.pools[0]?.target)).toBe(expected);
});

const databases = (definition: string, files: Files = {}): Database | undefined =>
  deploymentOf({ 'compose.yaml': `services:\n  db: ${definition}\n`, ...files }).databases[0];

test.each([
  ['{ image: postgres:17 }', '100 defaulted', '3 defaulted'],
  [
    '{ image: mirror.example.com/library/postgres:15, command: postgres -c max_connections=300 -c superuser_reserved_connections=10 }',
    '300 written',
    '10 written',
  ],
  ['{ image: postgres, command: ["-N", "50"] }', '50 written', '3 defaulted'],
  ['{ image: postgres, command: "postgres --max-connections=60 -c reserved_connections=7" }', '60 written', '10 defaulted'],
  [
    '{ image: postgres, entrypoint: ["sh", "-c"], command: ["exec docker-entrypoint.sh postgres -c max_connections=70"] }',
    '70 written',
    '3 defaulted',
  ],
  ['{ image: postgres, command: "postgres -c max_connections=$MAX" }', 'at least 0 assumed', '3 defaulted'],
  ['{ image: postgres, environment: { POSTGRES_MAX_CONNECTIONS: 500 } }', '100 defaulted', '3 defaulted'],
  ['{ image: postgres, environment: { POSTGRES_INITDB_ARGS: "-c max_connections=80" } }', '80 written', '3 defaulted'],
  ['{ image: bitnami/postgresql:16, environment: { POSTGRESQL_MAX_CONNECTIONS: 400 } }', '400 written', '3 defaulted'],
  ['{ image: postgres, command: -c config_file=/etc/pg.conf, volumes: ["./pg.conf:/etc/pg.conf"] }', '250 written', '3 defaulted'],
  [
    '{ image: postgres, command: -c config_file=/etc/pg.conf -c max_connections=9, volumes: ["./pg.conf:/etc/pg.conf"] }',
    '9 written',
    '3 defaulted',
  ],
  ['{ image: postgres, command: -c config_file=/etc/pg.conf }', 'at least 0 assumed', 'at least 0 assumed'],
  ['{ image: postgres, volumes: ["./pg.conf:/var/lib/postgresql/data/postgresql.conf"] }', '250 written', '3 defaulted'],
  ['{ image: postgres, volumes: ["./pg.conf:/etc/postgresql/postgresql.conf"] }', '100 defaulted', '3 defaulted'],
  ['{ image: postgres, volumes: ["data:/var/lib/postgresql/data", "./init:/docker-entrypoint-initdb.d"] }', '900 written', '3 defaulted'],
  [
    '{ image: postgres, command: -c max_connections=50, volumes: ["./init/a.sql:/docker-entrypoint-initdb.d/a.sql"] }',
    '50 written',
    '3 defaulted',
  ],
  ['{ image: postgres, volumes: ["./hidden:/docker-entrypoint-initdb.d"] }', 'at least 0 assumed', 'at least 0 assumed'],
  ['{ image: timescale/timescaledb:2.17.0-pg17 }', 'at least 0 assumed', 'at least 0 assumed'],
  ['{ image: mysql:8.4 }', '151 defaulted', '0 written'],
  ['{ image: mariadb:11, command: --max-connections=500 }', '500 written', '0 written'],
  ['{ image: mysql, volumes: ["./other.cnf:/etc/mysql/conf.d/my.cnf"] }', 'at least 0 assumed', '0 written'],
  ['{ image: mysql, volumes: ["./my.cnf:/etc/mysql/conf.d/my.cnf"] }', '400 written', '0 written'],
  ['{ image: mariadb, volumes: ["./my.cnf:/etc/mysql/mariadb.conf.d/99.cnf"] }', '400 written', '0 written'],
  ['{ image: mysql, volumes: ["./client.cnf:/etc/my.cnf"] }', '151 defaulted', '0 written'],
  ['{ image: mysql, command: --max-connections=80, volumes: ["./my.cnf:/etc/my.cnf"] }', '80 written', '0 written'],
  ['{ image: bitnami/mysql, environment: { MYSQL_EXTRA_FLAGS: "--max-connections=90" } }', '90 written', '0 written'],
  ['{ image: bitnami/mysql }', 'at least 0 assumed', '0 written'],
])('%s accepts %s, of which %s are reserved', (definition, max, reserved) => {
  const database = databases(definition, {
    'pg.conf': 'max_connections = 250\n',
    'init/a.sql': 'CREATE ROLE app;\nALTER SYSTEM SET max_connections = 900;',
    'hidden/a.sh': 'psql -c "ALTER SYSTEM SET max_connections = 900"',
    'my.cnf': '[client]\nmax_connections = 3\n[mysqld]\nmax-connections = 400 # so many\n',
    'client.cnf': '[client]\nport = 3306\n',
  });
  expect([brief(database?.maxConnections), brief(database?.reserved)]).toEqual([max, reserved]);
});

test('a database that is built here says what its Dockerfile says, and no more', () => {
  const built = (command: string) => databases('{ build: ./db }', { 'db/Dockerfile': `FROM postgres:16\n${command}` });
  expect(brief(built('CMD ["postgres", "-c", "max_connections=40"]')?.maxConnections)).toBe('40 written');
  expect(brief(built('COPY postgresql.conf /etc/')?.maxConnections)).toBe('at least 0 assumed');
});

test('a container that runs another program of the image is no database', () => {
  expect(databases('{ image: postgres, command: sh -c "pg_dump app > /backup/app.sql" }')).toBeUndefined();
  expect(databases('{ image: postgres, entrypoint: ["psql"], command: ["-c", "SELECT 1"] }')).toBeUndefined();
});

test('several servers behind one name are no database with a limit', () => {
  expect(databases('{ image: postgres, deploy: { replicas: 3 } }')).toBeUndefined();
});

const ini = (settings: string, entries = 'app = host=db', rest = '') => `[databases]\n${entries}\n[pgbouncer]\n${settings}\n${rest}`;
const pooled = (text: string, tag = 'v1.24.1-p1') =>
  deploymentOf({
    'compose.yaml': `services:
  db: { image: postgres:17 }
  pooler: { image: "edoburu/pgbouncer:${tag}", volumes: ["./pgbouncer.ini:/etc/pgbouncer/pgbouncer.ini"], environment: { POOL_MODE: statement } }
  api: { build: ., environment: { A: postgres://one@pooler/app, B: postgres://two@pooler/app } }
`,
    'pgbouncer.ini': text,
    'src/db.ts': `${pool('connectionString: process.env.A')}export const other = new Pool({ connectionString: process.env.B });`,
  });

test.each([
  [ini(''), 'session', '40 defaulted'],
  [ini('pool_mode = transaction\ndefault_pool_size = 5'), 'transaction', '10 written'],
  [ini('default_pool_size = 5\nreserve_pool_size = 2'), 'session', '14 written'],
  [ini('default_pool_size = 5\nreserve_pool_size = 2\nreserve_pool_timeout = 0'), 'session', '10 written'],
  [ini('default_pool_size = 5\nmax_db_connections = 8'), 'session', '8 written'],
  [ini('default_pool_size = 5', 'app = host=db pool_size=9 pool_mode=transaction'), 'transaction', '18 written'],
  [ini('default_pool_size = 5', 'app = host=db user=shared'), 'session', '5 written'],
  [ini('default_pool_size = 5', '* = host=db'), 'session', '10 written'],
  [ini('default_pool_size = 5\nmax_user_connections = 3'), 'session', '6 written'],
  [ini('default_pool_size = {{ size }}'), 'session', 'at least 2 assumed'],
  [ini('default_pool_size = 5', 'app = host=db', '[users]\none = pool_size=2'), 'session', '0–10 written'],
])('%j opens in %s mode at most %s', (text, mode, size) => {
  const [pooler] = pooled(text).poolers;
  expect([pooler?.entries[0]?.mode.value, brief(pooler?.entries[0]?.serverConnections), pooler?.entries[0]?.database?.name]).toEqual([
    mode,
    size,
    'db',
  ]);
});

test('without a limit a pool is unlimited since PgBouncer 1.24, and one connection before', () => {
  const size = (tag: string) => brief(pooled(ini('default_pool_size = 0'), tag).poolers[0]?.entries[0]?.serverConnections);
  expect([size('v1.24.1'), size('v1.23.1'), size('latest')]).toEqual(['Infinity written', '2 written', 'at least 2 assumed']);
});

test('a user’s own mode beats that of the entry', () => {
  expect(drawn(pooled(ini('pool_mode = transaction', 'app = host=db', '[users]\ntwo = pool_mode=session')))).toEqual([
    'api: pool 10 defaulted -> pooler/app transaction',
    'api: other 10 defaulted -> pooler/app session',
  ]);
});

test.each([
  ['edoburu/pgbouncer', 'DATABASE_URL: postgres://app@db/app, POOL_MODE: transaction, DEFAULT_POOL_SIZE: 7', 'app transaction 7'],
  ['edoburu/pgbouncer', 'DB_HOST: db, DB_USER: app, POOL_MODE: transaction, MAX_DB_CONNECTIONS: 4', '* transaction 4'],
  ['bitnami/pgbouncer:1.24.1', 'POSTGRESQL_HOST: db, PGBOUNCER_DATABASE: app, PGBOUNCER_POOL_MODE: transaction', 'app transaction 20'],
  ['bitnami/pgbouncer', 'PGBOUNCER_DSN_0: "app=host=db pool_size=3", PGBOUNCER_POOL_MODE: transaction', 'postgres transaction 20'],
  ['pgbouncer/pgbouncer', 'DATABASES_HOST: db, DATABASES_POOL_SIZE: 6, PGBOUNCER_POOL_MODE: transaction', '* transaction 6'],
  ['edoburu/pgbouncer', 'DB_HOST: db, POOL_MODE: "", DEFAULT_POOL_SIZE: 7', '* session 7'],
  ['edoburu/pgbouncer', 'DB_HOST: db, POOL_MODE: "${MODE}"', undefined],
  ['example/pgbouncer', 'POOL_MODE: transaction', undefined],
])('%s with %s', (image, variables, expected) => {
  const compose = `services:\n  db: { image: postgres:17 }\n  pooler: { image: "${image}", environment: { ${variables} } }\n`;
  const [entry] = deploymentOf({ 'compose.yaml': compose }).poolers[0]?.entries ?? [];
  expect(entry && `${entry.name} ${entry.mode.value} ${show(entry.serverConnections)}`).toBe(expected);
});

const service = (name: string, fields: string) => `  ${name}: { ${fields}, environment: { ${toDb} } }\n`;
const compose = (...services: readonly string[]) => `services:\n  db: { image: postgres:17 }\n${services.join('')}`;
const main = "import './db.js';\n";

test.each<readonly [string, Files, readonly string[]]>([
  [
    'the command starts a module that imports it',
    {
      'compose.yaml': compose(
        service('api', 'image: node:22, command: node dist/api.js'),
        service('cron', 'image: node:22, command: node dist/cron.js'),
      ),
      'src/api.ts': main,
      'src/cron.ts': 'export {};',
      'src/db.ts': pool(url),
    },
    ['api'],
  ],
  [
    'the build is its folder',
    {
      'compose.yaml': compose(service('api', 'build: ./api'), service('web', 'build: ./web')),
      'api/src/db.ts': pool(url),
      'web/src/page.ts': 'export {};',
    },
    ['api'],
  ],
  [
    'the Dockerfile starts a module that imports it',
    {
      'compose.yaml': compose(
        service('api', 'build: { context: ., dockerfile: api.Dockerfile }'),
        service('job', 'build: { context: ., dockerfile: job.Dockerfile }'),
      ),
      'api.Dockerfile': 'FROM node:22\nWORKDIR /app\nCMD ["node", "dist/api.js"]\n',
      'job.Dockerfile': 'FROM node:22\nCMD exec node /app/dist/job.js\n',
      'src/api.ts': main,
      'src/job.ts': 'export {};',
      'src/db.ts': pool(url),
    },
    ['api'],
  ],
  [
    'a script of package.json starts it',
    {
      'compose.yaml': compose(service('api', 'build: ., command: npm run start:prod'), service('job', 'build: ., command: npm run job')),
      'package.json': '{ "scripts": { "start:prod": "NODE_ENV=production node -r ./telemetry.js dist/api", "job": "node dist/job.js" } }',
      'src/api.ts': main,
      'src/job.ts': 'export {};',
      'src/db.ts': pool(url),
    },
    ['api'],
  ],
  [
    'the image is named after its package',
    {
      'compose.yaml': compose(service('api', 'image: example/orders:2'), service('web', 'image: example/web:2')),
      'services/orders/package.json': '{ "name": "@shop/orders" }',
      'services/web/package.json': '{ "name": "@shop/web" }',
      'services/orders/src/db.ts': pool(url),
    },
    ['api'],
  ],
  [
    'its folder is mounted',
    {
      'compose.yaml': compose(
        service('api', 'image: node:22, working_dir: /app, command: npm run dev, volumes: ["./services/api:/app"]'),
        service('web', 'image: node:22, working_dir: /app, command: npm run dev, volumes: ["./services/web:/app"]'),
      ),
      'services/api/package.json': '{ "scripts": { "dev": "tsx watch src/server.ts" } }',
      'services/api/src/server.ts': pool(url),
      'services/web/package.json': '{ "scripts": { "dev": "next dev" } }',
    },
    ['api'],
  ],
  [
    'the image starts in its folder',
    {
      'compose.yaml': compose(
        service('api', 'build: { context: ., dockerfile: docker/api.Dockerfile }'),
        service('web', 'image: example/web'),
      ),
      'docker/api.Dockerfile': 'FROM node:22\nWORKDIR /repo\nCOPY . .\nWORKDIR services/api\nCMD ["node", "dist/server.js"]\n',
      'services/api/package.json': '{ "name": "backend" }',
      'services/api/src/server.ts': pool(url),
      'services/web/package.json': '{ "name": "web" }',
    },
    ['api'],
  ],
  [
    'a framework of the package loads it',
    {
      'compose.yaml': compose(service('web', 'build: ./web'), service('docs', 'build: ./docs')),
      'web/package.json': '{ "name": "web", "scripts": { "start": "next start" } }',
      'web/Dockerfile': 'FROM node:22\nCMD npm start\n',
      'web/app/db.ts': pool(url),
      'docs/package.json': '{ "name": "docs" }',
    },
    ['web'],
  ],
  [
    'it is the only application and the only place',
    { 'compose.yaml': compose(service('api', 'image: example/unnamed:1'), '  cache: { image: redis }\n'), 'src/db.ts': pool(url) },
    ['api'],
  ],
])('a pool runs where %s', (_, files, expected) => {
  expect(
    deploymentOf(files)
      .services.filter(({ pools }) => pools.length > 0)
      .map(({ name }) => name),
  ).toEqual(expected);
});

test.each<readonly [string, Files]>([
  [
    'two services may run it',
    { 'compose.yaml': compose(service('one', 'image: example/a'), service('two', 'image: example/b')), 'src/db.ts': pool(url) },
  ],
  [
    'two applications may run in a service',
    {
      'compose.yaml': compose(service('one', 'image: example/z')),
      'a/package.json': '{ "name": "a" }',
      'a/src/db.ts': pool(url),
      'b/package.json': '{ "name": "b" }',
      'b/src/db.ts': pool(url),
    },
  ],
  [
    'an API and its worker have pools of their own',
    { 'compose.yaml': compose(service('one', 'image: example/a')), 'src/api.ts': pool(url), 'src/worker.ts': pool(url) },
  ],
  [
    'the stack was not read whole',
    { 'compose.yaml': `include: [other.yaml]\n${compose(service('one', 'image: example/a'))}`, 'src/db.ts': pool(url) },
  ],
])('a pool is left out, and that is said, where %s', (_, files) => {
  const { deployments, problems } = surveyOf(files);
  expect(deployments.flatMap(drawn)).toEqual([]);
  expect(problems.map(({ message }) => message)).toContain('pool whose deployment is not known: it is in no budget');
});

test('pools of tests and scripts are not those of a service', () => {
  const files = {
    'compose.yaml': compose(service('api', 'build: .')),
    'src/db.ts': pool(url),
    'test/db.ts': pool(`${url}, max: 99`),
    'scripts/seed.ts': pool(url),
  };
  expect(drawn(deploymentOf(files))).toEqual(['api: pool 10 defaulted -> db']);
});

test('variables of the image count where the container does not set them', () => {
  const files = {
    'compose.yaml': environment(toDb),
    Dockerfile: 'FROM node:22\nENV MAX=33\n',
    'src/db.ts': pool(`${url}, max: Number(process.env.MAX ?? 1)`),
  };
  expect(drawn(deploymentOf(files))).toEqual(['api: pool 33 written -> db']);
});

test.each([
  ['node dist/main.js', '1 defaulted'],
  ['pm2-runtime -i 4 dist/main.js', '4 written'],
  ['pm2-runtime -i4 dist/main.js', '4 written'],
  ['pm2-runtime --instances=4 dist/main.js', '4 written'],
  ['gunicorn -w 4 app:app', '4 written'],
  ['pm2-runtime start dist/main.js -i max', 'at least 1 assumed'],
  ['pm2-runtime ecosystem.config.js -i 4', 'at least 1 assumed'],
])('%s runs %s processes', (command, expected) => {
  expect(brief(deploymentOf({ 'compose.yaml': api(`    command: ${command}\n`) }).services[0]?.processes)).toBe(expected);
});

test.each([
  ['aws-0-eu.pooler.supabase.com:6543', 'Supavisor/* transaction'],
  ['aws-0-eu.pooler.supabase.com:5432', 'Supavisor/* session'],
  ['aws-0-eu.pooler.supabase.com', 'Supavisor/* session'],
  ['db.abcdef.supabase.co:6543', 'Supabase’s PgBouncer/* transaction'],
  ['db.abcdef.supabase.co:5432', undefined],
  ['ep-cool-1-pooler.eu.aws.neon.tech', 'Neon’s PgBouncer/* transaction'],
  ['ep-cool-1.eu.aws.neon.tech', undefined],
  ['shop.postgres.database.azure.com:6432', 'Azure’s PgBouncer/* transaction'],
  ['shop.postgres.database.azure.com', undefined],
  ['shop.proxy-c1a2.eu-west-1.rds.amazonaws.com', 'RDS Proxy/* session'],
  ['shop.endpoint.proxy-c1a2.eu-west-1.rds.amazonaws.com', 'RDS Proxy/* session'],
  ['shop.c1a2.eu-west-1.rds.amazonaws.com', undefined],
])('%s is %s', (host, expected) => {
  const files = { '.env': `DATABASE_URL=postgres://app@${host}/app`, 'src/db.ts': pool(url) };
  const [deployment] = surveyOf(files).deployments;
  expect(deployment && targetName(deployment.services[0]?.pools[0]?.target)).toBe(expected);
});

test('what a .env file sets is for its folder and what that imports, and nothing is known of what it does not set', () => {
  const { deployments } = surveyOf({
    'api/.env.example': 'DATABASE_URL=postgres://app@x-pooler.neon.tech/app',
    'api/src/main.ts': "import '../../db/src/db.js';",
    'db/src/db.ts': pool(`${url}, max: Number(process.env.MAX)`),
    'jobs/src/db.ts': pool(url, 'other'),
  });
  expect(deployments.map(({ name }) => name)).toEqual(['api/.env.example']);
  expect(deployments.flatMap(drawn)).toEqual(['api/.env.example: pool at least 1 assumed -> Neon’s PgBouncer/* transaction']);
});
