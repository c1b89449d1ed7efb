import type { Framework, Takes } from '../framework.ts';
import { each } from '../facts.ts';

const functions: Takes = {};
const verbs = 'get post put patch delete options head all';

export const express: Framework = {
  name: 'Express',
  source: 'https://expressjs.com/en/5x/api.html',
  event: 'request',
  packages: {
    express: {
      ...each('() Router() :Application :Express :Router :IRouter', 'host'),
      ...each(':Request :Response :NextFunction', 'given'),
      ...each(':RequestHandler :ErrorRequestHandler', 'handler'),
    },
    'express-serve-static-core': { ...each(':Express :Application', 'host'), ...each(':Request :Response', 'given') },
    'express-promise-router': { '()': 'host' },
  },
  methods: each(`${verbs} use param`, functions),
  chains: ['route()'],
  carries: { within: { app: 'host', locals: 'same' }, put: ['set'], get: ['get'] },
};

const hooks = 'onRequest preParsing preValidation preHandler preSerialization onSend onResponse onError onTimeout onRequestAbort'.split(
  ' ',
);
const route: Takes = { in: ['handler', 'errorHandler', ...hooks] };

export const fastify: Framework = {
  name: 'Fastify',
  source: 'https://fastify.dev/docs/latest/Reference/Routes/',
  event: 'request',
  packages: {
    fastify: {
      ...each('() fastify() :FastifyInstance :FastifyPluginAsync(0) :FastifyPluginCallback(0)', 'host'),
      ...each(':FastifyRequest :FastifyReply', 'given'),
      ...each(':RouteHandler :RouteHandlerMethod', 'handler'),
    },
    'fastify-plugin': { '(0)': 'host' },
    '@fastify/type-provider-typebox': each(':FastifyPluginAsyncTypebox(0) :FastifyPluginCallbackTypebox(0)', 'host'),
    'fastify-type-provider-zod': each(':FastifyPluginAsyncZod(0) :FastifyPluginCallbackZod(0)', 'host'),
  },
  methods: {
    ...each(`${verbs} route`, route),
    ...each('setErrorHandler setNotFoundHandler', functions),
    addHook: { first: hooks },
  },
  chains: ['register(0)', 'withTypeProvider()'],
  carries: { within: { server: 'host' }, put: ['decorate'], plugin: 'register' },
};

export const koa: Framework = {
  name: 'Koa',
  source: 'https://koajs.com/',
  event: 'request',
  packages: {
    koa: {
      ...each('() :', 'host'),
      ...each(':Context :ParameterizedContext :ExtendableContext', 'given'),
      ':Middleware': 'handler',
    },
    ...each('@koa/router koa-router', { '()': 'host', ':': 'host', ':RouterContext': 'given' } as const),
  },
  methods: each(`${verbs} del use param`, functions),
  carries: { within: { app: 'host', context: 'given', state: 'same' } },
};

export const hono: Framework = {
  name: 'Hono',
  source: 'https://hono.dev/docs/api/routing',
  event: 'request',
  packages: {
    hono: { ...each('Hono() :Hono', 'host'), ':Context': 'given', ...each(':Handler :MiddlewareHandler', 'handler') },
    '@hono/zod-openapi': each('OpenAPIHono() :OpenAPIHono', 'host'),
    'hono/factory': {
      createMiddleware: functions,
      'createFactory().createHandlers': functions,
      'createFactory().createMiddleware': functions,
    },
    '@hono/node-server': { serve: { in: ['fetch'] } },
  },
  methods: each(`${verbs} use on openapi notFound onError`, functions),
  chains: ['basePath()'],
  carries: { within: { var: 'same' }, put: ['set'], get: ['get'] },
};

export const hapi: Framework = {
  name: 'hapi',
  source: 'https://hapi.dev/api/',
  event: 'request',
  packages: {
    '@hapi/hapi': {
      ...each('server() Server() :Server', 'host'),
      ...each(':Request :ResponseToolkit', 'given'),
      ':Lifecycle.Method': 'handler',
    },
  },
  methods: { route: { in: ['handler'] }, ext: { first: ['onRequest', 'onPreAuth', 'onPreHandler', 'onPostHandler', 'onPreResponse'] } },
  carries: { within: { app: 'same', server: 'host' } },
};

export const restify: Framework = {
  name: 'Restify',
  source: 'http://restify.com/docs/server-api/',
  event: 'request',
  packages: { restify: { 'createServer()': 'host', ':Server': 'host', ...each(':Request :Response', 'given') } },
  methods: each('get post put patch del opts head pre use', functions),
};

export const polka: Framework = {
  name: 'Polka',
  source: 'https://github.com/lukeed/polka',
  event: 'request',
  packages: { polka: { '()': 'host' } },
  methods: each(`${verbs} use`, functions),
};

export const nextConnect: Framework = {
  name: 'next-connect',
  source: 'https://github.com/hoangvvo/next-connect',
  event: 'request',
  packages: { 'next-connect': each('() createRouter()', 'host') },
  methods: each(`${verbs} use`, functions),
};

export const nodeHttp: Framework = {
  name: 'Node',
  source: 'https://nodejs.org/api/http.html',
  event: 'request',
  packages: each('http https', {
    createServer: functions,
    ...each('createServer() Server() :Server', 'host'),
    ':ServerResponse': 'given',
    ':RequestListener': 'handler',
  } as const),
  methods: { on: { first: ['request'] } },
};

export const bun: Framework = {
  name: 'Bun',
  source: 'https://bun.com/docs/runtime/http/server',
  event: 'request',
  packages: { Bun: { serve: { in: ['fetch', 'routes.*'] } }, bun: { serve: { in: ['fetch', 'routes.*'] } } },
};

export const deno: Framework = {
  name: 'Deno',
  source: 'https://docs.deno.com/api/deno/~/Deno.serve',
  event: 'request',
  packages: { Deno: { serve: { in: ['handler'] } } },
};

export const h3: Framework = {
  name: 'h3',
  source: 'https://h3.dev/guide/basics/handler',
  event: 'request',
  packages: { h3: { ...each('defineEventHandler eventHandler', functions), ':H3Event': 'given', ':EventHandler': 'handler' } },
};
