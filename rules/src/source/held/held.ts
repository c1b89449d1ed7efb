import { callbackOf, isParameter, parameterRead } from '../functions.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { Visited } from '../leases/exploration.ts';
import { isPromiseChain } from '../promises.ts';
import type { Origins } from '../handlers/origins.ts';
import { isLeftAlone } from '../leases/floating.ts';
import type { Leases } from '../leases/leases.ts';
import type { LeaseSite } from '../leases/sites.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { Borrows } from './borrows.ts';
import { SlowCalls } from './slow.ts';
import { handleBehind, poolKeyOf, type PoolKey } from './pool-key.ts';
import { mentionsAny, Waits } from './waits.ts';

/** A connection that a stretch of code holds: one that it borrows, or that a call lends to its callback. */
export interface Held {
  readonly module: Module;
  /** The call that takes it. */
  readonly node: TSESTree.CallExpression;
  /** The function that holds it. */
  readonly fn: FunctionNode;
  /** The lease, or the pool that lends it. */
  readonly resource: ResourceValue;
  /** The variables that hold it. */
  readonly names: readonly Variable[];
  readonly pool: PoolKey | undefined;
  /** What is waited for in the meantime. */
  readonly waits: readonly Node[];
}

/** A call that lends a connection to an argument. */
interface Lending {
  readonly callback: Node | undefined;
  readonly resource: ResourceValue;
  readonly pool: PoolKey | undefined;
}

/** A function of the root that calls one of its parameters while it holds a connection. */
interface Lender {
  readonly parameter: number;
  /** The parameter that is the pool, if it is given one. */
  readonly poolParameter: number;
  readonly resource: ResourceValue;
  readonly pool: PoolKey | undefined;
}

/** Where code holds connections. */
export class HeldConnections {
  /** What functions wait for. */
  readonly waits: Waits;
  /** What takes long, and what takes another connection, while one is held. */
  readonly slowCalls: SlowCalls;
  readonly borrows: Borrows;
  readonly #values: Values;
  readonly #leases: Leases;
  readonly #inModule = new Map<Module, readonly Held[]>();
  readonly #ofLease = new Map<LeaseSite, Held | undefined>();
  readonly #lenders = new Map<FunctionNode, Lender | undefined>();

  constructor(values: Values, leases: Leases, origins: Origins) {
    this.#values = values;
    this.#leases = leases;
    this.waits = new Waits(values);
    this.slowCalls = new SlowCalls(values, origins, this.waits);
    this.borrows = new Borrows(values, this.waits);
  }

  /** In source order. */
  in(module: Module): readonly Held[] {
    const known = this.#inModule.get(module);
    if (known) return known;
    const borrowed = this.#leases.in(module).flatMap((site) => this.ofLease(site) ?? []);
    const lent = module.nodes('CallExpression').flatMap((call) => this.#lentBy(call, module) ?? []);
    const held = [...borrowed, ...lent].sort((a, b) => a.node.range[0] - b.node.range[0]);
    this.#inModule.set(module, held);
    return held;
  }

  /** What a lease is held through; undefined when it cannot be followed. */
  ofLease(site: LeaseSite): Held | undefined {
    if (this.#ofLease.has(site)) return this.#ofLease.get(site);
    const held = this.#follow(site);
    this.#ofLease.set(site, held);
    return held;
  }

  #follow(site: LeaseSite): Held | undefined {
    const { module, node, fn, lease } = site;
    const exploration = this.#leases.exploration(site);
    if (!exploration || exploration === 'dropped') return undefined;
    const held = exploration.states.filter(({ holding, idle }) => holding === 'held' && !idle);
    const names = [...new Set(exploration.states.flatMap((state) => state.names))];
    const waits = new Set(held.flatMap((state) => this.#waitsAt(state, names, module)));
    return { module, node, fn, resource: lease, names, pool: this.#poolOf(node, module), waits: [...waits] };
  }

  #waitsAt({ step }: Visited, names: readonly Variable[], module: Module): readonly Node[] {
    if (step.kind === 'settle') return isFloating(step.node, names) ? [] : this.waits.ofExpression(step.node, module);
    if (step.kind !== 'evaluate') return [];
    if (step.node.type === 'AwaitExpression') return this.waits.ofExpression(step.node.argument, module);
    return step.node.type === 'CallExpression' && callbackOf(step.node) ? [step.node] : [];
  }

  /** The pool that a call takes its connection from. */
  #poolOf({ callee }: TSESTree.CallExpression, module: Module): PoolKey | undefined {
    return callee.type === 'MemberExpression'
      ? poolKeyOf(handleBehind(callee.object, module, this.#values), module, this.#values)
      : undefined;
  }

  #lentBy(call: TSESTree.CallExpression, module: Module): Held | undefined {
    const lent = this.#lending(call, module);
    const fn = lent?.callback && this.#functionAt(lent.callback, module);
    if (!lent || fn?.module !== module) return undefined;
    const names = fn.node.params.flatMap((parameter) => (parameter.type === 'Identifier' ? (module.variableOf(parameter) ?? []) : []));
    const waits = this.waits.ofFunction(fn);
    return { module, node: call, fn: fn.node, resource: lent.resource, names, pool: lent.pool, waits };
  }

  /** The argument that a call calls with a connection in hand. */
  #lending(call: TSESTree.CallExpression, module: Module): Lending | undefined {
    const called = this.#values.methodOf(call, module);
    const isScoped = called?.method.does === 'scoped' || (called?.method.does === 'acquire' && called.method.orScoped === true);
    if (called && isScoped) {
      const callback = call.arguments.find((argument) => this.#functionAt(argument, module) ?? isParameter(argument, module));
      return { callback, resource: called.receiver, pool: this.#poolOf(call, module) };
    }
    const fn = this.#values.calledFunction(call, module);
    const lender = fn && this.#lender(fn);
    if (!lender) return undefined;
    const given = call.arguments[lender.poolParameter];
    const pool = given ? poolKeyOf(given, module, this.#values) : lender.pool;
    return { callback: call.arguments[lender.parameter], resource: lender.resource, pool };
  }

  #functionAt(argument: Node, module: Module): Sited<FunctionNode> | undefined {
    const value = this.#values.valueOf(argument, module);
    return value?.kind === 'function' ? value.at : undefined;
  }

  /** Whether a function lends a connection to one of its parameters: `withClient(async (client) => …)`. */
  #lender(fn: Sited<FunctionNode>): Lender | undefined {
    if (this.#lenders.has(fn.node)) return this.#lenders.get(fn.node);
    this.#lenders.set(fn.node, undefined);
    const lender = this.#findLender(fn);
    this.#lenders.set(fn.node, lender);
    return lender;
  }

  #findLender({ node: fn, module }: Sited<FunctionNode>): Lender | undefined {
    if (!handsOnParameter(fn, module)) return undefined;
    const indexOf = (node: Node | undefined) => parameterRead(fn, node, module);
    const calls = module.nodes('CallExpression').filter((call) => isInside(call, fn));
    const passing = calls.flatMap((call) => {
      const lending = this.#lending(call, module);
      return lending ? [{ ...lending, node: call, parameter: indexOf(lending.callback) }] : [];
    });
    const sites = this.#leases.in(module).filter(({ node }) => isInside(node, fn));
    const held = [...sites.flatMap((site) => this.ofLease(site) ?? []), ...calls.flatMap((call) => this.#lentBy(call, module) ?? [])];
    const calling = held.flatMap((each) => each.waits.map((wait) => ({ ...each, parameter: indexOf(calleeOf(wait)) })));
    const found = [...passing, ...calling].find(({ parameter }) => parameter !== -1);
    return (
      found && { parameter: found.parameter, poolParameter: indexOf(objectOf(found.node)), resource: found.resource, pool: found.pool }
    );
  }
}

/** Whether a function calls one of its parameters, or passes it on: only then can it lend something to it. */
function handsOnParameter({ params }: FunctionNode, module: Module): boolean {
  return params.some((parameter) => {
    const variable = parameter.type === 'Identifier' ? module.variableOf(parameter) : undefined;
    return variable?.references.some(({ identifier: { parent } }) => parent.type === 'CallExpression');
  });
}

function calleeOf(node: Node): Node | undefined {
  return node.type === 'CallExpression' ? node.callee : undefined;
}

/** `pool` of `pool.connect()`. */
function objectOf({ callee }: TSESTree.CallExpression): Node | undefined {
  return callee.type === 'MemberExpression' ? callee.object : undefined;
}

/** Whether a promise chain goes its own way while the connection is given back. */
function isFloating(node: Node, names: readonly Variable[]): boolean {
  const { parent } = node;
  const link = parent?.type === 'MemberExpression' && parent.object === node ? parent.parent : undefined;
  if (link?.type === 'CallExpression' && isPromiseChain(link)) return isFloating(link, names);
  return isLeftAlone(node) && !mentionsAny(node, names);
}

function isInside(inner: Node, outer: FunctionNode): boolean {
  return outer.range[0] < inner.range[0] && inner.range[1] <= outer.range[1];
}
