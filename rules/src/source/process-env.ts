import { bare, propertyName } from './module.ts';
import type { Module, Node } from './module.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

/** A property that is read from an object, or taken out of it: `object.name`, `const { name } = object`. */
export interface MemberRead {
  readonly object: Node;
  readonly name: string;
}

export function memberReadBy({ node, module }: Sited): MemberRead | undefined {
  if (node.type === 'MemberExpression') {
    const name = propertyName(node);
    return name === undefined ? undefined : { object: node.object, name };
  }
  if (node.type !== 'Identifier') return undefined;
  const definition = module.variableOf(node)?.defs[0]?.node;
  if (definition?.type !== 'VariableDeclarator' || definition.id.type !== 'ObjectPattern' || !definition.init) return undefined;
  const property = definition.id.properties.find(
    (candidate) => candidate.type === 'Property' && candidate.value.type === 'Identifier' && candidate.value.name === node.name,
  );
  const name = property?.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : undefined;
  return name === undefined ? undefined : { object: definition.init, name };
}

/** `process.env`, or `env` of node:process. */
export function isProcessEnv(node: Node, module: Module, values: Values): boolean {
  const at = values.follow(node, module);
  if (at.node.type === 'MemberExpression' && propertyName(at.node) === 'env') {
    const object = bare(at.node.object);
    if (object.type === 'Identifier' && object.name === 'process' && !at.module.variableOf(object)) return true;
  }
  const exported = values.exportOf(at.node, at.module);
  return exported !== undefined && /^(node:)?process$/.test(exported.package) && exported.path === 'env';
}
