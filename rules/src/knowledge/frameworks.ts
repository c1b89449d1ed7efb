import { groupBy } from '../group.ts';
import type { Carries, FileConvention, Framework, FrameworkFact, Takes } from './framework.ts';
import { amqplib, bull, bullmq, kafkajs, pgBoss, socketIo, socketIoSockets, sqsConsumer, ws, wsSockets } from './frameworks/events.ts';
import { apollo, trpc, yoga } from './frameworks/graphql.ts';
import { bun, deno, express, fastify, h3, hapi, hono, koa, nextConnect, nodeHttp, polka, restify } from './frameworks/http.ts';
import { nest, nestJobs, nestMessages, routingControllers, typeGraphql } from './frameworks/nest.ts';
import { azureFunctions, firebase, googleFunctions, lambda, netlify, vercel } from './frameworks/serverless.ts';
import { astro, next, react, remix, svelteKit, webConventions } from './frameworks/web.ts';

/** Every framework that poolcheck knows. A new one is a constant in `frameworks/` and a name here. */
export const frameworks: readonly Framework[] = [
  ...[express, fastify, koa, hono, hapi, restify, polka, nextConnect, nodeHttp, bun, deno, h3],
  ...[next, react, remix, svelteKit, astro],
  ...[nest, nestMessages, nestJobs, typeGraphql, routingControllers],
  ...[apollo, yoga, trpc],
  ...[lambda, vercel, netlify, firebase, googleFunctions, azureFunctions],
  ...[socketIo, socketIoSockets, ws, wsSockets, bullmq, bull, kafkajs, amqplib, pgBoss, sqsConsumer],
];

/** Where the place of a file makes its exports handlers. */
export const fileConventions: readonly FileConvention[] = webConventions;

/** A framework, and what it says of something that comes from one of its packages. */
export interface Known<Fact> {
  readonly framework: Framework;
  readonly fact: Fact;
}

const factsByPackage = groupBy(
  frameworks.flatMap((framework) => Object.entries(framework.packages).map(([specifier, facts]) => ({ specifier, framework, facts }))),
  ({ specifier }) => specifier,
);

/** What a value, type or decorator that comes from a package is to its framework. */
export function frameworkFact(specifier: string, path: string): Known<FrameworkFact> | undefined {
  for (const { framework, facts } of factsByPackage.get(specifier) ?? []) {
    const fact = Object.hasOwn(facts, path) ? facts[path] : factOfEnding(facts, path);
    if (fact) return { framework, fact };
  }
  return undefined;
}

/** `:*Event` for `:SQSEvent`. */
function factOfEnding(facts: Readonly<Record<string, FrameworkFact>>, path: string): FrameworkFact | undefined {
  return Object.entries(facts).find(([key]) => key.startsWith(':*') && path.startsWith(':') && path.endsWith(key.slice(2)))?.[1];
}

/** Which arguments of a call are handlers, by where its callee comes from. */
export function handlersTakenBy(specifier: string, path: string): Known<Takes> | undefined {
  const direct = frameworkFact(specifier, path);
  if (direct && typeof direct.fact === 'object' && !('implementedBy' in direct.fact)) return { ...direct, fact: direct.fact };
  const dot = path.lastIndexOf('.');
  const method = path.slice(dot + 1);
  for (const { framework, facts } of factsByPackage.get(specifier) ?? []) {
    const takes = framework.methods && Object.hasOwn(framework.methods, method) ? framework.methods[method] : undefined;
    if (takes && dot !== -1 && isHost(path.slice(0, dot), framework, facts)) return { framework, fact: takes };
  }
  return undefined;
}

/** Whether a path leads to something that handlers are registered with, through steps that stay with it. */
function isHost(path: string, framework: Framework, facts: Readonly<Record<string, FrameworkFact>>): boolean {
  if (Object.hasOwn(facts, path)) return facts[path] === 'host';
  const dot = path.lastIndexOf('.');
  const step = path.slice(dot + 1);
  const stays =
    framework.chains?.includes(step) === true || (step.endsWith('()') && Object.hasOwn(framework.methods ?? {}, step.slice(0, -2)));
  return dot !== -1 && stays && isHost(path.slice(0, dot), framework, facts);
}

/** An object of a framework on which code hangs values for other code. */
export interface Carrier {
  readonly framework: Framework;
  readonly carries: Carries;
  readonly kind: 'host' | 'given';
}

/** What carries values at the end of a path: a host, what handlers are given first, or something within them. */
export function carrierOf(specifier: string, path: string): Carrier | undefined {
  for (const { framework, facts } of factsByPackage.get(specifier) ?? []) {
    const { carries } = framework;
    const kind = carries && carrierKind(path, framework, facts);
    if (carries && kind) return { framework, carries, kind };
  }
  return undefined;
}

function carrierKind(path: string, framework: Framework, facts: Readonly<Record<string, FrameworkFact>>): Carrier['kind'] | undefined {
  if (isHost(path, framework, facts)) return 'host';
  if (facts[path] === 'given' || isFirstOfHandler(path, framework, facts)) return 'given';
  const dot = path.lastIndexOf('.');
  const within = dot === -1 ? undefined : framework.carries?.within?.[path.slice(dot + 1)];
  const around = within && carrierKind(path.slice(0, dot), framework, facts);
  return around && (within === 'same' ? around : within);
}

/** `:RequestHandler(0)`, `().get(0)` */
function isFirstOfHandler(path: string, framework: Framework, facts: Readonly<Record<string, FrameworkFact>>): boolean {
  const [, taker] = /^(.*)\(0\)$/.exec(path) ?? [];
  if (taker === undefined) return false;
  const dot = taker.lastIndexOf('.');
  const takes = dot !== -1 && Object.hasOwn(framework.methods ?? {}, taker.slice(dot + 1));
  return facts[taker] === 'handler' || (takes && isHost(taker.slice(0, dot), framework, facts));
}

/** The packages of the frameworks on whose objects code hangs values. */
export const carryingPackages: ReadonlySet<string> = new Set(
  frameworks.flatMap(({ carries, packages }) => (carries ? Object.keys(packages) : [])),
);

/** The last names of everything that takes handlers: a call by another name need not be looked at. */
export const registeringNames: ReadonlySet<string> = new Set(
  frameworks.flatMap(({ methods = {}, packages }) => [
    ...Object.keys(methods),
    ...Object.values(packages).flatMap((facts) => Object.keys(facts).map((path) => path.slice(path.lastIndexOf('.') + 1))),
  ]),
);
