import { globalFetch, httpClient, type HttpClient } from '../../knowledge/time-limits.ts';
import type { Origins } from '../handlers/origins.ts';
import { placeOfNode, propertyName } from '../module.ts';
import type { Module, Node, TSESTree } from '../module.ts';
import type { Environment } from '../setting.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { limitAt, type TimeLimit } from './time-limit.ts';

interface Sources {
  readonly values: Values;
  readonly origins: Origins;
  readonly environment: Environment;
}

const subject = 'its own timeout';

/** After what time a request to another service is given up: by its own options, or by those of its client. */
export function requestLimit(call: TSESTree.CallExpression, module: Module, sources: Sources): TimeLimit | undefined {
  const known = clientOf(call.callee, module, sources);
  if (!known) return undefined;
  const { client, method } = known;
  if (method === 'chained') return timeIn(call.arguments[0], module, client, sources);
  for (const index of client.methods[method] ?? []) {
    const limit = limitIn(call.arguments[index], module, client, sources);
    if (limit) return limit === 'unknown' ? undefined : limit;
  }
  const made = client.makes === undefined ? undefined : madeBy(call.callee, module, client.makes, sources.values);
  const limit = made && limitIn(made.node.arguments[0], made.module, client, sources);
  return limit === 'unknown' ? undefined : (limit ?? defaultLimit(call, module, client));
}

function defaultLimit(call: TSESTree.CallExpression, module: Module, { byDefault }: HttpClient): TimeLimit | undefined {
  return byDefault === undefined ? undefined : { milliseconds: byDefault, of: 'its default timeout', place: placeOfNode(module, call) };
}

function clientOf(
  callee: Node,
  module: Module,
  { origins }: Sources,
): { readonly client: HttpClient; readonly method: string } | undefined {
  if (callee.type === 'Identifier' && callee.name === 'fetch' && !module.variableOf(callee)?.defs.length) {
    return { client: globalFetch, method: 'fetch' };
  }
  const origin = origins.of(callee, module);
  const client = origin && httpClient(origin.package);
  if (!client) return undefined;
  if (client.chained !== undefined && origin.path.endsWith(`().${client.chained}`)) return { client, method: 'chained' };
  const path = client.makes === undefined ? origin.path : origin.path.replace(`${client.makes}()`, '').replace(/^\./, '');
  return Object.hasOwn(client.methods, path) ? { client, method: path } : undefined;
}

/** The `axios.create(…)` behind `http.get`, or behind `http` itself. */
function madeBy(callee: Node, module: Module, makes: string, values: Values): Sited<TSESTree.CallExpression> | undefined {
  for (const node of callee.type === 'MemberExpression' ? [callee, callee.object] : [callee]) {
    const at = values.follow(node, module);
    if (at.node.type !== 'CallExpression' || values.exportOf(at.node.callee, at.module)?.path !== makes) continue;
    return { node: at.node, module: at.module };
  }
  return undefined;
}

/** `{ timeout: 5_000 }`, `{ signal: AbortSignal.timeout(5_000) }` */
function limitIn(options: Node | undefined, module: Module, client: HttpClient, sources: Sources): TimeLimit | 'unknown' | undefined {
  const at = options && sources.values.follow(options, module);
  if (!at) return undefined;
  if (at.node.type !== 'ObjectExpression') return at.node.type === 'Literal' || at.node.type === 'TemplateLiteral' ? undefined : 'unknown';
  const object = { node: at.node, module: at.module };
  const signal = sources.values.property(object, 'signal');
  const timeout = client.timeout === undefined ? undefined : sources.values.property(object, client.timeout);
  if (signal === 'unknown' || timeout === 'unknown') return 'unknown';
  if (signal) return limitOfSignal(signal, sources);
  return timeout && (timeIn(timeout.node, timeout.module, client, sources) ?? 'unknown');
}

/** `5_000`, `{ request: 5_000 }` */
function timeIn(
  node: Node | undefined,
  module: Module,
  { within = [] }: HttpClient,
  { values, environment }: Sources,
): TimeLimit | undefined {
  const at = node && values.follow(node, module);
  if (!node || at?.node.type !== 'ObjectExpression') return node && limitAt({ node, module }, subject, values, environment);
  const object = { node: at.node, module: at.module };
  const [time] = within.map((name) => values.property(object, name)).filter((each) => each !== undefined);
  return time && time !== 'unknown' ? limitAt(time, subject, values, environment) : undefined;
}

function limitOfSignal(signal: Sited, sources: Sources): TimeLimit | 'unknown' {
  const { node, module } = sources.values.follow(signal.node, signal.module);
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return 'unknown';
  const { object } = node.callee;
  const [time] = node.arguments;
  const isTimeout = object.type === 'Identifier' && object.name === 'AbortSignal' && propertyName(node.callee) === 'timeout';
  return (isTimeout && time && limitAt({ node: time, module }, subject, sources.values, sources.environment)) || 'unknown';
}
