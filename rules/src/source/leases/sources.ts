import { bare, propertyName } from '../module.ts';
import type { Node, TSESTree } from '../module.ts';

/** The expressions a value may come from, through awaits, casts and choices. */
export function sourcesOf(value: Node): readonly Node[] {
  const node = bare(value);
  switch (node.type) {
    case 'AwaitExpression':
      return sourcesOf(node.argument);
    case 'LogicalExpression':
      return [...sourcesOf(node.left), ...sourcesOf(node.right)];
    case 'ConditionalExpression':
      return [...sourcesOf(node.consequent), ...sourcesOf(node.alternate)];
    case 'AssignmentExpression':
      return sourcesOf(node.right);
    case 'CallExpression':
      return isCatch(node) ? sourcesOf(node.callee.object) : [node];
    default:
      return [node];
  }
}

function isCatch(node: TSESTree.CallExpression): node is TSESTree.CallExpression & { readonly callee: TSESTree.MemberExpression } {
  return node.callee.type === 'MemberExpression' && /^(catch|finally)$/.test(propertyName(node.callee) ?? '');
}
