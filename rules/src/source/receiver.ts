import { bare } from './module.ts';
import type { Module, Node } from './module.ts';
import type { Values } from './values.ts';

/** Whether what a method is called on may be something else than a pool: `(tx ?? pool).query`, `(client = pool) => client.query`. */
export function isPerhapsOther(callee: Node, module: Module, values: Values): boolean {
  const object = callee.type === 'MemberExpression' ? bare(callee.object) : callee;
  if (isChoice(object, module, values)) return true;
  const definition = object.type === 'Identifier' ? module.variableOf(object)?.defs[0] : undefined;
  if (definition?.type === 'Parameter') return hasDefault(definition.name);
  const declarator = definition?.node;
  return declarator?.type === 'VariableDeclarator' && declarator.init !== null && isChoice(bare(declarator.init), module, values);
}

/** `globalThis.pool ?? new Pool()` keeps the pool that it makes; `given ?? pool` may be anything. */
function isChoice(node: Node, module: Module, values: Values): boolean {
  const isMade = (part: Node) => {
    const inner = bare(part);
    return inner.type === 'AssignmentExpression' || values.resourceOf(inner, module)?.origin?.node === inner;
  };
  if (node.type === 'ConditionalExpression') return !isMade(node.consequent) && !isMade(node.alternate);
  return node.type === 'LogicalExpression' && node.operator !== '&&' && !isMade(node.right) && !isOfGlobal(node.left);
}

/** What is kept in the global object is what was made the last time. */
function isOfGlobal(node: Node): boolean {
  const inner = bare(node);
  if (inner.type === 'Identifier') return /^global/.test(inner.name);
  return inner.type === 'MemberExpression' && isOfGlobal(inner.object);
}

function hasDefault(name: Node): boolean {
  return name.parent?.type === 'AssignmentPattern' && name.parent.left === name;
}
