import { endsProcess, throwingConstructors, throwingGlobals, validatingMethods, validators } from '../../knowledge/throws.ts';
import { successorsOf, type Step } from '../steps.ts';
import { controlFlow } from '../cfg.ts';
import { ownReturns } from '../functions.ts';
import { bare, isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import { isGlobal, resolvingTimer } from '../promises.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { constantsPassed, dependsOnOutside, noConstants, type Constants } from './invariants.ts';
import { sourcesOf } from './sources.ts';

/** Decides which nodes can leave the straight line: see knowledge/throws.ts. */
export class Raises {
  readonly #values: Values;
  readonly #functions = new Map<FunctionNode, Map<string, boolean>>();

  constructor(values: Values) {
    this.#values = values;
  }

  /** Whether evaluating this node, its operands aside, can throw or reject. */
  canRaise(node: Node, module: Module, constants = noConstants): boolean {
    switch (node.type) {
      case 'AwaitExpression':
        return this.#canReject(node.argument, module);
      case 'YieldExpression':
      case 'ForOfStatement':
        return true;
      case 'NewExpression':
        return node.callee.type === 'Identifier' && throwingConstructors.has(node.callee.name) && !module.variableOf(node.callee);
      case 'CallExpression':
        return (
          throwingGlobals.has(globalName(node.callee, module) ?? '') ||
          this.#validates(node, module) ||
          this.#callRaises(node, module, constants)
        );
      default:
        return false;
    }
  }

  /** Whether a promise that settles can reject: all can, but those of functions here that catch everything. */
  canSettleBadly(node: Node, module: Module): boolean {
    return this.#canReject(node, module);
  }

  endsProcess(node: Node, module: Module): boolean {
    return node.type === 'CallExpression' && endsProcess.has(globalName(node.callee, module) ?? '');
  }

  #canReject(node: Node, module: Module): boolean {
    if (isTimer(node, module)) return false;
    if (node.type !== 'CallExpression') return true;
    const method = this.#values.methodOf(node, module)?.method;
    if (method?.does === 'transaction' && method.cannotFail) return false;
    const exported = this.#values.exportOf(node.callee, module);
    if (exported && /^(node:)?timers\/promises$/.test(exported.package)) return node.arguments.length > 2;
    const fn = this.#values.calledFunction(node, module);
    if (fn?.node.async) return this.#functionRaises(fn, noConstants);
    return !fn || !isSleep(fn);
  }

  #callRaises(node: TSESTree.CallExpression, module: Module, constants: Constants): boolean {
    const fn = this.#values.calledFunction(node, module);
    if (!fn || fn.node.async || fn.node.generator) return false;
    return this.#functionRaises(fn, constantsPassed(node, { module, constants }, fn, this.#values));
  }

  /** Whether some path through a function ends in a throw. A recursive call is taken not to add one. */
  #functionRaises({ node, module }: Sited<FunctionNode>, constants: Constants): boolean {
    const answers = this.#functions.get(node) ?? new Map<string, boolean>();
    this.#functions.set(node, answers);
    const key = node.params
      .map((parameter) => (parameter.type === 'Identifier' && isIn(constants, parameter, module) ? 'c' : '-'))
      .join('');
    const known = answers.get(key);
    if (known !== undefined) return known;
    answers.set(key, false);
    const entry = controlFlow(node);
    const raises =
      entry === undefined || this.#reachesRaise(entry, module, constants) || (node.async && this.#returnsRejecting(node, module));
    answers.set(key, raises);
    return raises;
  }

  /** Whether an async function returns a promise that can reject, without waiting for it. */
  #returnsRejecting(fn: FunctionNode, module: Module): boolean {
    const returned = ownReturns(fn).flatMap((each) => (bare(each).type === 'AwaitExpression' ? [] : sourcesOf(each)));
    return returned.some((each) => this.#isPromise(each, module) && this.#canReject(each, module));
  }

  /** Whether a call is known to give a promise. */
  #isPromise(node: Node, module: Module, depth = 0): boolean {
    if (node.type !== 'CallExpression' || depth > 8) return false;
    if (/^(query|borrow|acquire|scoped|transaction)$/.test(this.#values.methodOf(node, module)?.method.does ?? '')) return true;
    const fn = this.#values.calledFunction(node, module);
    if (!fn) return isGlobal(node.callee, /^fetch$/, module);
    return fn.node.async || ownReturns(fn.node).some((returned) => this.#isPromise(bare(returned), fn.module, depth + 1));
  }

  #reachesRaise(entry: Step, module: Module, constants: Constants): boolean {
    const seen = new Set([entry]);
    for (const step of seen) {
      if (step.kind === 'raised') return true;
      for (const next of this.#successors(step, module, constants)) seen.add(next);
    }
    return false;
  }

  #successors(step: Step, module: Module, constants: Constants): readonly Step[] {
    if (step.kind === 'evaluate' && this.endsProcess(step.node, module)) return [];
    return successorsOf(step, ({ kind, node }) => {
      if (kind === 'throw') return node.type !== 'ThrowStatement' || dependsOnOutside(node, module, constants);
      return kind === 'settle' ? this.canSettleBadly(node, module) : this.canRaise(node, module, constants);
    });
  }

  #validates(node: TSESTree.CallExpression, module: Module): boolean {
    if (node.callee.type !== 'MemberExpression' || !validatingMethods.has(propertyName(node.callee) ?? '')) return false;
    const root = rootOf(this.#values.follow(node.callee.object, module));
    const from = this.#values.exportOf(root.node, root.module);
    return from !== undefined && validators.has(from.package);
  }
}

/** A promise that a timer alone settles. */
function isTimer(node: Node, module: Module): boolean {
  const [executor] = node.type === 'NewExpression' ? node.arguments : [];
  return isFunction(executor) && executor.params.length === 1 && resolvingTimer(node, module) !== undefined;
}

/** A function that returns a timer. */
function isSleep({ node, module }: Sited<FunctionNode>): boolean {
  const returns = ownReturns(node);
  return returns.length > 0 && returns.every((returned) => isTimer(returned, module));
}

function isIn(constants: Constants, parameter: TSESTree.Identifier, module: Module): boolean {
  const variable = module.variableOf(parameter);
  return variable !== undefined && constants.has(variable);
}

/** `z` of `z.object({…}).strict()`. */
function rootOf({ node, module }: Sited): Sited {
  if (node.type === 'CallExpression') return rootOf({ node: node.callee, module });
  return node.type === 'MemberExpression' ? rootOf({ node: node.object, module }) : { node, module };
}

/** `JSON.parse` for a callee that names a global. */
function globalName(callee: Node, module: Module): string | undefined {
  if (callee.type === 'Identifier') return module.variableOf(callee) ? undefined : callee.name;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || module.variableOf(callee.object)) return undefined;
  return `${callee.object.name}.${propertyName(callee) ?? ''}`;
}
