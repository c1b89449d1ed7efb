import { bare } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Values } from '../values.ts';
import type { Exploration } from './exploration.ts';
import type { Leases } from './leases.ts';

/** A scoped transaction whose callback can end without saying how the transaction ends. */
export interface UnsettledCallback {
  readonly call: TSESTree.CallExpression;
  readonly pool: ResourceValue;
  readonly callback: Sited<FunctionNode>;
  /** The `return`, or the function that runs to its end. */
  readonly exit: Node;
}

/** The transactions of a module that may never settle. */
export function unsettledCallbacks(
  module: Module,
  { values, leases }: { readonly values: Values; readonly leases: Leases },
): readonly UnsettledCallback[] {
  return module.nodes('CallExpression').flatMap((call) => {
    const called = values.methodOf(call, module);
    if (called?.method.does !== 'acquire' || !called.method.settledByPromise) return [];
    const callback = callbackIn(call, module, values);
    const { driver, origin } = called.receiver;
    const { resource: name } = called.method.gives;
    const resource = driver.resources[name];
    if (!callback || !resource || callback.node.async || callback.node.generator) return [];
    const exploration = leases.within(callback, { kind: 'resource', driver, name, resource, origin, acquired: true });
    const exit = exploration && silentExit(exploration, callback.node);
    return exit ? [{ call, pool: called.receiver, callback, exit }] : [];
  });
}

function callbackIn(call: TSESTree.CallExpression, module: Module, values: Values): Sited<FunctionNode> | undefined {
  for (const argument of call.arguments) {
    const value = values.valueOf(argument, module);
    if (value?.kind === 'function') return value.at;
  }
  return undefined;
}

/** Where a function ends with the transaction open and nothing returned that could end it later. */
function silentExit({ lost, edges, states }: Exploration, fn: FunctionNode): Node | undefined {
  const ends = new Set(lost.filter(({ step }) => step.kind === 'returned').map(({ index }) => index));
  if (fn.body.type !== 'BlockStatement') return ends.size > 0 && isNothing(fn.body) ? fn : undefined;
  for (const { to, from } of edges) {
    const step = ends.has(to) ? states[from]?.step : undefined;
    if (!step) continue;
    const node = 'node' in step ? step.node : undefined;
    if (node?.type !== 'ReturnStatement') return fn;
    if (isNothing(node.argument)) return node;
  }
  return undefined;
}

/** Nothing that could be a promise. */
function isNothing(argument: Node | null): boolean {
  const node = argument && bare(argument);
  return node === null || node.type === 'Literal' || (node.type === 'Identifier' && node.name === 'undefined');
}
