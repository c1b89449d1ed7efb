import { isSlowGlobal, isSlowPackage } from '../../knowledge/slow-calls.ts';
import { visitBody } from '../functions.ts';
import type { Origins } from '../handlers/origins.ts';
import type { Module, Node } from '../module.ts';
import type { Values } from '../values.ts';
import type { Exploration } from './exploration.ts';

/** How deep functions of the root are looked into. */
const deepest = 3;

/** Finds what is awaited for longer than the database takes: other services, mail, pauses. */
export class SlowCalls {
  readonly #values: Values;
  readonly #origins: Origins;

  constructor(values: Values, origins: Origins) {
    this.#values = values;
    this.#origins = origins;
  }

  /** The first such await on the way of a lease while it is held. */
  during({ states }: Exploration, module: Module): Node | undefined {
    const awaited = states.flatMap(({ holding, step }) =>
      holding === 'held' && step.kind === 'evaluate' && step.node.type === 'AwaitExpression' ? [step.node.argument] : [],
    );
    return awaited.find((node) => this.#isSlow(node, module));
  }

  #isSlow(node: Node, module: Module, depth = 0): boolean {
    if (node.type === 'NewExpression') return isPause(node);
    if (node.type !== 'CallExpression') return false;
    const { callee } = node;
    if (callee.type === 'Identifier' && isSlowGlobal(callee.name)) return !module.variableOf(callee)?.defs.length;
    const origin = this.#origins.of(callee, module);
    if (origin) return isSlowPackage(origin.package);
    const called = depth < deepest ? this.#values.calledFunction(node, module) : undefined;
    return called !== undefined && this.#awaitsSlow(called.node, called.module, depth + 1);
  }

  #awaitsSlow(fn: Node, module: Module, depth: number): boolean {
    let found = false;
    visitBody(fn, (node) => {
      const awaited = node.type === 'AwaitExpression' || node.type === 'ReturnStatement' ? node.argument : undefined;
      found ||= awaited ? this.#isSlow(awaited, module, depth) : false;
    });
    return found;
  }
}

/** `new Promise((resolve) => setTimeout(resolve, 1_000))` */
function isPause({ callee, arguments: [executor] }: Extract<Node, { type: 'NewExpression' }>): boolean {
  if (callee.type !== 'Identifier' || callee.name !== 'Promise' || !executor) return false;
  let found = false;
  visitBody(executor, (node) => {
    found ||= node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'setTimeout';
  });
  return found;
}
