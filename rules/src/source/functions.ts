import { childrenOf } from '@poolcheck/parsers/javascript/parse';
import { isFunction } from './module.ts';
import type { FunctionNode, Node, TSESTree } from './module.ts';

/** Visits a subtree without entering nested classes; functions are entered. */
export function visitOwn(root: Node, visit: (node: Node) => void): void {
  for (const child of childrenOf(root)) {
    visit(child);
    if (child.type !== 'ClassDeclaration' && child.type !== 'ClassExpression') visitOwn(child, visit);
  }
}

/** Visits what a function itself executes: nested functions and classes are left out. */
export function visitBody(root: Node, visit: (node: Node) => void): void {
  for (const child of childrenOf(root)) {
    visit(child);
    if (!isFunction(child) && child.type !== 'ClassDeclaration' && child.type !== 'ClassExpression') visitBody(child, visit);
  }
}

const returnsOf = new WeakMap<FunctionNode, readonly Node[]>();

/** The expressions that a function returns. */
export function ownReturns(fn: FunctionNode): readonly Node[] {
  const known = returnsOf.get(fn);
  if (known) return known;
  const returns: Node[] = [];
  if (fn.body.type !== 'BlockStatement') returns.push(fn.body);
  else {
    visitBody(fn.body, (node) => {
      if (node.type === 'ReturnStatement' && node.argument) returns.push(node.argument);
    });
  }
  returnsOf.set(fn, returns);
  return returns;
}

/** The callback that a call is given: a function literal as its last argument. */
export function callbackOf(call: TSESTree.CallExpression): FunctionNode | undefined {
  const last = call.arguments.at(-1);
  return isFunction(last) ? last : undefined;
}
