import { textOf } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import { noConfiguration, parseConfiguration } from './configuration.ts';

const ids = ['release-in-finally', 'connection-budget'];

function parse(content: string) {
  return parseConfiguration(textOf('poolcheck.yaml', content), 'deploy/poolcheck.yaml', ids);
}

test('rules and patterns', () => {
  const { rules, ignore } = parse(
    '# ours\nrules:\n  release-in-finally: off\n  connection-budget: "warning"\nignore: [legacy/, "*.gen.ts"]\n',
  );
  expect([...rules]).toEqual([
    ['release-in-finally', 'off'],
    ['connection-budget', 'warning'],
  ]);
  expect(ignore).toEqual(['legacy/', '*.gen.ts']);
});

test('overrides, and what comments must say', () => {
  const { overrides, reasons } = parse(
    'overrides:\n  - files: [legacy/, "*.gen.ts"]\n    rules: { release-in-finally: warning }\n  - { files: [x] }\nsuppressions: { reason: optional }\n',
  );
  expect(overrides.map(({ files, rules }) => [files, [...rules]])).toEqual([
    [['legacy/', '*.gen.ts'], [['release-in-finally', 'warning']]],
    [['x'], []],
  ]);
  expect(reasons).toBe('optional');
  expect(noConfiguration.reasons).toBe('required');
});

test.each([
  ['overrides: { files: [a] }', '"overrides" must be a list of { files, rules }'],
  ['overrides:\n  - rules: { release-in-finally: off }', 'an override needs "files", the patterns that it is for'],
  [
    'overrides:\n  - files: [a]\n    rules: { release-in-finaly: off }',
    'unknown rule "release-in-finaly". Did you mean "release-in-finally"?',
  ],
  ['overrides:\n  - file: [a]', 'unknown key "file". Did you mean "files"?'],
  ['overrides:\n  - files: "{a,b}"', '"files" must be a list of patterns'],
  ['suppressions: { reasons: optional }', 'unknown key "reasons". Did you mean "reason"?'],
  ['suppressions: { reason: never }', '"reason" must be required or optional'],
])('%s: %s', (content, message) => {
  expect(() => parse(content)).toThrow(message);
});

test('wrappers in packages outside the root', () => {
  const { wrappers } = parse(
    'leases:\n  - { acquire: "@acme/db#getClient", release: close }\n  - acquire: acme-db#default\n    release: "acme-db#pool.giveBack"\nborrows: ["@acme/db/scoped#withClient"]\n',
  );
  expect(wrappers).toEqual({
    leases: [
      { acquire: { package: '@acme/db', path: 'getClient' }, release: 'close' },
      { acquire: { package: 'acme-db', path: '' }, release: { package: 'acme-db', path: 'pool.giveBack' } },
    ],
    borrows: [{ package: '@acme/db/scoped', path: 'withClient' }],
  });
});

test('databases, with what is left out', () => {
  const { databases } = parse(
    'databases:\n  shop: { host: DB.example.com, max_connections: 90 }\n  old: { host: my, max_connections: 9, engine: mysql, reserved: 2, port: 3307 }',
  );
  expect(
    databases.map(({ host, port, database: { name, software, maxConnections, reserved } }) => [
      host,
      port,
      name,
      software,
      maxConnections.low,
      reserved.low,
    ]),
  ).toEqual([
    ['DB.example.com', 5432, 'shop', 'postgresql', 90, 3],
    ['my', 3307, 'old', 'mysql', 9, 2],
  ]);
});

test('versions, with and without quotes', () => {
  const { versions } = parse('versions: { pgbouncer: 1.20, nginx: "1.27.4", postgresql: 17, pg-pool: 3.10 }');
  expect([...versions]).toEqual([
    ['pgbouncer', [1, 20, 0]],
    ['nginx', [1, 27, 4]],
    ['postgresql', [17, 0, 0]],
    ['pg-pool', [3, 10, 0]],
  ]);
});

test.each(['', '# nothing\n', 'rules:\n', '---\n'])('%j says nothing', (content) => {
  expect(parse(content)).toEqual(noConfiguration);
});

describe('mistakes are named with their place', () => {
  test.each([
    ['rules:\n  release-in-finaly: off', '2:3: unknown rule "release-in-finaly". Did you mean "release-in-finally"?'],
    ['rules:\n  connection-budget: err', '2:22: "connection-budget" must be one of off, info, warning, error'],
    ['rules:\n  connection-budget:', '2:21: "connection-budget" must be one of off, info, warning, error'],
    ['rules:\n  connection-budget: [error]', '2:22: "connection-budget" must be one of off, info, warning, error'],
    ['rule: {}', '1:1: unknown key "rule". Did you mean "rules"?'],
    ['rules: []', '1:8: "rules" must be a map'],
    ['- a', '1:1: the configuration must be a map'],
    ['ignore: legacy', '1:9: "ignore" must be a list of patterns'],
    ['ignore: [[a]]', '1:10: a pattern must be a text'],
    ['ignore: [""]', '1:10: a pattern must not be empty'],
    [
      'ignore: ["*.{ts,js}"]',
      '1:10: patterns are written as in a .gitignore, where "{" means itself: write one pattern for each alternative',
    ],
    ['rules: {}\nrules: {}', '2:1: "rules" is written twice'],
    ['rules: *b', '1:8: "rules" must be a map'],
    ['rules: {\n', '2:1: Flow map in block collection must be sufficiently indented and end with a }'],
    ['rules: {}\n---\nrules: {}', '3:1: one document is enough'],
    ['databases: []', '1:12: "databases" must be a map'],
    ['databases: { shop: { host: db.example.com } }', '1:14: "shop" needs max_connections'],
    ['databases: { shop: { max_connections: 9 } }', '1:14: "shop" needs the host that clients connect to'],
    ['databases: { shop: { host: db, max_connection: 9 } }', '1:32: unknown key "max_connection". Did you mean "max_connections"?'],
    ['databases: { shop: { host: db, max_connections: many } }', '1:49: "max_connections" of "shop" must be a whole number'],
    ['databases: { shop: { host: db, max_connections: 9, engine: oracle } }', '1:60: "engine" must be one of postgresql, mysql'],
    ['versions: 1.24', '1:11: "versions" must be a map'],
    ['versions:\n  pgbouncr: 1.24', '2:3: no version can be declared of "pgbouncr". Did you mean "pgbouncer"?'],
    ['versions: { nginx: stable }', '1:20: the version of "nginx" must be written as "1.24" or "1.24.1"'],
    ['versions: { nginx: }', '1:20: the version of "nginx" must be written as "1.24" or "1.24.1"'],
    ['extends: ./config.js', '1:1: unknown key "extends".'],
    ['leases: "@acme/db#getClient"', '1:9: "leases" must be a list'],
    ['leases: ["@acme/db#getClient"]', '1:10: a lease is written as a map: acquire: "@acme/db#getClient", release: "close"'],
    ['leases:\n  - acquire: "@acme/db#getClient"', '2:5: a lease needs "release"'],
    [
      'leases:\n  - acquire: getClient\n    release: close',
      '2:14: "acquire" must be a package and what it exports, such as "@acme/db#getClient"',
    ],
    [
      'leases:\n  - acquire: a#b\n    release: "close()"',
      '3:14: "release" must be the name of a method, or a function such as "@acme/db#releaseClient"',
    ],
    ['leases:\n  - aquire: a#b\n    release: c', '2:5: unknown key "aquire". Did you mean "acquire"?'],
    ['borrows: ["./db.ts#withClient"]', '1:11: "./db.ts" is a file: what wrappers in the root do is read from their code'],
    ['borrows:\n  - withClient: 1', '2:5: what borrows must be a package and what it exports, such as "@acme/db#getClient"'],
  ])('%j', (content, message) => expect(() => parse(content)).toThrow(`deploy/poolcheck.yaml:${message}`));

  test('all of them at once', () => {
    expect(() => parse('a: 1\nb: 2\n')).toThrow('deploy/poolcheck.yaml:1:1: unknown key "a".\ndeploy/poolcheck.yaml:2:1: unknown key "b".');
  });
});

test.each([
  ['['.repeat(60_000), 'nested too deeply to be read'],
  ['a: '.repeat(60_000), 'nested too deeply to be read'],
  ['#'.repeat(2_000_000), 'too large to be read as YAML'],
  ['a: &a [x, x]\nb: &b [*a, *a]\nrules: { connection-budget: *b }', '"connection-budget" must be one of'],
])('a hostile file is a mistake like any other', (content, message) => expect(() => parse(content)).toThrow(message));
