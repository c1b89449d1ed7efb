import { propertyName } from '../module.ts';
import type { Module, Node } from '../module.ts';
import type { PoolSite } from '../pools.ts';
import { isClass } from '../units.ts';
import type { ResourceValue, Sited } from '../values.ts';

/** Whether a value is the pool itself, or another that the same variable or field may hold, and not a lease taken from it. */
export function isSamePool(value: ResourceValue | undefined, site: PoolSite): boolean {
  if (value?.resource.role !== site.role || !value.origin) return false;
  return value.origin.node === site.node || keeperOf(value.origin) === keeperOf(site);
}

/** The variable or field that a new value is put into; the value itself when there is none. */
function keeperOf({ node, module }: Sited): unknown {
  const { parent } = node;
  switch (parent?.type) {
    case 'AwaitExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return keeperOf({ node: parent, module });
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? module.variableOf(parent.id) : node;
    case 'AssignmentExpression':
      return targetOf(parent.left, module) ?? node;
    default:
      return node;
  }
}

function targetOf(left: Node, module: Module): unknown {
  if (left.type === 'Identifier') return module.variableOf(left);
  const isField = left.type === 'MemberExpression' && left.object.type === 'ThisExpression';
  return isField ? `${module.path} ${enclosingClass(left)?.range[0]} ${propertyName(left)}` : undefined;
}

function enclosingClass(node: Node): Node | undefined {
  return !node.parent || isClass(node.parent) ? node.parent : enclosingClass(node.parent);
}
