import { enclosingFunction, isFunction, propertyName } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from './module.ts';
import type { ClassNode } from './value.ts';
import type { Values } from './values.ts';

/** What runs as a whole: a function, or the making of an instance (field initialisers, then the constructor). */
export type Unit = FunctionNode | ClassNode;

export function isClass(node: Node | null | undefined): node is ClassNode {
  return node?.type === 'ClassDeclaration' || node?.type === 'ClassExpression';
}

/** The unit that evaluates a node; undefined when it is evaluated once, as its module is loaded. */
export function unitOf(node: Node): Unit | undefined {
  let inner: Node = node;
  for (let at = node.parent; at; inner = at, at = at.parent) {
    if (isFunction(at)) return at;
    if (at.type === 'StaticBlock' || (at.type === 'PropertyDefinition' && at.static && at.value === inner)) return unitOf(at.parent.parent);
    if (at.type === 'PropertyDefinition' && at.value === inner) return at.parent.parent;
  }
  return undefined;
}

/** Methods of the language and of event emitters that call their callback themselves, each time that they are called. */
const callers: ReadonlySet<string> = new Set(
  (
    'map forEach filter reduce reduceRight flatMap some every find findLast findIndex sort from ' +
    'then catch finally on once addListener prependListener addEventListener'
  ).split(' '),
);

const globalCallers: ReadonlySet<string> = new Set(['setTimeout', 'setImmediate', 'queueMicrotask', 'Promise']);

/** Whether a call runs the functions that it is given as part of the unit that it stands in. */
export function runsItsCallbacks(call: TSESTree.CallExpression | TSESTree.NewExpression, module: Module, values: Values): boolean {
  const { callee } = call;
  if (callee.type === 'Identifier') return globalCallers.has(callee.name) && !module.variableOf(callee)?.defs.length;
  if (callee.type !== 'MemberExpression') return false;
  return callers.has(propertyName(callee) ?? '') || values.resourceOf(callee.object, module) !== undefined;
}

/** The function itself and those around it in whose run it runs too. */
export function runsWithin(fn: FunctionNode, module: Module, values: Values): readonly FunctionNode[] {
  const { parent } = fn;
  const isCall = parent.type === 'CallExpression' || parent.type === 'NewExpression';
  const inPlace = isCall && (parent.callee === fn || runsItsCallbacks(parent, module, values));
  const around = inPlace ? unitOf(parent) : undefined;
  return isFunction(around) ? [fn, ...runsWithin(around, module, values)] : [fn];
}

/** Whether a function is the constructor of a class. */
export function isConstructor(fn: Node | undefined): boolean {
  return fn?.parent?.type === 'MethodDefinition' && fn.parent.kind === 'constructor';
}

/** Whether a variable lives on after the run of a function and of those it runs within. */
export function outlives(variable: Variable, hosts: readonly FunctionNode[]): boolean {
  const [declared] = variable.identifiers;
  const home = declared && homeOf(declared);
  return !home || !hosts.includes(home);
}

/** The function whose run a declared name belongs to: a function's own name belongs to the function around it. */
function homeOf(declared: Node): FunctionNode | undefined {
  const fn = enclosingFunction(declared);
  return fn && fn.type === 'FunctionDeclaration' && fn.id === declared ? enclosingFunction(fn) : fn;
}
