import { bare, enclosingFunction, isFunction, keyName, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { ClassNode } from '../value.ts';
import type { Values } from '../values.ts';
import { hostOf, type LeaseSite } from './sites.ts';

/** A property that holds a lease: of a local object, or of `this`. */
export interface Member {
  readonly of: Variable | 'this';
  readonly name: string;
}

/** Whether an expression reads a member. */
export function isMember(node: Node, { of, name }: Member, module: Module): boolean {
  const inner = bare(node);
  if (inner.type !== 'MemberExpression' || propertyName(inner) !== name) return false;
  const object = bare(inner.object);
  return of === 'this' ? object.type === 'ThisExpression' : object.type === 'Identifier' && module.variableOf(object) === of;
}

/** The member that a lease is put into, if the functions that put one there also give it back: it is theirs, though others may use it. */
export function ownMember(site: LeaseSite, values: Values): Member | undefined {
  const { module, fn } = site;
  const member = memberOf(site.node, module, values);
  if (!member) return undefined;
  const releasing = module
    .nodes('CallExpression')
    .filter(({ callee }) => callee.type === 'MemberExpression' && isRelease(callee, site) && isMember(callee.object, member, module))
    .map(hostOf);
  return releasing.includes(fn) && releasing.every((host) => host === fn || takesInto(host, member, module)) ? member : undefined;
}

function isRelease(callee: TSESTree.MemberExpression, { lease }: LeaseSite): boolean {
  return lease.resource.methods[propertyName(callee) ?? '']?.does === 'release';
}

function takesInto(host: Node | undefined, member: Member, module: Module): boolean {
  return module.nodes('AssignmentExpression').some(({ left }) => isMember(left, member, module) && hostOf(left) === host);
}

/** `this.runner = …`, `const session = { client: … }`, `const session = new Session(…)`: where a value is kept. */
function memberOf(node: Node, module: Module, values: Values): Member | undefined {
  const { parent } = node;
  switch (parent?.type) {
    case 'AwaitExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return memberOf(parent, module, values);
    case 'AssignmentExpression':
      return parent.right === node ? memberWritten(parent.left, module) : undefined;
    case 'Property': {
      const name = keyName(parent);
      return name === undefined || parent.value !== node ? undefined : ofVariable(parent.parent, name, module);
    }
    case 'NewExpression': {
      const name = fieldFilledBy(parent, node, module, values);
      return name === undefined ? undefined : ofVariable(parent, name, module);
    }
    default:
      return undefined;
  }
}

function memberWritten(target: Node, module: Module): Member | undefined {
  const name = target.type === 'MemberExpression' ? propertyName(target) : undefined;
  if (target.type !== 'MemberExpression' || name === undefined) return undefined;
  if (target.object.type === 'ThisExpression') return { of: 'this', name };
  const variable = target.object.type === 'Identifier' ? module.variableOf(target.object) : undefined;
  return variable && isLocal(variable, target) ? { of: variable, name } : undefined;
}

/** A member of the variable that an object is bound to, perhaps as one of two choices. */
function ofVariable(object: Node, name: string, module: Module): Member | undefined {
  const { parent } = object;
  if (parent?.type === 'ConditionalExpression' && parent.test !== object) return ofVariable(parent, name, module);
  if (parent && bare(parent) === object) return ofVariable(parent, name, module);
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined;
  const variable = module.variableOf(parent.id);
  return variable && { of: variable, name };
}

function isLocal(variable: Variable, reader: Node): boolean {
  const [declared] = variable.identifiers;
  return declared !== undefined && enclosingFunction(declared) === enclosingFunction(reader);
}

/** The field that a class keeps a constructor's argument in. */
function fieldFilledBy(
  { callee, arguments: passed }: TSESTree.NewExpression,
  argument: Node,
  module: Module,
  values: Values,
): string | undefined {
  const made = values.valueOf(callee, module);
  const parameter =
    made?.kind === 'class' ? constructorOf(made.at.node)?.params[passed.indexOf(argument as TSESTree.Expression)] : undefined;
  if (made?.kind !== 'class' || !parameter) return undefined;
  if (parameter.type === 'TSParameterProperty') return parameter.parameter.type === 'Identifier' ? parameter.parameter.name : undefined;
  const variable = parameter.type === 'Identifier' ? made.at.module.variableOf(parameter) : undefined;
  for (const { identifier } of variable?.references ?? []) {
    const write = identifier.parent;
    if (write.type !== 'AssignmentExpression' || write.right !== identifier || write.left.type !== 'MemberExpression') continue;
    if (write.left.object.type === 'ThisExpression') return propertyName(write.left);
  }
  return undefined;
}

function constructorOf({ body }: ClassNode): FunctionNode | undefined {
  const found = body.body.find((member) => member.type === 'MethodDefinition' && member.kind === 'constructor');
  return found?.type === 'MethodDefinition' && isFunction(found.value) ? found.value : undefined;
}
