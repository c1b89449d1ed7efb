/** How long an HTTP server keeps an idle connection unasked, ms; a range when that depends on its version or adapter. */
export interface HttpServerDefault {
  readonly keepAliveTimeout: readonly [low: number, high: number];
  /** Setting it to 0 gives the default, instead of keeping connections for ever. */
  readonly zeroIsDefault?: true;
  /** For messages: whose default it is. */
  readonly owner: string;
}

/**
 * After `keepAliveTimeout` Node waits up to this many ms more: 1,000 from 20.18 on (`keepAliveTimeoutBuffer` from 22.19 and 24.6), before
 * that nothing.
 *
 * https://nodejs.org/api/http.html#serverkeepalivetimeoutbuffer
 */
export const keepAliveTimeoutBuffer = 1_000;

/** Every released version of Node: https://nodejs.org/api/http.html#serverkeepalivetimeout */
const node: HttpServerDefault = { keepAliveTimeout: [5_000, 5_000], owner: 'Node' };

/** 72 s since version 4, Node's default before: https://fastify.dev/docs/latest/Reference/Server/#keepalivetimeout */
const fastify: HttpServerDefault = { keepAliveTimeout: [5_000, 72_000], zeroIsDefault: true, owner: 'Fastify' };

/** On Express unless it is given the adapter for Fastify: https://docs.nestjs.com/techniques/performance */
const nest: HttpServerDefault = { keepAliveTimeout: [5_000, 72_000], owner: 'NestJS' };

const byPackage: Readonly<Record<string, HttpServerDefault>> = {
  http: node,
  https: node,
  express: node,
  koa: node,
  polka: node,
  '@hapi/hapi': node,
  '@hono/node-server': node,
  fastify,
  '@nestjs/core': nest,
};

/** The default of the package that makes a server; undefined for one that is not known. */
export function httpServerDefault(framework: string): HttpServerDefault | undefined {
  const name = framework.replace(/^node:/, '');
  return Object.hasOwn(byPackage, name) ? byPackage[name] : undefined;
}
