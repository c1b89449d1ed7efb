import { walk } from '@poolcheck/parsers/javascript/parse';
import { propertyName } from '../module.ts';
import type { Module, Node } from '../module.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';

/** Whether a node, or a function of the root that it calls, ends the process. */
export function endsProcess({ node, module }: Sited, values: Values, depth = 0): boolean {
  let found = false;
  walk(node, (inner) => {
    if (inner.type === 'CallExpression') {
      const called = depth < 3 ? values.calledFunction(inner, module) : undefined;
      found ||=
        isOfProcess(inner.callee, /^(exit|abort|kill)$/, module) || (called !== undefined && endsProcess(called, values, depth + 1));
    }
    return !found;
  });
  return found;
}

/** `process.exit`, `process.on`, if the method's name fits. */
export function isOfProcess(callee: Node, methods: RegExp, module: Module): boolean {
  return callee.type === 'MemberExpression' && methods.test(propertyName(callee) ?? '') && isProcess(callee.object, module);
}

/** The global `process`. */
export function isProcess(node: Node, module: Module): boolean {
  return node.type === 'Identifier' && node.name === 'process' && !module.variableOf(node)?.defs.length;
}
