import { describe, expect, test } from 'vitest';
import { projectOf } from '../project.ts';
import { poolSize } from './describe.ts';
import { programOf } from './program.ts';

function poolsOf(source: string) {
  return programOf(projectOf({ 'src/a.ts': source })).pools.map((pool) => [pool.driver.name, pool.role, poolSize(pool)]);
}

describe('what makes a pool, and how large it is', () => {
  test.each([
    ["import postgres from 'postgres'; const sql = postgres(process.env.URL, { max: 4 });", 'postgres.js', 4],
    ["import postgres from 'postgres'; const sql = postgres({ host: 'db' });", 'postgres.js', 10],
    ["const postgres = require('postgres'); const sql = postgres();", 'postgres.js', 10],
    ["import mysql from 'mysql'; const pool = mysql.createPool({ connectionLimit: 3 });", 'mysql', 3],
    ["import { createPool } from 'mariadb'; const pool = createPool({ host: 'db' });", 'mariadb', 10],
    ["import { Pool } from '@neondatabase/serverless'; const pool = new Pool({ max: 2 });", '@neondatabase/serverless', 2],
    ["import { PrismaClient } from '@prisma/client'; const prisma = new PrismaClient();", 'Prisma', undefined],
    [
      "import { PrismaClient } from './generated/prisma/client'; class Db extends PrismaClient {} const db = new Db();",
      'Prisma',
      undefined,
    ],
    [
      "import { PrismaPg } from '@prisma/adapter-pg'; import { PrismaClient } from './generated/prisma/client'; const adapter = new PrismaPg({ max: 7 }); const prisma = new PrismaClient({ adapter });",
      'Prisma',
      7,
    ],
    [
      "import { PrismaMariaDb } from '@prisma/adapter-mariadb'; import { PrismaClient } from '@prisma/client'; const prisma = new PrismaClient({ adapter: new PrismaMariaDb({ host: 'db' }) });",
      'Prisma',
      10,
    ],
    ["import knex from 'knex'; const db = knex({ client: 'pg', pool: { min: 0, max: 7 } });", 'Knex', 7],
    ["const db = require('knex')({ client: 'mysql2' });", 'Knex', 10],
    ["import { Sequelize } from 'sequelize'; const db = new Sequelize('postgres://db', { pool: { max: 9 } });", 'Sequelize', 9],
    ["import { Sequelize } from 'sequelize'; const db = new Sequelize({ dialect: 'mysql' });", 'Sequelize', 5],
    [
      "import { DataSource } from 'typeorm'; const db = new DataSource({ type: 'postgres', poolSize: 3, extra: { max: 6 } });",
      'TypeORM',
      6,
    ],
    ["import { MikroORM } from '@mikro-orm/postgresql'; const orm = await MikroORM.init({ dbName: 'a' });", 'MikroORM', 10],
    ["import { drizzle } from 'drizzle-orm/node-postgres'; const db = drizzle(process.env.URL!);", 'Drizzle', 10],
    ["import { drizzle } from 'drizzle-orm/mysql2'; const db = drizzle({ connection: { connectionLimit: 2 } });", 'Drizzle', 2],
    ["import { createPool } from 'slonik'; const pool = await createPool('postgres://db', { maximumPoolSize: 8 });", 'Slonik', 8],
    ["import sql from 'mssql'; const pool = await new sql.ConnectionPool({ server: 'db' }).connect();", 'mssql', 10],
    ["import oracledb from 'oracledb'; const pool = await oracledb.createPool({ poolMax: 6 });", 'oracledb', 6],
    ["import { MongoClient } from 'mongodb'; const client = new MongoClient('mongodb://db', { maxPoolSize: 5 });", 'mongodb', 5],
    ["import { MongoClient } from 'mongodb'; const client = await MongoClient.connect(url);", 'mongodb', undefined],
    ["import mongoose from 'mongoose'; const connection = mongoose.createConnection('mongodb://db', { maxPoolSize: 3 });", 'Mongoose', 3],
    ["import { createClientPool } from 'redis'; const pool = createClientPool({ url }, { maximum: 20 });", 'node-redis', 20],
    ["import { createTransport } from 'nodemailer'; const mail = createTransport({ pool: true, maxConnections: 2 });", 'nodemailer', 2],
  ])('%s', (source, driver, size) => {
    expect(poolsOf(source)).toEqual([[driver, 'pool', size]]);
  });

  test.each([
    ['...config()', 'function config() { return { max: 7 }; }', 7],
    ['...config(), max: 8', 'function config() { return { max: 7 }; }', 8],
    ['max: 8, ...config()', "function config() { const max = 7; return { host: 'db', max }; }", 7],
    ['max: 8, ...config()', "function config() { return { host: 'db' }; }", 8],
    ['max: 8, ...config()', 'function config() { const c = {}; c.max = 7; return c; }', undefined],
    ['max: 8, ...config()', 'function config() { if (a) return { max: 7 }; return {}; }', undefined],
    ['max: 8, ...config()', "import { config } from 'elsewhere';", undefined],
    ['max: 8, ...(tls ? { ssl: true } : {})', '', 8],
    ['max: 8, ...(tls && { ssl: true })', '', 8],
    ['max: 8, ...(big && { max: 50 })', '', undefined],
    ['...(big ? { max: 50 } : {})', '', undefined],
  ])('new Pool({ %s }) with %s', (options, before, size) => {
    expect(poolsOf(`import { Pool } from 'pg'; ${before} const pool = new Pool({ ${options} });`)).toEqual([['pg', 'pool', size]]);
  });

  test.each([
    ["import Redis from 'ioredis'; const redis = new Redis(6379, 'redis');", 'ioredis'],
    ["import { createClient } from 'redis'; const redis = await createClient({ url }).on('error', log).connect();", 'node-redis'],
    ["import { Queue } from 'bullmq'; const queue = new Queue('mail', { connection: { host: 'redis' } });", 'BullMQ'],
    ["import amqp from 'amqplib'; const connection = await amqp.connect('amqp://queue');", 'amqplib'],
    ["import { Client } from 'pg'; const client = new Client();", 'pg'],
  ])('a single connection: %s', (source, driver) => {
    expect(poolsOf(source)).toEqual([[driver, 'connection', undefined]]);
  });
});

describe('what is no pool of its own', () => {
  test.each([
    "import { drizzle } from 'drizzle-orm/postgres-js'; export const over = (client) => drizzle(client);",
    "import { drizzle } from 'drizzle-orm/node-postgres'; export const over = (client) => drizzle({ client, schema: {} });",
    "import { PrismaClient } from '@prisma/client'; import { PrismaD1 } from '@prisma/adapter-d1'; export default (env) => new PrismaClient({ adapter: new PrismaD1(env.DB) });",
    "import knex from 'knex'; const db = knex({ client: 'better-sqlite3' });",
    "import { DataSource } from 'typeorm'; const db = new DataSource({ type: 'sqlite', database: 'a.db' });",
    "import { createTransport } from 'nodemailer'; const mail = createTransport({ host: 'mail' });",
    "import sql from 'mssql'; await sql.connect({ server: 'db' });",
    "import mongoose from 'mongoose'; await mongoose.connect('mongodb://db');",
  ])('%s', (source) => {
    expect(poolsOf(source)).toEqual([]);
  });

  test('a queue over a client that exists', () => {
    const source =
      "import { Queue } from 'bullmq'; import { Redis } from 'ioredis'; const connection = new Redis(); new Queue('mail', { connection });";
    expect(poolsOf(source)).toEqual([['ioredis', 'connection', undefined]]);
  });

  test('Prisma over a pool that exists', () => {
    const source =
      "import { Pool } from 'pg'; import { PrismaPg } from '@prisma/adapter-pg'; import { PrismaClient } from '@prisma/client'; const pool = new Pool(); new PrismaClient({ adapter: new PrismaPg(pool) });";
    expect(poolsOf(source)).toEqual([['pg', 'pool', 10]]);
  });
});
