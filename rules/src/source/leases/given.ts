import { bare, isFunction, keyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { equalityKey, type Facts } from './facts.ts';

/** What a call tells the function that it calls: the truth of conditions on parameters for which it passes constants, or nothing. */
export function factsGiven(
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  at: Module,
  fn: Sited<FunctionNode>,
  values: Values,
): Facts {
  const spread = call.arguments.findIndex(({ type }) => type === 'SpreadElement');
  const known = spread === -1 ? fn.node.params : fn.node.params.slice(0, spread);
  const told = known.flatMap((parameter, index) => {
    const argument = call.arguments[index];
    return factsOf(parameter, argument ? { node: argument, module: at } : 'absent', fn.module, values);
  });
  return new Map(told.map(({ about, truth, variable }) => [about, { truth, about: [variable] }]));
}

interface Told {
  /** A variable, or the text of a condition on it. */
  readonly about: Variable | string;
  readonly truth: boolean;
  readonly variable: Variable;
}

type Given = Sited | 'absent';

function factsOf(target: Node, given: Given, module: Module, values: Values): readonly Told[] {
  switch (target.type) {
    case 'AssignmentPattern':
      return factsOf(target.left, given === 'absent' ? { node: target.right, module } : given, module, values);
    case 'Identifier':
      return factsOfName(target, given, module, values);
    case 'ObjectPattern': {
      const object = given === 'absent' ? undefined : plainObject(given);
      return object ? target.properties.flatMap((property) => factsOfPart(property, object, module, values)) : [];
    }
    default:
      return [];
  }
}

/** `url`, `url = ''` or `...rest` of a parameter's pattern. */
function factsOfPart(
  property: TSESTree.ObjectPattern['properties'][number],
  object: Sited<TSESTree.ObjectExpression>,
  module: Module,
  values: Values,
): readonly Told[] {
  if (property.type === 'RestElement') {
    const variable = property.argument.type === 'Identifier' ? constant(property.argument, module) : undefined;
    return variable ? factsOfObject(variable, object, module, values) : [];
  }
  const key = keyName(property);
  return key === undefined ? [] : factsOf(property.value, propertyOf(object, key) ?? 'absent', module, values);
}

function factsOfName(name: TSESTree.Identifier, given: Given, module: Module, values: Values): readonly Told[] {
  const variable = constant(name, module);
  if (!variable) return [];
  const truth = given === 'absent' ? false : truthOf(given, variable, values);
  const itself = truth === undefined ? [] : [{ about: variable, truth, variable }];
  const object = given === 'absent' ? undefined : plainObject(given);
  return [
    ...itself,
    ...(given === 'absent' ? [] : factsOfValue(variable, given, values)),
    ...(object ? factsOfObject(variable, object, module, values) : []),
  ];
}

/** `'url' in options`, `options.url` and `const { url } = options`, for an object that is written where it is passed. */
function factsOfObject(variable: Variable, object: Sited<TSESTree.ObjectExpression>, module: Module, values: Values): readonly Told[] {
  return variable.references.flatMap(({ identifier }): readonly Told[] => {
    const { parent } = identifier;
    if (parent.type === 'BinaryExpression' && parent.operator === 'in' && parent.right === identifier) {
      const key = parent.left.type === 'Literal' ? String(parent.left.value) : undefined;
      return key === undefined ? [] : [{ about: textOf(parent, module), truth: propertyOf(object, key) !== undefined, variable }];
    }
    if (parent.type === 'VariableDeclarator' && parent.init === identifier && parent.id.type === 'ObjectPattern') {
      return parent.id.properties.flatMap((property) => factsOfPart(property, object, module, values));
    }
    if (parent.type !== 'MemberExpression' || parent.object !== identifier || parent.computed) return [];
    const key = parent.property.type === 'Identifier' ? parent.property.name : undefined;
    if (key === undefined || isWritten(variable, key)) return [];
    const given = propertyOf(object, key);
    const truth = given ? truthOf(given, variable, values) : false;
    return truth === undefined ? [] : [{ about: textOf(parent, module), truth, variable }];
  });
}

/** A text or number that conditions may compare it with. */
function factsOfValue(variable: Variable, given: Sited, values: Values): readonly Told[] {
  const { node } = values.follow(given.node, given.module);
  const value = node.type === 'Literal' ? node.value : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  return [{ about: equalityKey(variable.name, value), truth: true, variable }];
}

/** Whether a value counts as true; that of an empty text, a zero or `false` is not told where it may be compared with null. */
function truthOf({ node, module }: Sited, { references }: Variable, values: Values): boolean | undefined {
  const at = values.follow(node, module);
  const value = bare(at.node);
  switch (value.type) {
    case 'Literal': {
      const isCompared = references.some(({ identifier }) => comparison(identifier)?.type === 'BinaryExpression');
      return value.value || value.value === null || !isCompared ? Boolean(value.value) : undefined;
    }
    case 'Identifier':
      return value.name === 'undefined' && !at.module.variableOf(value)?.defs.length ? false : undefined;
    case 'ObjectExpression':
    case 'ArrayExpression':
      return true;
    default:
      return isFunction(value) ? true : undefined;
  }
}

/** What compares a name or one of its properties. */
function comparison({ parent }: Node): Node | undefined {
  return parent?.type === 'MemberExpression' ? parent.parent : parent;
}

/** A parameter that keeps what it was given. */
function constant(name: TSESTree.Identifier, module: Module): Variable | undefined {
  const variable = module.variableOf(name);
  return variable?.references.some((reference) => reference.isWrite() && !reference.init) ? undefined : variable;
}

function isWritten({ references }: Variable, key: string): boolean {
  return references.some(({ identifier: { parent } }) => {
    const isKey = parent.type === 'MemberExpression' && parent.property.type === 'Identifier' && parent.property.name === key;
    return isKey && parent.parent.type === 'AssignmentExpression' && parent.parent.left === parent;
  });
}

/** An object that is written in place, of which every key is known. */
function plainObject({ node, module }: Sited): Sited<TSESTree.ObjectExpression> | undefined {
  const object = bare(node);
  if (object.type !== 'ObjectExpression') return undefined;
  const isKnown = object.properties.every((property) => property.type === 'Property' && keyName(property) !== undefined);
  return isKnown ? { node: object, module } : undefined;
}

function propertyOf({ node, module }: Sited<TSESTree.ObjectExpression>, key: string): Sited | undefined {
  const property = node.properties.find((each) => each.type === 'Property' && keyName(each) === key);
  return property?.type === 'Property' ? { node: property.value, module } : undefined;
}

function textOf({ range }: Node, { text }: Module): string {
  return text.content.slice(range[0], range[1]);
}
