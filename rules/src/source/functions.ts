import { childrenOf } from '@poolcheck/parsers/javascript/parse';
import { bare, isFunction } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from './module.ts';

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

/** The variable of a parameter that is a plain name. */
export function parameterVariable({ params }: FunctionNode, index: number, module: Module): Variable | undefined {
  const parameter = params[index];
  return parameter?.type === 'Identifier' ? module.variableOf(parameter) : undefined;
}

/** Which parameter an expression reads; -1: none. */
export function parameterRead({ params }: FunctionNode, use: Node | undefined, module: Module): number {
  const name = use && bare(use);
  const variable = name?.type === 'Identifier' ? module.variableOf(name) : undefined;
  return variable ? params.findIndex((parameter) => parameter.type === 'Identifier' && module.variableOf(parameter) === variable) : -1;
}

/** The callback that a call is given: a function literal as its last argument. */
export function callbackOf(call: TSESTree.CallExpression): FunctionNode | undefined {
  const last = call.arguments.at(-1);
  return isFunction(last) ? last : undefined;
}

/** Whether an expression is what a function was given: whoever gave it answers for what it does. */
export function isParameter(node: Node, module: Module): boolean {
  return node.type === 'Identifier' && module.variableOf(node)?.defs[0]?.type === 'Parameter';
}
