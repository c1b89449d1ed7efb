import { describe, expect, test } from 'vitest';
import { catalogue } from '../catalogue.ts';
import { check } from '../check.ts';
import { projectOf } from '../project.ts';
import { programOf } from '../source/program.ts';

type Packages = Readonly<Record<string, string>>;

/** A module beside a lockfile with these packages. */
function project(source: string, packages: Packages) {
  const lock = { packages: Object.fromEntries(Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }])) };
  return projectOf({
    'package.json': JSON.stringify({ dependencies: Object.fromEntries(Object.keys(packages).map((name) => [name, '*'])) }),
    'package-lock.json': JSON.stringify(lock, undefined, 2),
    'src/db.ts': source,
  });
}

/** "severity: message" of what one rule finds. */
function found(rule: string, source: string, packages: Packages): readonly string[] {
  const severities = new Map(catalogue.filter(({ id }) => id !== rule).map(({ id }) => [id, 'off'] as const));
  return check(project(source, packages), { severities }).findings.map(({ severity, message }) => `${severity}: ${message}`);
}

function optionsIn(source: string, packages: Packages) {
  const [pool] = programOf(project(source, packages)).pools;
  return pool?.options;
}

describe('an option that came later', () => {
  const pg = `import { Pool } from 'pg';
export const pool = new Pool({ max: 5, connectionTimeoutMillis: 5_000, maxLifetimeSeconds: 600 });
`;
  test('is unknown before', () => {
    expect(found('unknown-pool-option', pg, { pg: '8.6.0', 'pg-pool': '3.4.1' })).toEqual([
      'warning: maxLifetimeSeconds came with pg-pool 3.5.0, but pg-pool 3.4.1 is installed, which ignores it.',
    ]);
  });
  test('is known from then on, and where nothing tells', () => {
    expect(found('unknown-pool-option', pg, { pg: '8.8.0', 'pg-pool': '3.5.2' })).toEqual([]);
    expect(found('unknown-pool-option', pg, { pg: '8.6.0' })).toEqual([]);
    expect(found('unknown-pool-option', pg, {})).toEqual([]);
  });

  const mysql2 = `import { createPool } from 'mysql2/promise';
export const pool = createPool({ connectionLimit: 5, idleTimeout: 10_000, resetOnRelease: true });
`;
  test('of mysql2', () => {
    const later = (option: string, release: string, version: string) =>
      `warning: ${option} came with mysql2 ${release}, but mysql2 ${version} is installed, which prints a warning and ignores it.`;
    expect(found('unknown-pool-option', mysql2, { mysql2: '3.0.1' })).toEqual([
      later('idleTimeout', '3.1.0', '3.0.1'),
      later('resetOnRelease', '3.22.0', '3.0.1'),
    ]);
    expect(found('unknown-pool-option', mysql2, { mysql2: '3.1.0' })).toEqual([later('resetOnRelease', '3.22.0', '3.1.0')]);
    expect(found('unknown-pool-option', mysql2, { mysql2: '3.22.0' })).toEqual([]);
  });

  test('says no size: TypeORM before poolSize', () => {
    const source = `import { DataSource } from 'typeorm';
export const source = new DataSource({ type: 'postgres', poolSize: 30 });
`;
    const sizeIn = (version: string) => programOf(project(source, { typeorm: version })).pools[0]?.max;
    expect(sizeIn('0.3.9')).toBeUndefined();
    expect(sizeIn('0.3.10')).toMatchObject({ kind: 'literal', value: 30 });
    expect(found('unknown-pool-option', source, { typeorm: '0.3.9' })).toEqual([
      'warning: poolSize came with typeorm 0.3.10, but typeorm 0.3.9 is installed, which ignores it.',
    ]);
  });

  test('is not sent to the server', () => {
    const source = `import { Pool } from 'pg';
export const pool = new Pool({ lock_timeout: 1_000, statement_timeout: 5_000 });
`;
    const sent = (version: string) => optionsIn(source, { pg: version })?.startup?.within[''];
    expect(sent('8.7.3')).not.toContain('lock_timeout');
    expect(sent('8.7.3')).toContain('statement_timeout');
    expect(sent('8.8.0')).toContain('lock_timeout');
  });

  test('sends nothing by default: Slonik', () => {
    const source = `import { createPool } from 'slonik';
export const pool = await createPool(process.env.DATABASE_URL);
`;
    expect(optionsIn(source, { slonik: '25.0.0' })?.startup?.byDefault).toEqual([]);
    expect(optionsIn(source, { slonik: '25.1.0' })?.startup?.byDefault).toHaveLength(2);
  });
});

describe('what becomes of an unknown option', () => {
  const reaction = (source: string, packages: Packages) => /which (.*?)\./.exec(found('unknown-pool-option', source, packages).join())?.[1];
  test('of Knex', () => {
    const source = `import knex from 'knex';
export const db = knex({ client: 'pg', pool: { idleTimeout: 1_000 } });
`;
    expect(reaction(source, { knex: '0.18.0' })).toBe('ignores it');
    expect(reaction(source, { knex: '0.19.0' })).toBe('throws an error because of it');
    // Nothing is locked, and package.json allows any.
    expect(reaction(source, { knex: 'unknown' })).toBe('ignores it or, in later versions, throws an error because of it');
    expect(reaction(source, {})).toBe('throws an error because of it');
  });
  test('of mssql', () => {
    const source = `import sql from 'mssql';
export const pool = new sql.ConnectionPool({ server: 'db', pool: { idleTimeout: 1_000 } });
`;
    expect(reaction(source, { mssql: '6.4.1' })).toBe('ignores it');
    expect(reaction(source, { mssql: '7.0.0' })).toBe('throws an error because of it');
  });
  test('of tarn', () => {
    const source = `import { Pool } from 'tarn';
export const pool = new Pool({ create, destroy, min: 0, max: 5, idleTimeout: 1_000 });
`;
    expect(reaction(source, { tarn: '1.1.5' })).toBe('ignores it');
    expect(reaction(source, { tarn: '2.0.0' })).toBe('throws an error because of it');
  });
});

describe('defaults', () => {
  test.each([
    ['3.7.4', { low: 5, high: 10 }],
    ['4.0.0', { low: 100, high: 100 }],
  ])('the size of mongodb %s', (version, size) => {
    const source = `import { MongoClient } from 'mongodb';
export const client = new MongoClient('mongodb://db');
`;
    expect(optionsIn(source, { mongodb: version })?.max?.default).toEqual(size);
    expect(optionsIn(source, { mongodb: version })?.max?.decidedBy?.name).toBe(`mongodb ${version}`);
    expect(optionsIn(source, {})?.max?.default).toEqual({ low: 100, high: 100 });
  });

  test.each([
    ['5.13.0', { low: 5, high: 10 }],
    ['6.0.0', { low: 100, high: 100 }],
  ])('the size of Mongoose %s', (version, size) => {
    const source = `import mongoose from 'mongoose';
export const connection = mongoose.createConnection('mongodb://db');
`;
    expect(optionsIn(source, { mongoose: version })?.max?.default).toEqual(size);
  });

  test.each([
    ['4.44.4', 10_000],
    ['5.1.0', 60_000],
  ])('how long Sequelize %s waits', (version, wait) => {
    const source = `import { Sequelize } from 'sequelize';
export const sequelize = new Sequelize({ dialect: 'postgres' });
`;
    expect(optionsIn(source, { sequelize: version })?.acquireTimeout?.default).toBe(wait);
  });

  test('how long mssql waits', () => {
    const source = `import sql from 'mssql';
export const pool = new sql.ConnectionPool({ server: 'db', pool: { max: 5 } });
`;
    expect(found('require-acquire-timeout', source, { mssql: '5.1.5' })).toHaveLength(1);
    expect(found('require-acquire-timeout', source, { mssql: '6.0.0' })).toEqual([]);
    expect(found('require-acquire-timeout', source, {})).toEqual([]);
  });
});

test('how Sequelize reads a size', () => {
  const source = `import { Sequelize } from 'sequelize';
export const sequelize = new Sequelize({ dialect: 'postgres', pool: { max: process.env.POOL_MAX } });
`;
  expect(found('invalid-pool-size', source, { sequelize: '4.44.4' })).toEqual([]);
  expect(found('invalid-pool-size', source, { sequelize: '6.37.8' })).toEqual([
    'error: sequelize is given the text of POOL_MAX as its size, for which Sequelize throws an error.',
  ]);
  expect(found('invalid-pool-size', source.replaceAll("'sequelize'", "'@sequelize/core'"), {})).toHaveLength(1);
});

test('the connections that MikroORM keeps', () => {
  const source = `import { MikroORM } from '@mikro-orm/postgresql';
export const orm = await MikroORM.init({ dbName: 'shop', pool: { max: 1 } });
`;
  expect(found('invalid-pool-size', source, { '@mikro-orm/core': '6.6.16' })).toEqual([
    'error: orm is given 1, less than its minimum of 2, as its size, for which MikroORM throws an error.',
  ]);
  expect(found('invalid-pool-size', source, { '@mikro-orm/core': '7.0.0' })).toEqual([]);
  expect(found('invalid-pool-size', source, {})).toEqual([]);
});

describe('giving back', () => {
  const twice = `import { createPool } from 'mysql2/promise';
const pool = createPool({ connectionLimit: 5 });
export async function names() {
  const connection = await pool.getConnection();
  try {
    return await connection.query('SELECT name FROM users');
  } finally {
    connection.release();
    connection.release();
  }
}
`;
  test('twice, with mysql2', () => {
    expect(found('no-double-release', twice, { mysql2: '3.19.1' })).toEqual([
      'error: connection is given back a second time here: mysql2 3.19.1 then lends it to two at once, whose statements and transactions mix.',
    ]);
    expect(found('no-double-release', twice, { mysql2: '3.20.0' })).toEqual([
      'info: connection is given back a second time here; mysql2 3.20.0 ignores it, unless somebody else has the connection by then.',
    ]);
    expect(found('no-double-release', twice, {})).toEqual([
      'info: connection is given back a second time here: before version 3.20.0 mysql2 then lends it to two at once, and which version is installed is not known.',
    ]);
  });

  const leftIn = (driver: string, options: string) => `import { createPool } from '${driver}';
const pool = createPool({ connectionLimit: 5, ${options} });
export async function zoned() {
  const connection = await pool.getConnection();
  try {
    await connection.query("SET time_zone = '+00:00'");
    return await connection.query('SELECT now()');
  } finally {
    connection.release();
  }
}
`;
  const left = (driver: string, options: string, packages: Packages) =>
    found('no-session-state-on-pool', leftIn(driver, options), packages).length;

  test('what sets the session back, with mysql2', () => {
    expect(left('mysql2/promise', '', { mysql2: '3.24.6' })).toBe(1);
    expect(left('mysql2/promise', 'resetOnRelease: true', { mysql2: '3.24.6' })).toBe(0);
    expect(left('mysql2/promise', 'resetOnRelease: process.env.RESET', { mysql2: '3.24.6' })).toBe(0);
    expect(left('mysql2/promise', 'resetOnRelease: true', { mysql2: '3.21.1' })).toBe(1);
    expect(left('mysql2/promise', 'resetOnRelease: true', {})).toBe(0);
  });

  test('what sets the session back, with mariadb', () => {
    expect(left('mariadb', '', { mariadb: '2.5.6' })).toBe(0);
    expect(left('mariadb', 'resetAfterUse: false', { mariadb: '2.5.6' })).toBe(1);
    expect(left('mariadb', '', { mariadb: '3.4.0' })).toBe(1);
    expect(left('mariadb', 'resetAfterUse: true', { mariadb: '3.4.0' })).toBe(0);
    expect(left('mariadb', '', {})).toBe(0);
  });

  test('what ends the transaction, with mysql2', () => {
    const open = (options: string) => `import { createPool } from 'mysql2/promise';
const pool = createPool({ connectionLimit: 5, ${options} });
export async function rename(name: string) {
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    await connection.query('UPDATE users SET name = ?', [name]);
    await connection.commit();
  } finally {
    connection.release();
  }
}
`;
    expect(found('no-open-transaction-on-release', open(''), { mysql2: '3.24.6' })).toHaveLength(1);
    expect(found('no-open-transaction-on-release', open('resetOnRelease: true'), { mysql2: '3.24.6' })).toEqual([]);
    expect(found('no-open-transaction-on-release', open('resetOnRelease: true'), { mysql2: '3.21.1' })).toHaveLength(1);
  });
});
