import { expect, test } from 'vitest';
import { readDocuments } from '../../documents.ts';
import { show } from '../../known.ts';
import { projectOf } from '../../project.ts';
import { programOf } from '../../source/program.ts';
import { survey } from '../survey.ts';

/** The poolers of a compose file with one service for them, in short. */
function poolersOf(image: string, files: Readonly<Record<string, string>>, more = '') {
  const volumes = Object.keys(files).map((name) => `      - ./${name}:/config/${name}`);
  const compose = `services:\n  pooler:\n    image: ${image}\n${volumes.length > 0 ? `    volumes:\n${volumes.join('\n')}\n` : ''}${more}  db:\n    image: postgres:17\n`;
  const project = projectOf({ 'compose.yaml': compose, ...files });
  const { deployments } = survey(project, readDocuments(project).documents, programOf(project));
  return deployments.flatMap(({ poolers }) =>
    poolers.flatMap(({ software, entries, behaviour }) =>
      entries.map(
        ({ name, mode, serverConnections, database }) =>
          `${software} ${name} ${mode.value} ${mode.source}: ${show(serverConnections)} ${serverConnections.source} -> ${database?.name}, prepared ${behaviour.prepared.carried}`,
      ),
    ),
  );
}

const pgcat = (users: string, more = '') =>
  `[general]\nport = 6432\n${more}[pools.shop]\n[pools.shop.shards.0]\nservers = [["replica", 5432, "replica"], ["db", 5432, "primary"]]\n${users}`;

test.each([
  [
    pgcat('[pools.shop.users.0]\npool_size = 7\n[pools.shop.users.1]\n'),
    ['pgcat shop transaction defaulted: 16 defaulted -> db, prepared undefined'],
  ],
  [
    pgcat('[pools.shop.users.0]\npool_size = 7\n', 'prepared_statements_cache_size = 500\n'),
    ['pgcat shop transaction defaulted: 7 written -> db, prepared true'],
  ],
  [pgcat('[pools.shop.users.0]\npool_mode = "session"\n'), ['pgcat shop session written: 9 defaulted -> db, prepared undefined']],
  [pgcat('[pools.shop.users.0]\npool_mode = "session"\n[pools.shop.users.1]\n'), []],
  [
    pgcat('[pools.shop.users.0]\n[pools.shop.shards.1]\n'),
    ['pgcat shop transaction defaulted: 9 defaulted -> undefined, prepared undefined'],
  ],
  ['[pools.shop\n', []],
])('PgCat: %j', (toml, expected) => {
  expect(poolersOf('ghcr.io/postgresml/pgcat:main', { 'pgcat.toml': toml })).toEqual(expected);
});

const pgdog =
  '[general]\npooler_mode = "session"\n[[databases]]\nname = "shop"\nhost = "db"\n[[databases]]\nname = "shop"\nhost = "replica"\nrole = "replica"\n';

test('PgDog: every user has a pool of each server', () => {
  const users =
    '[[users]]\nname = "a"\ndatabase = "shop"\n[[users]]\nname = "b"\ndatabase = "shop"\npool_size = 3\n[[users]]\nname = "c"\ndatabase = "other"\n';
  expect(poolersOf('ghcr.io/pgdogdev/pgdog:main', { 'pgdog.toml': pgdog, 'users.toml': users })).toEqual([
    'pgdog shop session written: 13 defaulted -> db, prepared true',
  ]);
});

test('PgDog: users that are not in the project are not known', () => {
  expect(poolersOf('pgdog', { 'pgdog.toml': pgdog })).toEqual(['pgdog shop session written: at least 1 assumed -> db, prepared true']);
});

const odyssey = (routes: string) => `storage "main" {\n  type "remote"\n  host "db"\n}\ndatabase default {\n${routes}}\n`;
const route = (options: string) => `  user default {\n    storage "main"\n${options}  }\n`;

test.each([
  [odyssey(route('    pool "transaction"\n    pool_size 12\n')), ['odyssey * transaction written: 12 written -> db, prepared undefined']],
  [odyssey(route('    pool "session"\n')), ['odyssey * session written: at least 0 defaulted -> db, prepared undefined']],
  [
    odyssey(route('    pool "transaction"\n    pool_reserve_prepared_statement yes\n')),
    ['odyssey * transaction written: at least 0 defaulted -> db, prepared true'],
  ],
  [odyssey(route('')), []],
  [`include "routes.conf"\n${odyssey(route('    pool "session"\n'))}`, []],
])('Odyssey: %j', (conf, expected) => {
  expect(poolersOf('yandex/odyssey:1.4', { 'odyssey.conf': conf })).toEqual(expected);
});

test('Pgpool-II from a file', () => {
  const conf = "backend_hostname0 = 'db'\nnum_init_children = 10\nmax_pool = 2\n";
  expect(poolersOf('pgpool/pgpool:4.5', { 'pgpool.conf': conf })).toEqual([
    'pgpool * session defaulted: 20 written -> db, prepared undefined',
  ]);
});

test('Pgpool-II from the variables of an image, and with several backends', () => {
  const variables = (nodes: string) => `    environment:\n      PGPOOL_BACKEND_NODES: ${nodes}\n      PGPOOL_NUM_INIT_CHILDREN: "8"\n`;
  expect(poolersOf('bitnami/pgpool:4', {}, variables('0:db:5432'))).toEqual([
    'pgpool * session defaulted: 32 defaulted -> db, prepared undefined',
  ]);
  expect(poolersOf('bitnami/pgpool:4', {}, variables('0:db:5432,1:other:5432'))).toEqual([
    'pgpool * session defaulted: 32 defaulted -> undefined, prepared undefined',
  ]);
});

test('a pooler whose file is not in the project is none', () => {
  expect(poolersOf('ghcr.io/postgresml/pgcat:main', {})).toEqual([]);
});
