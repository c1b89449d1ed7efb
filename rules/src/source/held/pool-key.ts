import { bare, propertyName } from '../module.ts';
import type { Module, Node } from '../module.ts';
import type { Values } from '../values.ts';

/** A pool, told apart by where it is made or, for one that came from outside, by what holds it: a variable, a field, a class of its own. */
export type PoolKey = Node | string;

/** What tells the pool that an expression stands for from others; undefined when nothing does. */
export function poolKeyOf(node: Node, module: Module, values: Values): PoolKey | undefined {
  const at = values.follow(node, module);
  const handle = values.handleOf(at.node, at.module);
  if (handle?.resource.role !== 'pool') return undefined;
  if (handle.origin) return handle.origin.node;
  const value = values.valueOf(at.node, at.module);
  // One that a container makes and hands out is the same everywhere.
  if (value?.kind === 'instance') return `class ${value.at.module.path} ${value.at.node.range[0]}`;
  return holderKey(at.node, at.module, values);
}

function holderKey(node: Node, module: Module, values: Values): string | undefined {
  const inner = bare(node);
  if (inner.type === 'Identifier') {
    const [declared] = module.variableOf(inner)?.identifiers ?? [];
    return declared && `variable ${module.path} ${declared.range[0]}`;
  }
  const name = inner.type === 'MemberExpression' ? propertyName(inner) : undefined;
  if (inner.type !== 'MemberExpression' || name === undefined) return undefined;
  const owner = values.valueOf(inner.object, module);
  if (owner?.kind === 'instance' || owner?.kind === 'class') return `field ${owner.at.module.path} ${owner.at.node.range[0]} ${name}`;
  const holder = holderKey(inner.object, module, values);
  return holder && `${holder} ${name}`;
}

/** The expression of the pool behind one of its parts: `prisma` of `prisma.user`, `source` of `source.getRepository(User)`. */
export function handleBehind(node: Node, module: Module, values: Values): Node {
  const inner = bare(node);
  if (inner.type === 'CallExpression' && inner.callee.type === 'MemberExpression') {
    return values.methodOf(inner, module)?.method.does === 'view' ? handleBehind(inner.callee.object, module, values) : inner;
  }
  if (inner.type !== 'MemberExpression' || !values.handleOf(inner.object, module)) return inner;
  return handleBehind(inner.object, module, values);
}
