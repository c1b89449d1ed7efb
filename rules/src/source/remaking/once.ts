import { visitOwn } from '../functions.ts';
import { enclosingFunction, isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, Variable } from '../module.ts';
import { isConstructor, outlives, runsWithin, unitOf } from '../units.ts';
import type { Values } from '../values.ts';

/** Whether something outside keeps a test from being true at the next run: `if (!pool)`, `if (started) return`, `this.client ?? …`. */
export function runsOnce(node: Node, module: Module, values: Values): boolean {
  const unit = unitOf(node);
  const hosts = isFunction(unit) ? runsWithin(unit, module, values) : [];
  const remembers = (test: Node): boolean => mentionsState(test, module, hosts, values);
  let inner: Node = node;
  for (let at = node.parent; at && at !== unit; inner = at, at = at.parent) {
    if ((at.type === 'IfStatement' || at.type === 'ConditionalExpression') && at.test !== inner && remembers(at.test)) return true;
    if (at.type === 'LogicalExpression' && at.right === inner && remembers(at.left)) return true;
    if (at.type === 'BlockStatement' && leftBefore(at.body, inner).some(remembers)) return true;
  }
  return false;
}

/** The tests of `if (…) return` and the like that stand before a statement. */
function leftBefore(statements: readonly Node[], statement: Node): readonly Node[] {
  const before = statements.slice(
    0,
    statements.findIndex((each) => each === statement),
  );
  return before.flatMap((each) => (each.type === 'IfStatement' && alwaysLeaves(each.consequent) ? [each.test] : []));
}

function alwaysLeaves(node: Node): boolean {
  if (node.type === 'BlockStatement') return node.body.some(alwaysLeaves);
  return node.type === 'ReturnStatement' || node.type === 'ThrowStatement';
}

/** Whether a test reads something that outlives the function and that functions change. */
function mentionsState(test: Node, module: Module, hosts: readonly FunctionNode[], values: Values): boolean {
  let found = false;
  const look = (node: Node): void => {
    if (node.type === 'Identifier') {
      const variable = module.variableOf(node);
      found ||= variable?.defs.length ? outlives(variable, hosts) && changesInFunctions(variable) : /^global(This)?$/.test(node.name);
    }
    if (node.type === 'MemberExpression') {
      const owner = values.valueOf(node.object, module);
      const name = propertyName(node);
      found ||=
        name !== undefined && (owner?.kind === 'instance' || owner?.kind === 'class') && changesLater(owner.at.node, name, owner.kind);
    }
  };
  look(test);
  visitOwn(test, look);
  return found;
}

function changesInFunctions(variable: Variable): boolean {
  return variable.references.some(({ identifier, init }) => !init && isWritten(identifier) && enclosingFunction(identifier));
}

function isWritten(identifier: Node): boolean {
  const { parent } = identifier;
  return (parent?.type === 'AssignmentExpression' && parent.left === identifier) || parent?.type === 'UpdateExpression';
}

/** Whether a field is assigned outside the constructor. */
function changesLater(owner: Node, name: string, kind: 'instance' | 'class'): boolean {
  let found = false;
  visitOwn(owner, (node) => {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression' || propertyName(node.left) !== name) return;
    const { object } = node.left;
    const isOwn = object.type === 'ThisExpression' || kind === 'class';
    found ||= isOwn && !isConstructor(enclosingFunction(node));
  });
  return found;
}
