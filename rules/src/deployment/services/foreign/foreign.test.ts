import { expect, test } from 'vitest';
import { readDocuments } from '../../../documents.ts';
import { show } from '../../../known.ts';
import { projectOf } from '../../../project.ts';
import { programOf } from '../../../source/program.ts';
import { survey } from '../../survey.ts';

type Files = Readonly<Record<string, string>>;

/** "2–15 defaulted -> db": the pools of the one service. */
function pools(fields: string, files: Files): readonly string[] {
  const project = projectOf({ 'compose.yaml': `services:\n  db: { image: postgres:17 }\n  api: ${fields}\n`, ...files });
  const [deployment] = survey(project, readDocuments(project).documents, programOf(project)).deployments;
  return (deployment?.services ?? []).flatMap(({ foreignPools }) =>
    foreignPools.map(
      ({ size, target }) => `${show(size)} ${size.source} -> ${target?.kind === 'database' ? target.database.name : target?.kind}`,
    ),
  );
}

const spring = (environment: string) =>
  `{ build: ., command: java -jar app.jar, environment: { ${environment}SPRING_DATASOURCE_URL: 'jdbc:postgresql://db:5432/app' } }`;
const yaml = 'src/main/resources/application.yml';

test.each([
  [spring(''), {}, 'at least 1 assumed -> db'],
  [spring('SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE: 30, '), {}, '30 written -> db'],
  [spring('SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE: 30, '), {}, '30 written -> db'],
  [spring(''), { [yaml]: 'spring:\n  jpa: { open-in-view: false }\n' }, '10 defaulted -> db'],
  [spring(''), { [yaml]: 'spring.datasource.hikari.maximum-pool-size: 25\n' }, '25 written -> db'],
  [spring(''), { [yaml]: 'spring:\n  datasource:\n    hikari:\n      maximumPoolSize: ${POOL:12}\n' }, '12 written -> db'],
  [spring('POOL: 40, '), { [yaml]: 'spring:\n  datasource:\n    hikari:\n      maximumPoolSize: ${POOL:12}\n' }, '40 written -> db'],
  [spring(''), { [yaml]: 'spring:\n  datasource:\n    type: org.apache.tomcat.jdbc.pool.DataSource\n' }, 'at least 1 assumed -> db'],
  [
    spring('SPRING_PROFILES_ACTIVE: prod, '),
    {
      [yaml]:
        'spring.datasource.hikari.maximum-pool-size: 5\n---\nspring:\n  config.activate.on-profile: prod\n  datasource.hikari.maximum-pool-size: 50\n',
    },
    '50 written -> db',
  ],
  [
    spring(''),
    {
      [yaml]: 'spring.datasource.hikari.maximum-pool-size: 5\n',
      'src/main/resources/application-prod.yml': 'spring.datasource.hikari.maximum-pool-size: 50\n',
    },
    '5 written -> db',
  ],
  [
    spring(''),
    {
      'src/main/resources/application.properties':
        '# spring.datasource.hikari.maximum-pool-size=99\nspring.datasource.hikari.maximum-pool-size = 15\n',
    },
    '15 written -> db',
  ],
  [
    '{ build: ., command: java -jar app.jar, environment: { DB_HOST: db } }',
    { [yaml]: 'spring:\n  datasource:\n    url: jdbc:postgresql://${DB_HOST:localhost}:${DB_PORT:5432}/app\n' },
    '10 defaulted -> db',
  ],
  [
    '{ build: ., environment: { DB_HOST: db } }',
    { Dockerfile: 'FROM eclipse-temurin:21-jre\n', [yaml]: 'spring:\n  datasource:\n    url: jdbc:postgresql://${DB_HOST}/app\n' },
    '10 defaulted -> db',
  ],
])('Spring: %s with %o', (fields, files, expected) => {
  expect(pools(fields, files)).toEqual([expected]);
});

const python = "{ build: ., command: 'uvicorn main:app', environment: { DATABASE_URL: 'postgresql+asyncpg://app@db/app', POOL: 20 } }";
const engine = (call: string, before = '') => ({
  'app/db.py': `import os\nfrom sqlalchemy import create_engine\n${before}\nengine = ${call}\n`,
});
const env = 'os.environ["DATABASE_URL"]';

test.each([
  [engine(`create_engine(${env})`), '15 defaulted -> db'],
  [
    engine(`create_async_engine(\n    ${env},\n    pool_size=20,  # a comment, with a comma\n    max_overflow=0,\n    echo=False,\n)`),
    '20 written -> db',
  ],
  [engine(`create_engine(os.getenv("DATABASE_URL", "sqlite://"), pool_size=int(os.getenv("POOL", "5")))`), '30 defaulted -> db'],
  [
    engine(
      'create_engine(DATABASE_URL, pool_size=POOL_SIZE, max_overflow=2)',
      'DATABASE_URL = os.environ.get("DATABASE_URL").replace("postgres://", "postgresql://", 1)\nPOOL_SIZE = 8\n',
    ),
    '10 written -> db',
  ],
  [
    {
      ...engine('create_engine(str(settings.DATABASE_URL), pool_size=settings.POOL, max_overflow=0)'),
      'app/config.py': 'class Settings(BaseSettings):\n    DATABASE_URL: str\n    POOL: int = 5\n',
    },
    '20 written -> db',
  ],
  [engine(`create_engine(${env}, pool_size=0)`), 'at least 11 assumed -> db'],
  [engine(`create_engine(${env}, poolclass=NullPool)`), 'at least 1 assumed -> db'],
  [engine(`create_engine(${env}, **options)`), 'at least 1 assumed -> db'],
  [engine('create_engine(build_url())'), '15 defaulted -> undefined'],
])('SQLAlchemy: %o', (files, expected) => {
  expect(pools(python, files)).toEqual([expected]);
});

test('of SQLAlchemy count the engines of the application, and of several only one is certain', () => {
  const more = engine(`create_engine(${env})\nasync_engine = create_async_engine(${env})\n# create_engine(${env})`);
  const conftest = { 'tests/conftest.py': `engine = create_engine(${env})\n` };
  expect(pools(python, { ...more, ...conftest })).toEqual(['15 defaulted -> db', '0–15 defaulted -> db']);
  expect(pools('{ build: ., command: node main.js }', engine(`create_engine(${env})`))).toEqual([]);
});

test('of SQLAlchemy count the engines that the entry imports; one in a function may never be made', () => {
  const files = {
    'main.py': 'from fastapi import FastAPI\nfrom app.routers import (\n    orders,\n)\n',
    'app/routers/__init__.py': '',
    'app/routers/orders.py': 'from ..database import engine\n',
    'app/database.py': `engine = create_engine(${env}, pool_size=3, max_overflow=0)\n`,
    'app/report.py': `engine = create_engine(${env})\n`,
    'seed.py': `engine = create_engine(${env})\n`,
  };
  expect(pools(python, files)).toEqual(['3 written -> db']);
  const local = { ...files, 'app/database.py': `def run():\n    engine = create_engine(${env}, pool_size=3, max_overflow=0)\n` };
  expect(pools(python, local)).toEqual(['0–3 written -> db']);
});

const rails = (environment: string) => `{ build: ., command: bundle exec puma, environment: { RAILS_ENV: production${environment} } }`;
const database = (lines: string) => ({
  'config/database.yml': `default: &default\n  adapter: postgresql\n  pool: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>\nproduction:\n  <<: *default\n${lines}`,
});

test.each([
  [rails(", DATABASE_URL: 'postgres://app@db/app'"), database('  database: app\n'), '5 written -> db'],
  [rails(", RAILS_MAX_THREADS: 16, DATABASE_URL: 'postgres://app@db/app'"), database('  database: app\n'), '16 written -> db'],
  [rails(", DATABASE_URL: 'postgres://app@db/app?pool=9'"), database('  database: app\n'), '9 written -> db'],
  [rails(', DB_HOST: db'), database('  host: <%= ENV["DB_HOST"] %>\n  pool: 7\n'), '7 written -> db'],
  [rails(", URL: 'postgres://app@db/app'"), database('  primary:\n    url: <%= ENV.fetch("URL") %>\n'), '5 defaulted -> db'],
  [rails(", DATABASE_URL: 'postgres://app@db/app'"), database('  pool: <%= Etc.nprocessors %>\n'), 'at least 1 assumed -> db'],
])('Rails: %s with %o', (fields, files, expected) => {
  expect(pools(fields, files)).toEqual([expected]);
});
