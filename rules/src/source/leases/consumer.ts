import { isFunction, keyName, propertyName } from '../module.ts';
import type { Module, Node, TSESTree, Variable } from '../module.ts';

/** What becomes of a value where it stands in the source. */
export type Consumer =
  | { readonly kind: 'variable'; readonly variable: Variable }
  /** Some of its properties are taken out by name. */
  | { readonly kind: 'pattern'; readonly pattern: TSESTree.ObjectPattern }
  /** A property is read, perhaps called. */
  | { readonly kind: 'member'; readonly member: TSESTree.MemberExpression }
  /** The first parameter of `.then(f)`; undefined when f takes none. */
  | { readonly kind: 'then'; readonly parameter: Variable | undefined }
  | { readonly kind: 'argument'; readonly call: TSESTree.CallExpression | TSESTree.NewExpression }
  | { readonly kind: 'test' }
  | { readonly kind: 'dropped' }
  /** Returned, thrown, yielded, stored in an object, a field, an outer list: somebody else has it now. */
  | { readonly kind: 'elsewhere' };

/** Follows a value upwards to what uses it. */
export function consumerOf(node: Node, module: Module): Consumer {
  const { parent } = node;
  switch (parent?.type) {
    case 'AwaitExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'ChainExpression':
      return consumerOf(parent, module);
    case 'UnaryExpression':
      return parent.operator === 'void' ? consumerOf(parent, module) : { kind: 'test' };
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return parent.type === 'ConditionalExpression' && parent.test === node ? { kind: 'test' } : consumerOf(parent, module);
    case 'SequenceExpression':
      return parent.expressions.at(-1) === node ? consumerOf(parent, module) : { kind: 'dropped' };
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'BinaryExpression':
    case 'SwitchStatement':
      return { kind: 'test' };
    case 'ForStatement':
      return { kind: parent.test === node ? 'test' : 'dropped' };
    case 'ExpressionStatement':
      return { kind: 'dropped' };
    case 'VariableDeclarator':
      return boundTo(parent.id, module);
    case 'AssignmentExpression':
      return parent.right === node ? boundTo(parent.left, module) : { kind: 'test' };
    case 'MemberExpression':
      return parent.object === node ? ofMember(parent, module) : { kind: 'elsewhere' };
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee === node ? { kind: 'test' } : { kind: 'argument', call: parent };
    case 'TaggedTemplateExpression':
      return { kind: 'test' };
    case 'Property':
    case 'ArrayExpression':
    case 'ObjectExpression':
    case 'SpreadElement':
      return withinLiteral(parent);
    default:
      return { kind: 'elsewhere' };
  }
}

function boundTo(target: Node, module: Module): Consumer {
  if (target.type === 'ObjectPattern') return { kind: 'pattern', pattern: target };
  const variable = target.type === 'Identifier' ? module.variableOf(target) : undefined;
  return variable ? { kind: 'variable', variable } : { kind: 'elsewhere' };
}

function ofMember(member: TSESTree.MemberExpression, module: Module): Consumer {
  const call = member.parent;
  if (call.type !== 'CallExpression' || call.callee !== member) return { kind: 'member', member };
  switch (propertyName(member)) {
    case 'then': {
      const [fulfilled] = call.arguments;
      if (!isFunction(fulfilled)) return { kind: 'elsewhere' };
      const [parameter] = fulfilled.params;
      if (!parameter) return { kind: 'then', parameter: undefined };
      return parameter.type === 'Identifier' ? { kind: 'then', parameter: module.variableOf(parameter) } : { kind: 'elsewhere' };
    }
    case 'catch':
    case 'finally':
      return consumerOf(call, module);
    default:
      return { kind: 'member', member };
  }
}

/** An object or array written as an argument is an argument. */
function withinLiteral(node: Node): Consumer {
  const { parent } = node;
  switch (parent?.type) {
    case 'Property':
    case 'ArrayExpression':
    case 'ObjectExpression':
    case 'SpreadElement':
      return withinLiteral(parent);
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee === node ? { kind: 'elsewhere' } : { kind: 'argument', call: parent };
    default:
      return { kind: 'elsewhere' };
  }
}

/** The variable that an object pattern binds a property to. */
export function boundProperty(pattern: TSESTree.ObjectPattern, isWanted: (name: string) => boolean, module: Module): Variable | undefined {
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || property.value.type !== 'Identifier') continue;
    if (isWanted(keyName(property) ?? '')) return module.variableOf(property.value);
  }
  return undefined;
}
