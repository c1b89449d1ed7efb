import { walk } from '@poolcheck/parsers/javascript/parse';
import { isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import { fateOf } from './keeping.ts';
import { runsOnce } from './once.ts';
import type { Use } from '../handlers/origins.ts';
import { isClass, runsItsCallbacks, type Unit } from '../units.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';

/** That one unit runs another. */
export interface Call {
  readonly from: Sited<Unit>;
  readonly to: Sited<Unit>;
  /** The call or `new`; undefined for what making an instance runs by itself. */
  readonly node: TSESTree.CallExpression | TSESTree.NewExpression | undefined;
  /** It is an argument that the call calls, and not the callee. */
  readonly asCallback: boolean;
}

/** What a unit runs, as far as it is known: functions and classes of the root, and the callbacks that are called on the way. */
export function callsOf(from: Sited<Unit>, values: Values): readonly Call[] {
  const calls: Call[] = [];
  const add = (to: Sited<Unit> | undefined, node?: Call['node'], asCallback = false) => to && calls.push({ from, to, node, asCallback });
  if (isClass(from.node)) for (const part of partsOf({ node: from.node, module: from.module }, values)) add(part);
  for (const root of bodiesOf(from.node)) {
    walk(root, (node) => {
      if (node.type === 'CallExpression') {
        add(calledBy(node, from.module, values), node);
        for (const callback of callbacksRunBy(node, from.module, values)) add(callback, node, true);
      }
      if (node.type === 'NewExpression') {
        add(classMadeBy(node, from.module, values), node);
        if (runsItsCallbacks(node, from.module, values))
          for (const argument of node.arguments) add(functionAt(argument, from.module, values), node, true);
      }
      return !isFunction(node) && !isClass(node);
    });
  }
  return calls;
}

/** The constructor and the base class: what `new` runs besides the field initialisers. */
function partsOf({ node, module }: Sited<Extract<Unit, { type: `Class${string}` }>>, values: Values): readonly Sited<Unit>[] {
  const parts: Sited<Unit>[] = [];
  const base = node.superClass ? values.valueOf(node.superClass, module) : undefined;
  if (base?.kind === 'class') parts.push(base.at);
  for (const member of node.body.body) {
    if (member.type === 'MethodDefinition' && member.kind === 'constructor' && isFunction(member.value)) {
      parts.push({ node: member.value, module });
    }
  }
  return parts;
}

/** The nodes that a unit evaluates. */
function bodiesOf(unit: Unit): readonly Node[] {
  if (isFunction(unit)) return [unit.body];
  return unit.body.body.flatMap((member) => (member.type === 'PropertyDefinition' && !member.static && member.value ? [member.value] : []));
}

function calledBy(call: TSESTree.CallExpression, module: Module, values: Values): Sited<Unit> | undefined {
  return isFunction(call.callee) ? { node: call.callee, module } : values.calledFunction(call, module);
}

function classMadeBy(call: TSESTree.NewExpression, module: Module, values: Values): Sited<Unit> | undefined {
  const callee = values.valueOf(call.callee, module);
  return callee?.kind === 'class' ? callee.at : undefined;
}

/** The functions among a call's arguments that run because of it. */
function callbacksRunBy(call: TSESTree.CallExpression, module: Module, values: Values): readonly Sited<FunctionNode>[] {
  if (call.arguments.length === 0) return [];
  const runsAll = runsItsCallbacks(call, module, values);
  const called = runsAll ? undefined : values.calledFunction(call, module);
  if (!runsAll && !called) return [];
  const run = called && calledParameters(called, values);
  return call.arguments.flatMap((argument, index) => (run && !run.has(index) ? [] : (functionAt(argument, module, values) ?? [])));
}

function functionAt(argument: Node, module: Module, values: Values): Sited<FunctionNode> | undefined {
  const value = values.valueOf(argument, module);
  return value?.kind === 'function' ? value.at : undefined;
}

const calledParametersOf = new WeakMap<Values, Map<FunctionNode, ReadonlySet<number>>>();

/** Which parameters a function calls, itself or in a function that it makes — but not those whose result it remembers. */
export function calledParameters({ node: fn, module }: Sited<FunctionNode>, values: Values): ReadonlySet<number> {
  const byFunction = calledParametersOf.get(values) ?? new Map<FunctionNode, ReadonlySet<number>>();
  calledParametersOf.set(values, byFunction);
  const known = byFunction.get(fn);
  if (known) return known;
  const called = new Set<number>();
  byFunction.set(fn, called);
  fn.params.forEach((parameter, index) => {
    const variable = parameter.type === 'Identifier' ? module.variableOf(parameter) : undefined;
    if (variable?.references.some(({ identifier }) => isCalledAnew(identifier, module, values))) called.add(index);
  });
  return called;
}

function isCalledAnew(identifier: Node, module: Module, values: Values): boolean {
  const { parent } = identifier;
  const callee = parent?.type === 'MemberExpression' && /^(call|apply)$/.test(propertyName(parent) ?? '') ? parent : identifier;
  const call = callee.parent;
  if (call?.type !== 'CallExpression') return false;
  const runs = call.callee === callee || (call.callee !== identifier && runsItsCallbacks(call, module, values));
  return runs && !runsOnce(call, module, values) && !fateOf(call, module, values).kept;
}

/** Where the functions of some modules are called, or handed to a call by name. */
export function usesIn(modules: readonly Module[], values: Values): ReadonlyMap<FunctionNode, readonly Use[]> {
  const uses = new Map<FunctionNode, Use[]>();
  const add = (fn: FunctionNode, use: Use) => {
    const known = uses.get(fn);
    if (known) known.push(use);
    else uses.set(fn, [use]);
  };
  for (const module of modules) {
    for (const call of module.nodes('CallExpression')) {
      const called = values.calledFunction(call, module);
      if (called) add(called.node, { call, module, position: undefined });
      call.arguments.forEach((argument, position) => {
        const given = isFunction(argument) ? undefined : functionAt(argument, module, values);
        if (given) add(given.node, { call, module, position });
      });
    }
  }
  return uses;
}
