import { enclosingFunction, isFunction, propertyName } from '../module.ts';
import type { Module, Node, Variable } from '../module.ts';
import type { PoolSite } from '../pools.ts';
import { isClass, unitOf } from '../units.ts';
import type { ResourceValue, Sited } from '../value.ts';

/** Whether a value is the pool itself, or another that the same variable or field may hold, and not a lease taken from it. */
export function isSamePool(value: ResourceValue | undefined, site: PoolSite): boolean {
  if (value?.resource.role !== site.role || !value.origin) return false;
  return value.origin.node === site.node || keeperOf(value.origin) === keeperOf(site);
}

/** What a new value is put into: a variable, or a field as its path; the value itself when there is none. */
type Keeper = Variable | string | Node;

export function keeperOf({ node, module }: Sited): Keeper {
  const { parent } = node;
  switch (parent?.type) {
    case 'AwaitExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return keeperOf({ node: parent, module });
    case 'VariableDeclarator':
      return targetOf(parent.id, module) ?? node;
    case 'AssignmentExpression':
      return targetOf(parent.left, module) ?? node;
    default:
      return node;
  }
}

/** The variable or field of the class that an assignment writes. */
export function targetOf(left: Node, module: Module): Variable | string | undefined {
  if (left.type === 'Identifier') return module.variableOf(left);
  const isField = left.type === 'MemberExpression' && left.object.type === 'ThisExpression';
  return isField ? `${module.path} ${enclosingClass(left)?.range[0]} ${propertyName(left)}` : undefined;
}

/** Whether a pool is put into a variable of its module or a field of a class, or made as one of these. */
export function isKept(site: PoolSite): boolean {
  const keeper = keeperOf(site);
  if (typeof keeper === 'string' || !isFunction(unitOf(site.node))) return true;
  return 'identifiers' in keeper && keeper.identifiers.every((declared) => !enclosingFunction(declared));
}

/** Whether only a variable of the function that makes a pool has it, as far as its making says. */
export function isLocal(site: PoolSite): boolean {
  const keeper = keeperOf(site);
  return typeof keeper !== 'string' && 'identifiers' in keeper && keeper.identifiers.some((declared) => enclosingFunction(declared));
}

function enclosingClass(node: Node): Node | undefined {
  return !node.parent || isClass(node.parent) ? node.parent : enclosingClass(node.parent);
}
