import type { Place } from '@poolcheck/parsers/text';
import { bare, placeOfNode, propertyName } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { settingOf } from './settings.ts';
import type { Setting } from './setting.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

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
  /** `server.maxConnections` as the source sets it. */
  readonly maxConnections: Setting | undefined;
  /** Every place where it could be set was seen, so an absent setting is really absent. */
  readonly complete: boolean;
}

/** How a package makes servers. */
interface Maker {
  /** The export that is called or constructed: `` for the package itself. */
  readonly exports: readonly string[];
  /** `made`: the call gives Node's server, or holds its options. `listen`: `app.listen()` gives it. */
  readonly serverIs: 'made' | 'listen';
  /** Which argument holds options with `keepAliveTimeout`. */
  readonly options?: number;
}

/** Sources: https://nodejs.org/api/http.html, https://expressjs.com/en/api.html#app.listen, https://fastify.dev/docs/latest/Reference/Server */
const makers: Readonly<Record<string, Maker>> = {
  http: { exports: ['createServer', 'Server'], serverIs: 'made', options: 0 },
  https: { exports: ['createServer', 'Server'], serverIs: 'made', options: 0 },
  express: { exports: [''], serverIs: 'listen' },
  koa: { exports: [''], serverIs: 'listen' },
  polka: { exports: [''], serverIs: 'listen' },
  fastify: { exports: ['', 'fastify'], serverIs: 'made', options: 0 },
  '@hapi/hapi': { exports: ['server', 'Server'], serverIs: 'made' },
  '@hono/node-server': { exports: ['serve'], serverIs: 'made' },
  '@nestjs/core': { exports: ['NestFactory.create'], serverIs: 'listen' },
};

/** The packages whose users may start an HTTP server. */
export const httpSpecifiers: ReadonlySet<string> = new Set([...Object.keys(makers), 'node:http', 'node:https']);

/** Every HTTP server that the production code of some modules starts. */
export function serversOf(modules: readonly Module[], values: Values): readonly HttpServer[] {
  const settings = modules.flatMap((module) => assignmentsIn(module, 'keepAliveTimeout', values));
  const limits = modules.flatMap((module) => assignmentsIn(module, 'maxConnections', values));
  const servers = modules.filter(({ role }) => role === 'production').flatMap((module) => serversIn(module, values));
  const matched = new Set<Assignment>();
  const made = servers.map((server): HttpServer => {
    const set = settings.filter(({ on }) => on.some((node) => server.nodes.includes(node)));
    for (const each of set) matched.add(each);
    const last = set.at(-1);
    const limit = limits.findLast(({ on }) => on.some((node) => server.nodes.includes(node)));
    return {
      ...server.server,
      keepAliveTimeout: last ? settingOf(last.value, last.module, values) : server.server.keepAliveTimeout,
      maxConnections: limit && settingOf(limit.value, limit.module, values),
    };
  });
  const complete = settings.every((each) => matched.has(each));
  return made.map((server) => ({ ...server, complete: server.complete && (complete || server.keepAliveTimeout !== undefined) }));
}

interface Made {
  readonly server: HttpServer;
  /** The expressions that are this server, or the application it belongs to. */
  readonly nodes: readonly Node[];
}

function serversIn(module: Module, values: Values): readonly Made[] {
  const candidates = [...module.nodes('NewExpression'), ...module.nodes('CallExpression')];
  return candidates.flatMap((node) => madeServer(node, module, values) ?? listeningApplication(node, module, values) ?? []);
}

type Call = TSESTree.CallExpression | TSESTree.NewExpression;

function makerOf(node: Node, module: Module, values: Values): { readonly name: string; readonly maker: Maker } | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const exported = values.exportOf(node.callee, module);
  const key = exported?.package.replace(/^node:/, '');
  const maker = key !== undefined && Object.hasOwn(makers, key) ? makers[key] : undefined;
  return exported && maker?.exports.includes(exported.path) ? { name: exported.package, maker } : undefined;
}

/** `http.createServer(…)`, `fastify({…})`: the call itself is the server. */
function madeServer(node: Call, module: Module, values: Values): Made | undefined {
  const found = makerOf(node, module, values);
  if (found?.maker.serverIs !== 'made') return undefined;
  const options = found.maker.options === undefined ? undefined : node.arguments[found.maker.options];
  const object = options && values.follow(options, module);
  const given =
    object?.node.type === 'ObjectExpression'
      ? values.property({ node: object.node, module: object.module }, 'keepAliveTimeout')
      : undefined;
  const listen = listenCalls(node, module, values)[0];
  return {
    nodes: [node, ...listenCalls(node, module, values)],
    server: {
      module,
      place: placeOfNode(module, node),
      framework: found.name,
      variable: found.name === 'fastify' ? undefined : keeperOf(node, module),
      port: listen && portOf(listen, module, values),
      keepAliveTimeout: given && given !== 'unknown' ? settingOf(given.node, given.module, values) : undefined,
      maxConnections: undefined,
      complete: given !== 'unknown' && isReadable(object),
    },
  };
}

/** Options that are a function (`createServer(handler)`), an object in sight, or not there hide nothing. */
function isReadable(options: Sited | undefined): boolean {
  if (!options) return true;
  const { node } = options;
  return node.type === 'ObjectExpression' || node.type.includes('Function') || node.type === 'CallExpression' || node.type === 'Identifier';
}

/** `app.listen(…)` of an Express, Koa or Nest application. */
function listeningApplication(node: Call, module: Module, values: Values): Made | undefined {
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'listen') return undefined;
  const application = applicationBehind(callee.object, module, values);
  const found = makerOf(application.node, application.module, values);
  if (found?.maker.serverIs !== 'listen') return undefined;
  return {
    nodes: [node, application.node],
    server: {
      module,
      place: placeOfNode(module, node),
      framework: found.name,
      variable: found.name === '@nestjs/core' ? undefined : keeperOf(node, module),
      port: portOf(node, module, values),
      keepAliveTimeout: undefined,
      maxConnections: undefined,
      complete: true,
    },
  };
}

/** The call that made an application, through constants and awaits. */
function applicationBehind(node: Node, module: Module, values: Values): Sited {
  const at = values.follow(node, module);
  return at.node.type === 'AwaitExpression' ? applicationBehind(at.node.argument, at.module, values) : at;
}

/** The `.listen()` calls on a server in its own module. */
function listenCalls(server: Node, module: Module, values: Values): readonly TSESTree.CallExpression[] {
  return module
    .nodes('CallExpression')
    .filter(
      ({ callee }) =>
        callee.type === 'MemberExpression' && propertyName(callee) === 'listen' && values.follow(callee.object, module).node === server,
    );
}

function portOf(listen: Call, module: Module, values: Values): Setting | undefined {
  const [first] = listen.arguments;
  if (!first) return undefined;
  const at = values.follow(first, module);
  if (at.node.type !== 'ObjectExpression') return settingOf(first, module, values);
  const port = values.property({ node: at.node, module: at.module }, 'port');
  return port && port !== 'unknown' ? settingOf(port.node, port.module, values) : undefined;
}

function keeperOf(node: Node, module: Module): HttpServer['variable'] {
  const { parent } = node;
  if (parent?.type === 'MemberExpression' && parent.parent.type === 'CallExpression') return keeperOf(parent.parent, module);
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined;
  return { name: parent.id.name, declaration: placeOfNode(module, parent.parent) };
}

/** An assignment to a property that a server has. */
interface Assignment {
  readonly module: Module;
  readonly value: Node;
  /** What it is set on, and what that belongs to. */
  readonly on: readonly Node[];
}

function assignmentsIn(module: Module, name: string, values: Values): readonly Assignment[] {
  return module.nodes('AssignmentExpression').flatMap(({ left, right }) => {
    if (left.type !== 'MemberExpression' || propertyName(left) !== name) return [];
    return [{ module, value: right, on: ownersOf(left.object, module, values) }];
  });
}

/** A server, and what `app.server`, `server.listener` or `app.getHttpServer()` were asked of. */
function ownersOf(node: Node, module: Module, values: Values, depth = 0): readonly Node[] {
  const at = values.follow(node, module);
  const inner = bare(at.node);
  if (depth > 5) return [inner];
  const next = inner.type === 'AwaitExpression' ? inner.argument : inner.type === 'MemberExpression' ? inner.object : calledOn(inner);
  return next ? [inner, ...ownersOf(next, at.module, values, depth + 1)] : [inner];
}

function calledOn(node: Node): Node | undefined {
  return node.type === 'CallExpression' && node.callee.type === 'MemberExpression' ? node.callee.object : undefined;
}
