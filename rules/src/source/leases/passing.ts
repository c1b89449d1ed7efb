import { bare, enclosingFunction, keyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { Start } from './exploration.ts';

/** How a call is given a lease: as the argument at `index`, or under a key of an object that is written there. */
export interface Passing {
  readonly call: TSESTree.CallExpression | TSESTree.NewExpression;
  readonly module: Module;
  readonly index: number;
  readonly key: string | undefined;
}

/** Where a call passes what is the lease on. */
export function passingOf(call: Passing['call'], module: Module, isLease: (node: Node) => boolean): Passing | undefined {
  const itself = call.arguments.findIndex(isLease);
  if (itself !== -1) return { call, module, index: itself, key: undefined };
  for (const [index, argument] of call.arguments.entries()) {
    if (argument.type !== 'ObjectExpression') continue;
    const property = argument.properties.find((each) => each.type === 'Property' && isLease(each.value));
    const key = property?.type === 'Property' ? keyName(property) : undefined;
    if (key !== undefined) return { call, module, index, key };
  }
  return undefined;
}

/** What a function has the lease in that it is passed; undefined when that cannot be told. */
export function receivedAs(fn: FunctionNode, { index, key }: Passing, module: Module): Pick<Start, 'holder' | 'member'> | undefined {
  const parameter = fn.params[index];
  const target = parameter?.type === 'AssignmentPattern' ? parameter.left : parameter;
  if (target?.type === 'ObjectPattern' && key !== undefined) {
    const holder = boundTo(target, key, module);
    return holder && { holder };
  }
  const variable = target?.type === 'Identifier' ? module.variableOf(target) : undefined;
  if (!variable || key === undefined) return variable && { holder: variable };
  return isOnlyRead(variable, fn) ? { holder: undefined, member: { of: variable, name: key } } : undefined;
}

/** The variable that an object pattern binds a key to. */
export function boundTo(pattern: TSESTree.ObjectPattern, key: string, module: Module): Variable | undefined {
  const property = pattern.properties.find((each) => each.type === 'Property' && keyName(each) === key);
  const value = property?.type === 'Property' ? property.value : undefined;
  const name = value?.type === 'AssignmentPattern' ? value.left : value;
  return name?.type === 'Identifier' ? module.variableOf(name) : undefined;
}

/** Whether a function itself does nothing with an object but read its properties by name. */
function isOnlyRead({ references }: Variable, fn: FunctionNode): boolean {
  return references.every((reference) => {
    const { identifier } = reference;
    const { parent } = identifier;
    if (reference.init) return true;
    if (enclosingFunction(identifier) !== fn) return false;
    if (parent.type === 'MemberExpression') return parent.object === identifier;
    return parent.type === 'VariableDeclarator' && parent.init === identifier && parent.id.type === 'ObjectPattern' && !hasRest(parent.id);
  });
}

function hasRest({ properties }: TSESTree.ObjectPattern): boolean {
  return properties.some(({ type }) => type === 'RestElement');
}

/** What an expression reads out of an object that holds the lease, whole: `options` of `const { client } = options`. */
export function isHolderOf(node: Node, { member }: Pick<Start, 'member'>, module: Module): boolean {
  const inner = bare(node);
  return inner.type === 'Identifier' && member !== undefined && member.of !== 'this' && module.variableOf(inner) === member.of;
}
