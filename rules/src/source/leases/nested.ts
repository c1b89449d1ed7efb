import { visitBody } from '../functions.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { Sited, Values } from '../values.ts';
import type { Exploration } from './exploration.ts';
import type { LeaseSite } from './sites.ts';

/** A pool, told apart by where it is made or, for one that was passed in, by its variable. */
type PoolKey = Node | Variable;

/** A call, made while a lease is held, that takes another one from the same pool. */
export interface NestedAcquire {
  readonly call: TSESTree.CallExpression;
  /** In a called function: where it takes it. */
  readonly through: Sited | undefined;
}

/** Finds calls that need a second connection of a pool. What functions take is remembered. */
export class NestedAcquires {
  readonly #values: Values;
  readonly #taken = new Map<FunctionNode, ReadonlyMap<PoolKey, Sited>>();

  constructor(values: Values) {
    this.#values = values;
  }

  /** The calls on the way of a lease that take from its own pool while it is held. */
  during(site: LeaseSite, { states }: Exploration): readonly NestedAcquire[] {
    const { module } = site;
    const pool = this.#poolOf(site.node, module);
    if (!pool) return [];
    const calls = new Set(
      states.flatMap(({ holding, step, names }) => {
        const node = holding === 'held' && step.kind === 'evaluate' ? step.node : undefined;
        return node?.type === 'CallExpression' && node !== site.node && !passesAny(node, names) ? [node] : [];
      }),
    );
    return [...calls].flatMap((call) => this.#takes(call, module, pool) ?? []);
  }

  #takes(call: TSESTree.CallExpression, module: Module, pool: PoolKey): NestedAcquire | undefined {
    if (this.#poolOf(call, module) === pool) return { call, through: undefined };
    const fn = this.#values.calledFunction(call, module);
    const through = fn && this.#takenBy(fn).get(pool);
    return through && { call, through };
  }

  /** The pool that a call takes a connection from. */
  #poolOf(call: TSESTree.CallExpression, module: Module): PoolKey | undefined {
    const called = this.#values.methodOf(call, module);
    if (called?.receiver.resource.role !== 'pool' || !/^(query|acquire|scoped)$/.test(called.method.does)) return undefined;
    if (called.receiver.origin) return called.receiver.origin.node;
    const object = call.callee.type === 'MemberExpression' ? call.callee.object : undefined;
    return object?.type === 'Identifier' ? module.variableOf(object) : undefined;
  }

  /** The pools that a function takes from, itself or by what it calls; a recursive call adds none. */
  #takenBy({ node, module }: Sited<FunctionNode>): ReadonlyMap<PoolKey, Sited> {
    const known = this.#taken.get(node);
    if (known) return known;
    const taken = new Map<PoolKey, Sited>();
    this.#taken.set(node, taken);
    visitBody(node, (inner) => {
      if (inner.type !== 'CallExpression') return;
      const pool = this.#poolOf(inner, module);
      if (pool && !taken.has(pool)) taken.set(pool, { node: inner, module });
      const fn = this.#values.calledFunction(inner, module);
      if (fn) for (const [each, at] of this.#takenBy(fn)) if (!taken.has(each)) taken.set(each, at);
    });
    return taken;
  }
}

/** A function that is given the lease has no need of another one; whether it takes one is its own matter. */
function passesAny(call: TSESTree.CallExpression, names: readonly Variable[]): boolean {
  return names.some((name) =>
    call.arguments.some((argument) =>
      name.references.some(({ identifier }) => argument.range[0] <= identifier.range[0] && identifier.range[1] <= argument.range[1]),
    ),
  );
}
