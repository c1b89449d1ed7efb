import { describe, expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

type Files = Readonly<Record<string, string>>;

function remakings(files: Files): readonly string[] {
  const program = programOf(projectOf(files));
  return program.remakings.map(({ site, handler, calls, closed }) =>
    [
      site.module.path,
      `${handler.framework} ${handler.event}`,
      ...(calls.length ? [`${calls.length} calls`] : []),
      ...(closed ? ['closed'] : []),
    ].join(', '),
  );
}

const pg = "import { Pool, Client } from 'pg';\n";
const made = 'const pool = new Pool(); res.json(await pool.query("SELECT 1"));';

describe('a pool made in a handler is made for every run', () => {
  test.each([
    ['Express request', `import express from 'express'; const app = express(); app.get('/', async (req, res) => { ${made} });`],
    ['Express request', `import { Router } from 'express'; const r = Router(); r.route('/').get(a).post(async (req, res) => { ${made} });`],
    ['Express request', `const express = require('express'); const r = new express.Router(); r.use([async (req, res) => { ${made} }]);`],
    [
      'Express request',
      `import type { Request, Response } from 'express'; export async function list(req: Request, res: Response) { ${made} }`,
    ],
    [
      'Express request',
      `import type { RequestHandler } from 'express'; export const list: RequestHandler = async (req, res) => { ${made} };`,
    ],
    [
      'Express request',
      `import * as express from 'express'; interface R extends express.Request {} export const list = async (req: R, res) => { ${made} };`,
    ],
    [
      'Fastify request',
      `import Fastify from 'fastify'; const app = Fastify(); app.route({ method: 'GET', url: '/', handler: async (req, res) => { ${made} } });`,
    ],
    [
      'Fastify request',
      `import type { FastifyInstance } from 'fastify'; export async function routes(app: FastifyInstance) { app.get('/', {}, async (q, res) => { ${made} }); }`,
    ],
    [
      'Fastify request',
      `import type { FastifyPluginAsync } from 'fastify'; export const p: FastifyPluginAsync = async (app) => { app.addHook('preHandler', async (q, res) => { ${made} }); };`,
    ],
    [
      'Fastify request',
      `import fastify from 'fastify'; const app = fastify(); app.register(async (inner) => { inner.get('/', async (q, res) => { ${made} }); });`,
    ],
    ['Koa request', `import Koa from 'koa'; const app = new Koa(); app.use(async (res) => { ${made} });`],
    [
      'Hono request',
      `import { Hono } from 'hono'; export const app = new Hono().get('/', (c) => c).post('/', async (res) => { ${made} });`,
    ],
    ['Node request', `import { createServer } from 'node:http'; createServer(async (req, res) => { ${made} }).listen(1);`],
    ['Node request', `import http from 'http'; const s = http.createServer(); s.on('request', async (req, res) => { ${made} });`],
    ['Bun request', `Bun.serve({ fetch: async (res) => { ${made} } });`],
    [
      'AWS Lambda invocation',
      `import type { APIGatewayProxyHandler } from 'aws-lambda'; export const handler: APIGatewayProxyHandler = async (res) => { ${made} };`,
    ],
    ['AWS Lambda invocation', `import type { SQSEvent } from 'aws-lambda'; export async function handler(res: SQSEvent) { ${made} }`],
    ['BullMQ job', `import { Worker } from 'bullmq'; new Worker('mail', async (res) => { ${made} });`],
    [
      'tRPC request',
      `import { initTRPC } from '@trpc/server'; const t = initTRPC.context().create(); export const p = t.procedure.input(z).query(async (res) => { ${made} });`,
    ],
    [
      'Apollo request',
      `import { ApolloServer } from '@apollo/server'; const resolvers = { Query: { users: async (res) => { ${made} } } }; new ApolloServer({ resolvers });`,
    ],
    ['Nest request', `import { Controller, Get } from '@nestjs/common'; @Controller() class C { @Get() async list(res) { ${made} } }`],
    [
      'AWS Lambda invocation',
      `/** @type {import('@types/aws-lambda').APIGatewayProxyHandler} */ export const handler = async (res) => { ${made} };`,
    ],
    [
      'Fastify request',
      `/**\n * @param {import('fastify').FastifyInstance} app\n * @param {object} options\n */\nexport default async function routes(app, options) { app.get('/', async (q, res) => { ${made} }); }`,
    ],
    [
      'Socket.IO message',
      `import { Server } from 'socket.io'; const io = new Server(); io.on('connection', (socket) => { socket.on('x', async (res) => { ${made} }); });`,
    ],
  ])('%s: %s', (by, source) => {
    expect(remakings({ 'src/a.ts': pg + source })).toEqual([`src/a.ts, ${by}`]);
  });
});

describe('whoever makes it is found across functions and files', () => {
  const route = (call: string, imports = "import { make } from './db.js';") =>
    `${imports} import express from 'express'; const app = express(); app.get('/', async (req, res) => { ${call} });`;

  test.each<[string, Files]>([
    ['a factory', { 'src/db.ts': `${pg} export function make() { return new Pool(); }`, 'src/a.ts': route('const p = make();') }],
    [
      'through another module, a re-export and an arrow',
      {
        'src/db.ts': `${pg} export const make = () => { const p = new Pool(); return { p }; };`,
        'src/index.ts': "export * from './db.js';",
        'src/repo.ts':
          "import { make } from './index.js'; export const find = async () => { const { p } = make(); return p.query('SELECT 1'); };",
        'src/a.ts': route('await find();', "import { find } from './repo.js';"),
      },
    ],
    [
      'a class made for each request',
      {
        'src/db.ts': `${pg} export class Repo { private pool = new Pool(); find() { return this.pool.query('SELECT 1'); } }`,
        'src/a.ts': route('await new Repo().find();', "import { Repo } from './db.js';"),
      },
    ],
    [
      'a constructor',
      {
        'src/db.ts': `${pg} export class Repo { constructor() { this.pool = new Pool(); } }`,
        'src/a.ts': route('const repo = new Repo(); await repo.pool.query("SELECT 1");', "import { Repo } from './db.js';"),
      },
    ],
    [
      'a method of an injected service',
      {
        'src/db.ts': `${pg} export class Service { async find() { const c = new Pool(); return c.query('SELECT 1'); } }`,
        'src/a.ts':
          "import { Controller, Get } from '@nestjs/common'; import { Service } from './db.js'; @Controller() export class C { constructor(private readonly s: Service) {} @Get() list() { return this.s.find(); } }",
      },
    ],
    [
      'a handler registered elsewhere',
      {
        'src/db.ts': `${pg} export async function list(req, res) { ${made} }`,
        'src/a.ts': "import { list } from './db.js'; import { Router } from 'express'; Router().get('/', list);",
      },
    ],
    [
      'a router that is handed over',
      {
        'src/db.ts': `${pg} module.exports = (app) => { app.get('/', async (req, res) => { ${made} }); };`,
        'src/a.ts': "const express = require('express'); const app = express(); require('./db')(app);",
      },
    ],
    [
      'a plugin registered elsewhere',
      {
        'src/db.ts': `${pg} export default async function routes(app, options) { app.get('/', async (req, res) => { ${made} }); }`,
        'src/a.ts':
          "import fastify from 'fastify'; import routes from './db.js'; const app = fastify(); app.register(routes, { prefix: '/v1' });",
      },
    ],
    [
      'within a wrapper',
      {
        'src/db.ts': `${pg} const wrap = (f) => (req, res, next) => Promise.resolve(f(req, res)).catch(next); import { Router } from 'express'; Router().get('/', wrap(async (req, res) => { ${made} }));`,
      },
    ],
    [
      'within a retry',
      {
        'src/db.ts': `${pg} async function retry(f) { try { return await f(); } catch { return f(); } } import { Router } from 'express'; Router().get('/', async (req, res) => retry(async () => { ${made} }));`,
      },
    ],
    [
      'CommonJS exports, one by one',
      {
        'db.js': `const { Pool } = require('pg'); exports.list = async (req, res) => { ${made} };`,
        'a.js':
          "const express = require('express'); const c = require('./db'); const router = express.Router(); router.get('/', c.list); module.exports = router;",
      },
    ],
    [
      'CommonJS exports, as an object',
      {
        'db.js': `const { Pool } = require('pg'); async function list(req, res) { ${made} } module.exports = { list };`,
        'a.js': "const { Router } = require('express'); const { list } = require('./db'); Router().get('/', list);",
      },
    ],
    [
      'a controller of a class',
      {
        'src/db.ts': `${pg} class Controller { list = async (req, res) => { ${made} }; } export default new Controller();`,
        'src/a.ts': "import c from './db.js'; import { Router } from 'express'; const r = Router(); r.get('/', c.list.bind(c));",
      },
    ],
    [
      'a callback',
      {
        'src/db.ts': `${pg} export function list(done) { const client = new Client(); client.connect((e) => { client.query('SELECT 1', done); }); }`,
        'src/a.ts': route('list((error, rows) => res.json(rows));', "import { list } from './db.js';"),
      },
    ],
    [
      'an object that disposes of it',
      {
        'src/db.ts': `${pg} export const open = async () => { const pool = new Pool(); return { pool, [Symbol.asyncDispose]: () => pool.end() }; };`,
        'src/a.ts': route('await using db = await open(); await db.pool.query("SELECT 1");', "import { open } from './db.js';"),
      },
    ],
    [
      'middleware that hands it on',
      {
        'src/db.ts': `${pg} import type { NextApiRequest, NextApiResponse } from 'next'; export const withDb = (f) => async (req: NextApiRequest, res: NextApiResponse) => { const pool = new Pool(); await f(req, res, pool); };`,
      },
    ],
    [
      'a procedure made elsewhere',
      {
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
        'src/trpc.ts':
          "import { initTRPC } from '@trpc/server'; const t = initTRPC.create(); export const { router, procedure } = t; export const authed = procedure.use(({ next }) => next());",
        'src/db.ts': `${pg} import { authed } from '@/trpc'; export const list = authed.query(async (res) => { ${made} });`,
      },
    ],
    [
      'kept on the request',
      { 'src/db.ts': `${pg} import { Router } from 'express'; Router().use((req, res, next) => { req.db = new Pool(); next(); });` },
    ],
  ])('%s', (_, files) => {
    expect(remakings(files)).toHaveLength(1);
  });
});

describe('what lives longer than the run is not remade', () => {
  const inHandler = (body: string, outside = '') =>
    `${pg} import { Router } from 'express'; ${outside} Router().get('/', async (req, res) => { ${body} });`;

  test.each([
    ['lazy ??=', inHandler('(pool ??= new Pool()).query("SELECT 1");', 'let pool;')],
    ['lazy if', inHandler('if (!pool) pool = new Pool(); pool.query("SELECT 1");', 'let pool;')],
    ['lazy getter', inHandler('get();', 'let pool; function get() { if (pool) return pool; pool = new Pool(); return pool; }')],
    [
      'lazy factory',
      inHandler('get();', 'let pool; const make = () => new Pool(); function get() { if (!pool) { pool = make(); } return pool; }'),
    ],
    [
      'wrapped in an outer object',
      inHandler('get();', 'let db; const get = () => { if (!db) { const p = new Pool(); db = drizzle(p); } return db; };'),
    ],
    ['globalThis', inHandler('get();', 'const get = () => (globalThis.pool = globalThis.pool || new Pool());')],
    [
      'a helper that keeps it on globalThis',
      inHandler(
        'get();',
        'function singleton(name, make) { const all = globalThis; all.kept ??= {}; all.kept[name] ??= make(); return all.kept[name]; } const make = () => new Pool(); const get = () => singleton("db", make);',
      ),
    ],
    [
      'a map',
      inHandler(
        'get(req.id);',
        'const pools = new Map(); function get(id) { let p = pools.get(id); if (!p) { p = new Pool(); pools.set(id, p); } return p; }',
      ),
    ],
    ['a record', inHandler('get(req.id);', 'const pools = {}; function get(id) { return pools[id] || (pools[id] = new Pool()); }')],
    [
      'a static field',
      inHandler('Db.get();', 'class Db { static pool; static get() { if (!Db.pool) { Db.pool = new Pool(); } return Db.pool; } }'),
    ],
    [
      'a singleton',
      inHandler(
        'Db.get();',
        'class Db { static instance; constructor() { this.pool = new Pool(); } static get() { if (!Db.instance) { Db.instance = new Db(); } return Db.instance; } }',
      ),
    ],
    [
      'a field of a service',
      inHandler('db.get();', 'class Db { get() { if (!this.pool) this.pool = new Pool(); return this.pool; } } const db = new Db();'),
    ],
    ['memo from a package', inHandler('get();', "import once from 'lodash/once'; const get = once(() => new Pool());")],
    [
      'a memo of our own',
      inHandler('get();', 'const memo = (f) => { let v; return () => (v ??= f()); }; const get = memo(() => new Pool());'),
    ],
    [
      'a cached promise',
      inHandler('await get();', 'let p; const make = async () => new Pool(); function get() { p = p ?? make(); return p; }'),
    ],
    [
      'made once per start',
      inHandler(
        'await ready();',
        'let started = false; async function ready() { if (started) return; started = true; const p = new Pool(); await p.query("SELECT 1"); }',
      ),
    ],
    ['a pool that may be given', inHandler('list();', 'function list(pool = new Pool()) { return pool.query("SELECT 1"); }')],
    [
      'handed to something that keeps it',
      inHandler('container.register("db", new Pool());', "import { container } from './container.js';"),
    ],
    ['unknown', inHandler('res.x(unknown(() => new Pool()));')],
    ['module scope', inHandler('pool.query("SELECT 1");', 'const pool = new Pool();')],
    [
      'a plugin body',
      `${pg} import fp from 'fastify-plugin'; export default fp(async (app) => { const pool = new Pool(); app.decorate('pg', pool); app.addHook('onClose', () => pool.end()); });`,
    ],
    [
      'a provider',
      `${pg} import { Injectable } from '@nestjs/common'; @Injectable() export class Db { pool = new Pool(); onModuleInit() { this.other = new Pool(); } }`,
    ],
    [
      'start up',
      `${pg} import express from 'express'; async function main() { const pool = new Pool(); const app = express(); app.get('/', (req, res) => pool.query('SELECT 1')); app.listen(1, () => { new Pool(); }); } main();`,
    ],
    [
      'a database of a cached client',
      `import { MongoClient } from 'mongodb'; import { Router } from 'express'; const cached = {}; async function database() { if (!cached.db) { const client = await new MongoClient('mongodb://db').connect(); cached.db = client.db('a'); } return cached.db; } Router().get('/', async (req, res) => res.json(await (await database()).collection('a').find()));`,
    ],
    [
      'a cached channel',
      `import amqp from 'amqplib'; import { Router } from 'express'; let channel; async function open() { const connection = await amqp.connect('amqp://queue'); channel = await connection.createChannel(); return channel; } Router().post('/', async (req, res) => { (channel ?? (await open())).publish('a', 'b', 'c'); });`,
    ],
    [
      'an adapter over HTTP',
      `import { PrismaClient } from '@prisma/client'; import { PrismaNeon } from '@prisma/adapter-neon'; import { Router } from 'express'; Router().get('/', async (req, res) => { const prisma = new PrismaClient({ adapter: new PrismaNeon({ connectionString: process.env.URL }) }); res.json(await prisma.a.findMany()); });`,
    ],
    ['kept by the application', inHandler('req.app.set("db", new Pool());')],
    [
      'resolved',
      inHandler(
        'await open();',
        'let opening; const connect = () => new Promise((resolve) => { resolve(new Pool()); }); const open = () => (opening ??= connect());',
      ),
    ],
    [
      'a worker of Cloudflare',
      `${pg} import { Hono } from 'hono'; import { env } from 'cloudflare:workers'; new Hono().get('/', async (c) => { const pool = new Pool(); });`,
    ],
    ['no framework', `${pg} const app = { get(path, f) {} }; app.get('/', async (req, res) => { ${made} });`],
    ['somebody else’s router', `${pg} import { Router } from 'vue-router'; Router().get('/', async (req, res) => { ${made} });`],
  ])('%s', (_, source) => {
    expect(remakings({ 'src/a.ts': source })).toEqual([]);
  });

  test.each(['scripts/a.ts', 'src/a.test.ts', 'migrations/a.ts'])('%s is no production code', (path) => {
    expect(remakings({ [path]: inHandler(made) })).toEqual([]);
  });
});

describe('a target that the caller chooses', () => {
  const route = (body: string) => `${pg} import { Router } from 'express'; Router().post('/', async (req, res) => { ${body} });`;

  test('is somebody’s own server: connecting once and closing is right', () => {
    expect(
      remakings({ 'a.ts': route('const pool = new Pool(req.body); try { await pool.query("SELECT 1"); } finally { await pool.end(); }') }),
    ).toEqual([]);
  });
  test('also through functions', () => {
    const test = 'async function check(url) { const c = new Client({ connectionString: url }); await c.connect(); await c.end(); }';
    expect(remakings({ 'a.ts': `${test} ${route('await check(req.body.url);')}` })).toEqual([]);
    expect(remakings({ 'a.ts': `${test} ${route('await check(process.env.URL);')}` })).toEqual(['a.ts, Express request, 1 calls, closed']);
  });
  test('is no excuse for leaving it open', () => {
    expect(remakings({ 'a.ts': route('const pool = new Pool({ database: req.tenant }); await pool.query("SELECT 1");') })).toHaveLength(1);
  });
  test('a closed pool to the usual server is remade all the same', () => {
    expect(
      remakings({
        'a.ts': route('const pool = new Pool({ max: 2 }); try { await pool.query("SELECT 1"); } finally { await pool.end(); }'),
      }),
    ).toEqual(['a.ts, Express request, closed']);
  });
});

describe('files and deployment files that make handlers', () => {
  const handler = `${pg} export async function GET(res) { ${made} } export default async function (req, res) { ${made} } export const handler = async (res) => { ${made} };`;
  const next = { 'package.json': '{ "dependencies": { "next": "15.0.0" } }' };

  test.each<[string, Files, number]>([
    ['Next route', { ...next, 'src/app/api/a/route.ts': handler }, 1],
    ['Next API route', { ...next, 'pages/api/a.ts': handler }, 1],
    ['Next page', { ...next, 'app/page.tsx': handler }, 1],
    ['not without the framework', { 'src/app/api/a/route.ts': handler }, 0],
    ['an import of the framework will do', { 'src/app/api/a/route.ts': `import { NextResponse } from 'next/server'; ${handler}` }, 1],
    [
      'Nuxt',
      {
        'package.json': '{ "dependencies": { "nuxt": "4" } }',
        'server/api/a.ts': `${pg} export default defineEventHandler(async (res) => { ${made} });`,
      },
      1,
    ],
    ['serverless.yml', { 'serverless.yml': 'functions:\n  a:\n    handler: src/a.handler\n', 'src/a.ts': handler }, 1],
    [
      'SAM',
      {
        'template.yaml': 'Resources:\n  A:\n    Properties:\n      CodeUri: api/\n      Handler: dist/a.handler\n',
        'api/src/a.ts': handler,
      },
      1,
    ],
    ['server action', { 'src/a.ts': `'use server'; ${pg} export async function save(res) { ${made} }` }, 1],
    ['a helper marked as a server action', { 'src/a.ts': `'use server'; ${pg} export async function connect() { return new Pool(); }` }, 0],
    [
      'edge runtime of the caller',
      {
        ...next,
        'lib/db.ts': `${pg} export const db = () => new Pool();`,
        'app/a/route.ts':
          "import { db } from '../../lib/db'; export const runtime = 'edge'; export const GET = () => db().query('SELECT 1');",
      },
      0,
    ],
    ['edge runtime', { ...next, 'app/api/a/route.ts': `export const runtime = 'edge'; ${handler}` }, 0],
  ])('%s', (_, files, count) => {
    expect(remakings(files)).toHaveLength(count);
  });
});
