import { isFunction, propertyName } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree } from './module.ts';

/** `Promise.all(…)` and its like: they wait for what they are given. */
export function isCombinator(node: Node | undefined): node is TSESTree.CallExpression {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object } = node.callee;
  return object.type === 'Identifier' && object.name === 'Promise' && /^(all|allSettled|race|any)$/.test(propertyName(node.callee) ?? '');
}

/** `Promise.race([a(), b()])`: it waits for the first of them only. */
export function isRace(node: Node): boolean {
  return isCombinator(node) && node.callee.type === 'MemberExpression' && /^(race|any)$/.test(propertyName(node.callee) ?? '');
}

/** Whether a name stands for what every module has. */
export function isGlobal(node: Node, name: RegExp, module: Module): boolean {
  return node.type === 'Identifier' && name.test(node.name) && !module.variableOf(node)?.defs.length;
}

const timers = /^set(Timeout|Immediate)$/;

/** The timer that alone resolves a promise: `new Promise((resolve) => setTimeout(resolve, 100))`. */
export function resolvingTimer(node: Node, module: Module): TSESTree.CallExpression | undefined {
  const [executor] = node.type === 'NewExpression' && isGlobal(node.callee, /^Promise$/, module) ? node.arguments : [];
  if (!isFunction(executor)) return undefined;
  const [parameter] = executor.params;
  const resolve = parameter?.type === 'Identifier' ? module.variableOf(parameter) : undefined;
  const [use, ...others] = resolve?.references.map(({ identifier }) => identifier) ?? [];
  return use && others.length === 0 ? timerAround(use, module) : undefined;
}

/** The timer that calls a function, or one that calls it in turn. */
function timerAround(fn: Node, module: Module): TSESTree.CallExpression | undefined {
  const isCallee = fn.parent?.type === 'CallExpression' && fn.parent.callee === fn;
  for (let at: Node | undefined = isCallee ? fn.parent : fn; at; at = at.parent) {
    const { parent } = at;
    if (parent?.type === 'CallExpression')
      return isGlobal(parent.callee, timers, module) && parent.arguments[0] === at ? parent : undefined;
    if (parent?.type === 'NewExpression') return undefined;
  }
  return undefined;
}

export type PromiseChain = TSESTree.CallExpression & { readonly callee: TSESTree.MemberExpression };

/** `x.then(…)`, `.catch(…)` or `.finally(…)` with a function written in place. */
export function isPromiseChain(node: Node): node is PromiseChain {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  return /^(then|catch|finally)$/.test(propertyName(node.callee) ?? '') && node.arguments.some(isFunction);
}

/** Whether a function runs where it is written, as part of a promise chain, and so in its host's graph. */
export function runsInPlace(fn: FunctionNode): boolean {
  const { parent } = fn;
  return isPromiseChain(parent) && parent.arguments.includes(fn as TSESTree.Expression);
}
