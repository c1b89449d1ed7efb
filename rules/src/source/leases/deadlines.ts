import { walk } from '@poolcheck/parsers/javascript/parse';
import { putsDeadline } from '../../knowledge/deadlines.ts';
import { ownReturns, parameterVariable } from '../functions.ts';
import { bare, isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import { isGlobal } from '../promises.ts';
import type { Values } from '../values.ts';

/** The part of a wait that a timer can cut short: `work` of `Promise.race([work, timer])` or of `withTimeout(work, 1_000)`. */
export function limitedWork(awaited: Node, module: Module, values: Values): readonly Node[] {
  const call = bare(awaited);
  if (call.type !== 'CallExpression') return [];
  if (isRace(call)) return racedWork(call, module, values);
  const [first] = call.arguments;
  const from = values.exportOf(call.callee, module);
  if (first && from && putsDeadline(from.package, from.path)) return [first];
  const fn = values.calledFunction(call, module);
  return fn ? call.arguments.filter((_argument, index) => cutsShort(fn.node, index, fn.module)) : [];
}

/** What stands in a race with something that rejects after a while. */
function racedWork(race: TSESTree.CallExpression, module: Module, values: Values): readonly Node[] {
  const [list] = race.arguments;
  const runners = list?.type === 'ArrayExpression' ? list.elements.filter((element) => element !== null) : [];
  const work = runners.filter((runner) => !isTimer(runner, module, values));
  return work.length < runners.length ? work : [];
}

function isRace({ callee }: TSESTree.CallExpression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    propertyName(callee) === 'race'
  );
}

/** `new Promise((_, reject) => setTimeout(reject, 1_000))`, also behind a function or a constant. */
function isTimer(node: Node, module: Module, values: Values, depth = 0): boolean {
  const at = values.follow(node, module);
  if (at.node.type === 'NewExpression') {
    const [executor] = at.node.arguments;
    const reject = isFunction(executor) ? parameterVariable(executor, 1, at.module) : undefined;
    return executor !== undefined && reject !== undefined && reject.references.length > 0 && startsTimer(executor, at.module);
  }
  const fn = at.node.type === 'CallExpression' ? values.calledFunction(at.node, at.module) : undefined;
  return fn !== undefined && depth < 4 && ownReturns(fn.node).some((returned) => isTimer(returned, fn.module, values, depth + 1));
}

/** Whether a function puts a timer against the promise that it is given. */
function cutsShort(fn: FunctionNode, index: number, module: Module): boolean {
  const promise = parameterVariable(fn, index, module);
  const isWaitedFor = promise?.references.some(({ identifier }) => isRacing(identifier) || isChained(identifier)) === true;
  return isWaitedFor && startsTimer(fn, module) && !abortsIt(fn);
}

function isRacing({ parent }: Node): boolean {
  return parent?.type === 'ArrayExpression' && parent.parent.type === 'CallExpression' && isRace(parent.parent);
}

/** `promise.then(resolve, reject)` */
function isChained({ parent }: Node): boolean {
  return parent?.type === 'MemberExpression' && propertyName(parent) === 'then' && parent.parent.type === 'CallExpression';
}

function startsTimer(root: Node, module: Module): boolean {
  return has(root, (node) => node.type === 'CallExpression' && isGlobal(node.callee, /^setTimeout$/, module));
}

/** One that destroys or cancels what it has stopped waiting for leaves nothing busy. */
function abortsIt(fn: FunctionNode): boolean {
  return mentions(fn, /^(destroy|release|cancel|abort|end)$/);
}

function mentions(root: Node, name: RegExp): boolean {
  return has(root, (node) => node.type === 'Identifier' && name.test(node.name));
}

function has(root: Node, isWanted: (node: Node) => boolean): boolean {
  let found = false;
  walk(root, (node) => {
    found ||= isWanted(node);
    return !found;
  });
  return found;
}
