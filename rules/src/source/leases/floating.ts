import { successorsOf, type Step } from '../steps.ts';
import { runsInPlace } from '../promises.ts';
import { controlFlow } from '../cfg.ts';
import { parameterVariable } from '../functions.ts';
import { isCombinator } from '../promises.ts';
import { bare, enclosingFunction, isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Values } from '../values.ts';
import type { State } from './exploration.ts';
import type { LeaseReader } from './reader.ts';

/** Work on a lease that was started and that nobody waits for. */
export interface Floating {
  /** The call that starts it. */
  readonly call: TSESTree.CallExpression;
  /** What it sends later, after it has waited for something itself. */
  readonly late: Sited | undefined;
}

/** What a call starts on a lease and leaves alone. */
export function floatingOf(
  call: TSESTree.CallExpression,
  state: State,
  { lease, reader, module, values }: { lease: ResourceValue; reader: LeaseReader; module: Module; values: Values },
): Floating | undefined {
  if (!isLeftAlone(call)) return undefined;
  if (reader.isUse(state, call)) return { call, late: undefined };
  const callback = startedForEach(call);
  const called = callback ? { node: callback, module } : values.calledFunction(call, module);
  if (!called?.node.async) return undefined;
  const names = namesIn(called, call, state, reader, module);
  return names.length > 0 ? { call, late: lateUse(called, names, lease) } : undefined;
}

/** The names that a called function has for the lease: those that it closes over, or its parameter. */
function namesIn(
  called: Sited<FunctionNode>,
  call: TSESTree.CallExpression,
  state: State,
  reader: LeaseReader,
  module: Module,
): readonly Variable[] {
  if (called.module === module && reader.mentions(state, called.node)) return state.names;
  const index = call.arguments.findIndex((argument) => reader.isLease(state, argument));
  const holder = parameterVariable(called.node, index, called.module);
  return holder ? [holder] : [];
}

/** Whether the function goes on, or returns through its `finally`, without waiting for the promise of a call. */
export function isLeftAlone(call: Node): boolean {
  const { parent } = call;
  switch (parent?.type) {
    case 'ExpressionStatement':
      return true;
    case 'ReturnStatement': {
      const fn = enclosingFunction(parent);
      return fn !== undefined && !runsInPlace(fn);
    }
    case 'UnaryExpression':
      return parent.operator === 'void' && isLeftAlone(parent);
    case 'ConditionalExpression':
      return parent.test !== call && isLeftAlone(parent);
    case 'LogicalExpression':
      return parent.right === call && isLeftAlone(parent);
    case 'ArrayExpression':
      return isCombinator(parent.parent) && isLeftAlone(parent.parent);
    case 'CallExpression':
      return isCombinator(parent) && parent.callee !== call && isLeftAlone(parent);
    default:
      return parent !== undefined && bare(parent) !== parent && isLeftAlone(parent);
  }
}

/** The async function that `list.forEach(async …)` or `list.map(async …)` starts for each element. */
function startedForEach({ callee, arguments: [callback] }: TSESTree.CallExpression): FunctionNode | undefined {
  const isIteration = callee.type === 'MemberExpression' && /^(forEach|map)$/.test(propertyName(callee) ?? '');
  return isIteration && isFunction(callback) && callback.async ? callback : undefined;
}

/** The first thing that a function sends on the lease after it has waited for something. */
function lateUse({ node, module }: Sited<FunctionNode>, names: readonly Variable[], lease: ResourceValue): Sited | undefined {
  const entry = controlFlow(node);
  const late = new Set<Step>();
  for (const step of entry ? reachable([entry]) : []) if (waits(step)) for (const next of onward(step)) late.add(next);
  for (const step of reachable(late))
    if (step.kind === 'evaluate' && isSentOn(step.node, names, module, lease)) return { node: step.node, module };
  return undefined;
}

function isSentOn(node: Node, names: readonly Variable[], module: Module, { resource }: ResourceValue): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const object = bare(node.callee.object);
  const variable = object.type === 'Identifier' ? module.variableOf(object) : undefined;
  return variable !== undefined && names.includes(variable) && resource.methods[propertyName(node.callee) ?? '']?.does === 'query';
}

/** Whether other code runs before the step after this one. */
export function waits(step: Step): boolean {
  return step.kind === 'settle' || (step.kind === 'evaluate' && /^(Await|Yield)Expression$|^ForOfStatement$/.test(step.node.type));
}

function reachable(from: Iterable<Step>): ReadonlySet<Step> {
  const seen = new Set(from);
  for (const step of seen) for (const next of onward(step)) seen.add(next);
  return seen;
}

function onward(step: Step): readonly Step[] {
  return successorsOf(step, () => false);
}
