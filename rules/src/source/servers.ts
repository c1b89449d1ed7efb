import type { Place } from '@poolcheck/parsers/text';
import type { Module } from './module.ts';
import type { Setting } from './setting.ts';

/** Where the source starts an HTTP server. */
export interface HttpServer {
  readonly module: Module;
  /** The call that makes or starts it. */
  readonly place: Place;
  /** The package that makes it: "express", "fastify", "node:http" … */
  readonly framework: string;
  /** The variable that holds Node's own server object. */
  readonly variable: { readonly name: string; readonly declaration: Place } | undefined;
  /** The port it listens on, when the source says. */
  readonly port: Setting | undefined;
  /** `server.keepAliveTimeout` in ms as the source sets it; undefined: the framework's or Node's default. */
  readonly keepAliveTimeout: Setting | undefined;
  /** Every place where it could be set was seen, so an absent setting is really absent. */
  readonly complete: boolean;
}

/** The packages whose users may start an HTTP server. */
export const httpSpecifiers: ReadonlySet<string> = new Set([
  'node:http',
  'http',
  'node:https',
  'https',
  'express',
  'fastify',
  'koa',
  '@hapi/hapi',
  'polka',
  'hono',
  '@hono/node-server',
  '@nestjs/core',
]);
