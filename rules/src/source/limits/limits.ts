import { walk } from '@poolcheck/parsers/javascript/parse';
import type { Origins } from '../handlers/origins.ts';
import { isParameter } from '../functions.ts';
import { chainOf, type Waits } from '../held/waits.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import { poolSiteOf } from '../pools.ts';
import type { Environment } from '../setting.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { endOfQuery, queryLimitsOf } from './pool-limits.ts';
import { requestLimit } from './request-limits.ts';
import type { TimeLimit } from './time-limit.ts';

/** A call that may go on for a time that is known. */
export interface LimitedCall {
  readonly limit: TimeLimit;
  readonly call: Sited<TSESTree.CallExpression>;
}

interface Sources {
  readonly values: Values;
  readonly origins: Origins;
  readonly waits: Waits;
  readonly environment: Environment;
}

/** Finds how long what a function waits for may go on. */
export class Limits {
  readonly #sources: Sources;
  readonly #known = new Map<FunctionNode, LimitedCall | undefined>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Of all that a function waits for, what may take longest; what has no limit, or one that cannot be told, is left out. */
  longestIn(fn: Sited<FunctionNode>): LimitedCall | undefined {
    if (this.#known.has(fn.node)) return this.#known.get(fn.node);
    this.#known.set(fn.node, undefined);
    const calls = this.#sources.waits.ofFunction(fn).flatMap(chainOf);
    const limited = calls.flatMap((call) => (call.type === 'CallExpression' ? this.#ofCall(call, fn) : []));
    const longest = limited.toSorted((a, b) => b.limit.milliseconds - a.limit.milliseconds)[0];
    this.#known.set(fn.node, longest);
    return longest;
  }

  #ofCall(call: TSESTree.CallExpression, { node, module }: Sited<FunctionNode>): readonly LimitedCall[] {
    const { values } = this.#sources;
    const request = requestLimit(call, module, this.#sources);
    const limits = request ? [request] : setsItsOwn(node) ? [] : this.#ofQuery(call, module);
    if (limits.length > 0) return limits.map((limit) => ({ limit, call: { node: call, module } }));
    const fn = isParameter(call.callee, module) ? undefined : values.calledFunction(call, module);
    const inside = fn && this.longestIn(fn);
    return inside ? [inside] : [];
  }

  #ofQuery(call: TSESTree.CallExpression, module: Module): readonly TimeLimit[] {
    const { values, environment } = this.#sources;
    const called = values.methodOf(call, module);
    const origin = called?.receiver.origin;
    const site = origin && poolSiteOf(origin.node, origin.module, values);
    if (!called || !site) return [];
    const { does } = called.method;
    const limits = queryLimitsOf(site, environment);
    const isQuery = does === 'query' || does === 'borrow';
    const isAcquire = does === 'acquire' || does === 'scoped' || (isQuery && called.receiver.resource.role === 'pool');
    const query = isQuery && !this.#hasOptions(call, called.method.does === 'query' ? called.method.sql : 0, module) && endOfQuery(limits);
    const acquire = isAcquire && limits.acquire !== 'off' && limits.acquire;
    return [query, acquire].filter((limit) => limit !== undefined && limit !== false);
  }

  /** `pool.query({ text, query_timeout: 1_000 })` may have a limit of its own. */
  #hasOptions(call: TSESTree.CallExpression, sql: number, module: Module): boolean {
    const argument: Node | undefined = call.arguments[sql];
    return argument !== undefined && this.#sources.values.follow(argument, module).node.type === 'ObjectExpression';
  }
}

/** `SET LOCAL statement_timeout = …`, `set_config('statement_timeout', …)` */
function setsItsOwn(fn: FunctionNode): boolean {
  let found = false;
  walk(fn, (node) => {
    found ||= node.type === 'Literal' && typeof node.value === 'string' && node.value.includes('statement_timeout');
    found ||= node.type === 'TemplateElement' && node.value.raw.includes('statement_timeout');
    return !found;
  });
  return found;
}
