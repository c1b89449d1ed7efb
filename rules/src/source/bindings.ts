import { visitOwn } from './functions.ts';
import { enclosingFunction, isFunction, keyName, propertyName } from './module.ts';
import type { FunctionNode, Node, TSESTree, Variable } from './module.ts';
import type { ClassNode, Sited } from './value.ts';

/** Whether a variable is read in another function than the one that declares it. */
export function isOutside(variable: Variable, reader: Node): boolean {
  const declared = variable.identifiers[0];
  return !declared || enclosingFunction(declared) !== enclosingFunction(reader);
}

/** Whether a variable is written more than once. */
export function isReassigned(variable: Variable): boolean {
  return variable.references.filter((reference) => reference.isWrite()).length > 1;
}

/** Whether an identifier is assigned whole, not as part of a pattern. */
export function isPlainTarget(identifier: Node): boolean {
  const { parent } = identifier;
  return (
    (parent?.type === 'VariableDeclarator' && parent.id === identifier) ||
    (parent?.type === 'AssignmentExpression' && parent.left === identifier)
  );
}

/** The keys that lead to a name in an object pattern. */
export function pathInPattern(pattern: TSESTree.ObjectPattern, name: string): readonly string[] | undefined {
  for (const property of pattern.properties) {
    if (property.type !== 'Property') continue;
    const key = keyName(property);
    const target = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
    if (key === undefined) continue;
    if (target.type === 'Identifier' && target.name === name) return [key];
    const rest = target.type === 'ObjectPattern' ? pathInPattern(target, name) : undefined;
    if (rest) return [key, ...rest];
  }
  return undefined;
}

/** What the function that declares a variable writes into its properties: `db.pool = …`. */
export function membersGiven(variable: Variable): ReadonlyMap<string, readonly Node[]> {
  const members = new Map<string, readonly Node[]>();
  for (const { identifier } of variable.references) {
    const member = identifier.parent;
    const name = member.type === 'MemberExpression' && member.object === identifier ? propertyName(member) : undefined;
    const write = member.parent;
    if (name === undefined || write?.type !== 'AssignmentExpression' || write.left !== member || isOutside(variable, identifier)) continue;
    members.set(name, [...(members.get(name) ?? []), write.right]);
  }
  return members;
}

export interface Parameter {
  readonly fn: FunctionNode;
  readonly index: number;
  /** The pattern that binds the identifier, without its default. */
  readonly pattern: Node;
}

/** The type that a binding is annotated with. */
export function annotationOf(pattern: Node): TSESTree.TypeNode | undefined {
  const binds = pattern.type === 'Identifier' || pattern.type === 'ObjectPattern' || pattern.type === 'ArrayPattern';
  return binds ? pattern.typeAnnotation?.typeAnnotation : undefined;
}

/** The parameter that binds an identifier. */
export function parameterOf(identifier: Node): Parameter | undefined {
  for (let at: Node = identifier; at.parent; at = at.parent) {
    const fn = at.parent;
    if (!isFunction(fn)) continue;
    const index = fn.params.indexOf(at as TSESTree.Parameter);
    if (index === -1) return undefined;
    const inner = at.type === 'TSParameterProperty' ? at.parameter : at;
    const pattern = inner.type === 'AssignmentPattern' ? inner.left : inner;
    return { fn, index, pattern };
  }
  return undefined;
}

/** The type that a class gives a field, as a member or as a parameter property. */
export function fieldAnnotation(node: ClassNode, name: string): TSESTree.TypeNode | undefined {
  for (const member of node.body.body) {
    if (member.type === 'PropertyDefinition' && keyName(member) === name && member.typeAnnotation) {
      return member.typeAnnotation.typeAnnotation;
    }
    if (member.type !== 'MethodDefinition' || member.kind !== 'constructor') continue;
    for (const parameter of member.value.params) {
      if (parameter.type !== 'TSParameterProperty') continue;
      const target = parameter.parameter.type === 'AssignmentPattern' ? parameter.parameter.left : parameter.parameter;
      if (target.name === name && target.typeAnnotation) return target.typeAnnotation.typeAnnotation;
    }
  }
  return undefined;
}

/** The only thing that a class writes into a field. */
export function fieldInitialiser(at: Sited<ClassNode>, name: string): Sited | undefined {
  const writes = fieldWrites(at, name);
  return writes.length === 1 && writes[0] ? { node: writes[0], module: at.module } : undefined;
}

const writesByClass = new WeakMap<Node, ReadonlyMap<string, readonly Node[]>>();

/** What a class writes into a field: its initialiser and every `this.name = …`. */
export function fieldWrites({ node }: Sited<ClassNode>, name: string): readonly Node[] {
  let writes = writesByClass.get(node);
  if (!writes) {
    writes = collectFieldWrites(node);
    writesByClass.set(node, writes);
  }
  return writes.get(name) ?? [];
}

function collectFieldWrites(node: ClassNode): ReadonlyMap<string, readonly Node[]> {
  const writes = new Map<string, Node[]>();
  const add = (name: string | undefined, value: Node) => name !== undefined && writes.set(name, [...(writes.get(name) ?? []), value]);
  for (const member of node.body.body) {
    if (member.type === 'PropertyDefinition' && member.value) add(keyName(member), member.value);
  }
  visitOwn(node.body, (inner) => {
    if (inner.type !== 'AssignmentExpression' || inner.left.type !== 'MemberExpression') return;
    if (inner.left.object.type === 'ThisExpression') add(propertyName(inner.left), inner.right);
  });
  return writes;
}
