import { injectsDefault } from '../../knowledge/injection.ts';
import { bare, propertyName } from '../module.ts';
import type { Module, Node, TSESTree } from '../module.ts';
import type { ClassNode, Sited } from '../value.ts';
import type { Values } from '../values.ts';

/** A pool, told apart by where it is made or, for one that came from outside, by what holds it: a variable, a field, a class of its own. */
export type PoolKey = Node | string;

/** What tells the pool that an expression stands for from others; undefined when nothing does. */
export function poolKeyOf(node: Node, module: Module, values: Values): PoolKey | undefined {
  const at = values.follow(node, module);
  const handle = values.handleOf(at.node, at.module);
  if (handle?.origin && handle.resource.role === 'pool') return handle.origin.node;
  const value = values.valueOf(at.node, at.module);
  // Models that share a class of the root share the pool that it is given.
  if (value?.kind === 'class') return classKey(values.inherited(value.at)?.first);
  // One that a container makes and hands out is the same everywhere.
  if (handle && value?.kind === 'instance') return classKey(value.at);
  if (handle && isInjectedDefault(at.node, at.module, values)) return `default ${handle.driver.name}`;
  return handle?.resource.role === 'pool' ? holderKey(at.node, at.module, values) : undefined;
}

function classKey(at: Sited<ClassNode> | undefined): string | undefined {
  return at && `class ${at.module.path} ${at.node.range[0]}`;
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

/** `this.users` of `constructor(@InjectRepository(User) private users: Repository<User>)`: a container gives it, of its default data source. */
function isInjectedDefault(node: Node, module: Module, values: Values): boolean {
  const inner = bare(node);
  const owner = inner.type === 'MemberExpression' ? values.valueOf(inner.object, module) : undefined;
  const name = inner.type === 'MemberExpression' ? propertyName(inner) : undefined;
  if (owner?.kind !== 'instance' || name === undefined || owner.at.node.decorators.length === 0) return false;
  const parameter = injectedParameter(owner.at.node, name);
  if (!parameter) return false;
  const given = parameter.decorators.flatMap(({ expression }) => injects(expression, owner.at.module, values) ?? []);
  // A repository is asked for by its entity, a data source or entity manager by its type alone.
  if (given.length > 0) return given.every(Boolean);
  return parameter.decorators.length === 0 && values.handleOf(node, module)?.name !== 'repository';
}

function injectedParameter({ body }: ClassNode, name: string): TSESTree.TSParameterProperty | undefined {
  for (const member of body.body) {
    if (member.type !== 'MethodDefinition' || member.kind !== 'constructor') continue;
    for (const parameter of member.value.params) {
      const isWanted =
        parameter.type === 'TSParameterProperty' && parameter.parameter.type === 'Identifier' && parameter.parameter.name === name;
      if (isWanted) return parameter;
    }
  }
  return undefined;
}

function injects(decorator: Node, module: Module, values: Values): boolean | undefined {
  const from = decorator.type === 'CallExpression' ? values.exportOf(decorator.callee, module) : undefined;
  return from && decorator.type === 'CallExpression' ? injectsDefault(from.package, from.path, decorator.arguments.length) : undefined;
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
