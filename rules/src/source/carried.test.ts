import { expect, test } from 'vitest';
import { fatesIn } from '../testing/fates.ts';

const pool = "import { Pool } from 'pg'; export const pool = new Pool();";
const leak = (acquire: string) => `const c = await ${acquire}.connect(); await c.query('SELECT 1'); c.release();`;

const fastifyPlugin = `import fp from 'fastify-plugin'; import { pool } from './db';
export default fp(async (app) => { app.decorate('db', pool); });`;

const cases: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
  [
    'app.decorate of Fastify, read from the host',
    {
      'src/plugin.ts': fastifyPlugin,
      'src/a.ts': `import type { FastifyInstance } from 'fastify'; export async function routes(app: FastifyInstance) { app.get('/', async () => { ${leak('app.db')} }); }`,
    },
  ],
  [
    'app.decorate where a test puts a stub in its place',
    {
      'src/plugin.ts': fastifyPlugin,
      'src/a.test.ts': "import fastify from 'fastify'; const app = fastify(); app.decorate('db', { connect() {} });",
      'src/a.ts': `import type { FastifyInstance } from 'fastify'; export async function routes(app: FastifyInstance) { app.get('/', async () => { ${leak('app.db')} }); }`,
    },
  ],
  [
    'through a cast',
    {
      'src/plugin.ts': fastifyPlugin,
      'src/a.ts': `import type { FastifyInstance } from 'fastify'; export async function routes(app: FastifyInstance) { const db = (app as any).db; app.get('/', async () => { ${leak('db')} }); }`,
    },
  ],
  [
    'request.server of Fastify',
    {
      'src/plugin.ts': fastifyPlugin,
      'src/a.ts': `import type { FastifyRequest } from 'fastify'; export async function list(request: FastifyRequest) { ${leak('request.server.db')} }`,
    },
  ],
  [
    'a plugin without types, registered by its importer',
    {
      'src/index.js': `const fastify = require('fastify'); const { pool } = require('./db'); const app = fastify(); app.decorate('db', pool); app.register(require('./a'));`,
      'src/a.js': `module.exports = async function (app) { app.get('/', async () => { ${leak('app.db')} }); };`,
    },
  ],
  [
    '@fastify/postgres',
    {
      'src/index.ts': `import fastify from 'fastify'; import postgres from '@fastify/postgres'; const app = fastify(); app.register(postgres, { max: 5 });`,
      'src/a.ts': `import type { FastifyInstance } from 'fastify'; export async function routes(app: FastifyInstance) { app.get('/', async () => { ${leak('app.pg')} }); }`,
    },
  ],
  [
    'app.locals of Express',
    {
      'src/index.ts': `import express from 'express'; import { pool } from './db'; const app = express(); app.locals.db = pool;`,
      'src/a.ts': `import type { Request } from 'express'; export async function list(req: Request) { ${leak('req.app.locals.db')} }`,
    },
  ],
  [
    'app.set and app.get of Express',
    {
      'src/index.ts': `import express from 'express'; import { pool } from './db'; const app = express(); app.set('db', pool);`,
      'src/a.ts': `import { Router } from 'express'; const router = Router(); router.get('/', async (req, res) => { ${leak("req.app.get('db')")} });`,
    },
  ],
  [
    'a middleware of Express',
    {
      'src/index.ts': `import express from 'express'; import { pool } from './db'; const app = express(); app.use((req, res, next) => { req.db = pool; next(); });`,
      'src/a.ts': `import type { Request } from 'express'; export async function list(req: Request) { const { db } = req; ${leak('db')} }`,
    },
  ],
  [
    'the context of Koa',
    {
      'src/index.ts': `import Koa from 'koa'; import { pool } from './db'; const app = new Koa(); app.context.db = pool;`,
      'src/a.ts': `import type { Context } from 'koa'; export async function list(ctx: Context) { ${leak('ctx.db')} }`,
    },
  ],
  [
    'variables of Hono',
    {
      'src/index.ts': `import { Hono } from 'hono'; import { pool } from './db'; const app = new Hono(); app.use(async (c, next) => { c.set('db', pool); await next(); });
      app.get('/', async (c) => { ${leak("c.get('db')")} }); app.get('/b', async (c) => { ${leak('c.var.db')} });`,
    },
  ],
  [
    'server.app of hapi',
    {
      'src/index.ts': `import Hapi from '@hapi/hapi'; import { pool } from './db'; const server = Hapi.server(); server.app.db = pool;`,
      'src/a.ts': `import type { Request } from '@hapi/hapi'; export async function list(request: Request) { ${leak('request.server.app.db')} }`,
    },
  ],
];

test.each(cases)('a pool in %s is known where it is read', (_, files) => {
  const fates = fatesIn({ 'src/db.ts': pool, 'src/db.js': "const { Pool } = require('pg'); exports.pool = new Pool();", ...files });
  expect(fates.length).toBeGreaterThan(0);
  expect(new Set(fates)).toEqual(new Set(['raises']));
});

test.each([
  ['another name', "app.decorate('db', pool);", 'app.cache'],
  ['two kinds of things', "app.decorate('db', pool); app.db = { connect() {} };", 'app.db'],
  ['an object of nobody', "const bag = {} as any; bag.decorate('db', pool);", 'app.db'],
  ['a request, while the host carries it', "app.decorate('db', pool);", '(request as any).db'],
])('nothing is known of %s', (_, write, read) => {
  const fates = fatesIn({
    'src/db.ts': pool,
    'src/plugin.ts': `import fp from 'fastify-plugin'; import { pool } from './db'; export default fp(async (app) => { ${write} });`,
    'src/a.ts': `import type { FastifyInstance, FastifyRequest } from 'fastify';
      export async function routes(app: FastifyInstance, request: FastifyRequest) { ${leak(read)} }`,
  });
  expect(fates).toEqual([]);
});
