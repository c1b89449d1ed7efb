import { childrenOf } from '@poolcheck/parsers/javascript/parse';
import { bare, isFunction } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { Values } from '../values.ts';

/** The parameters that a call of a function passes constants for. */
export type Constants = ReadonlySet<Variable>;

export const noConstants: Constants = new Set();

/** The parameters of a function that a call passes constants for, as seen where the call stands. */
export function constantsPassed(
  call: TSESTree.CallExpression,
  at: { readonly module: Module; readonly constants: Constants },
  fn: { readonly node: FunctionNode; readonly module: Module },
  values: Values,
): Constants {
  const passed = fn.node.params.flatMap((parameter, index) => {
    const argument = call.arguments[index];
    const variable = parameter.type === 'Identifier' ? fn.module.variableOf(parameter) : undefined;
    return variable && (!argument || isConstant(argument, at.module, at.constants, values)) ? [variable] : [];
  });
  return passed.length > 0 ? new Set(passed) : noConstants;
}

function isConstant(node: Node, module: Module, constants: Constants, values: Values): boolean {
  const variable = node.type === 'Identifier' ? module.variableOf(node) : undefined;
  if (variable && constants.has(variable)) return true;
  const { node: source } = values.follow(node, module);
  switch (source.type) {
    case 'Literal':
    case 'ObjectExpression':
    case 'ArrayExpression':
      return true;
    case 'TemplateLiteral':
      return source.expressions.length === 0;
    default:
      return isFunction(source);
  }
}

/**
 * Whether a `throw` depends on what comes from outside its function: on a parameter that is no constant, or on what a call answers. One
 * under a condition on other state guards an invariant, which holds in production.
 */
export function dependsOnOutside(thrown: TSESTree.ThrowStatement, module: Module, constants: Constants): boolean {
  const tests = testsAround(thrown);
  return tests === 'caught' || tests.length === 0 || tests.some((test) => isOutside(test, module, constants));
}

/** The conditions that a statement stands under in its function; `caught` in a handler, which runs only when something failed. */
function testsAround(statement: Node): readonly Node[] | 'caught' {
  const tests: Node[] = [];
  for (let at = statement; at.parent && !isFunction(at.parent); at = at.parent) {
    const { parent } = at;
    if (parent.type === 'CatchClause') return 'caught';
    if (parent.type === 'IfStatement' && parent.test !== at) tests.push(parent.test);
    if (parent.type === 'SwitchStatement') tests.push(parent.discriminant);
  }
  return tests;
}

function isOutside(test: Node, module: Module, constants: Constants, depth = 0): boolean {
  const node = bare(test);
  if (depth > 8) return true;
  if (node.type === 'AwaitExpression' || (node.type === 'CallExpression' && node.arguments.length === 0)) return true;
  if (node.type === 'Identifier') {
    const variable = module.variableOf(node);
    return variable !== undefined && comesFromOutside(variable, module, constants, depth);
  }
  if (node.type === 'MemberExpression' && !node.computed) return isOutside(node.object, module, constants, depth + 1);
  return childrenOf(node).some((child) => isOutside(child, module, constants, depth + 1));
}

function comesFromOutside(variable: Variable, module: Module, constants: Constants, depth: number): boolean {
  const [definition] = variable.defs;
  if (definition?.type === 'Parameter') return !constants.has(variable);
  if (definition?.type !== 'Variable' || variable.scope.type === 'module' || variable.scope.type === 'global') return false;
  const { init } = definition.node;
  return !init || isOutside(init, module, constants, depth + 1);
}
