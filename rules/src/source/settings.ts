import type { Place } from '@poolcheck/parsers/text';
import { type Parameter, parameterOf } from './bindings.ts';
import type { CallSite } from './injection.ts';
import { bare, propertyName } from './module.ts';
import type { Module, Node, TSESTree, Variable } from './module.ts';
import { placeOfNode } from './module.ts';
import { comparisons, type Literal, numberChecks, type Setting } from './setting.ts';
import { isProcessEnv, type MemberRead, memberReadBy } from './process-env.ts';
import { validatedVariable } from './validated-env.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

/** Reads a configuration value from the source: constants, environment variables with their defaults, simple arithmetic, small functions. */
export function settingOf(node: Node, module: Module, values: Values): Setting {
  return settingIn(node, module, { values, depth: 0, given: new Map() });
}

/** What a value is read in. */
interface Reading {
  readonly values: Values;
  readonly depth: number;
  /** Of the functions that are being called on the way here. */
  readonly given: ReadonlyMap<Variable, Setting>;
}

const deepest = 20;

function settingIn(node: Node, module: Module, reading: Reading): Setting {
  const { values, depth, given } = reading;
  const at = values.follow(node, module);
  const place = placeOfNode(at.module, at.node);
  if (depth > deepest) return { kind: 'unknown', place };
  const inner: Reading = { ...reading, depth: depth + 1 };
  const read = (part: Node): Setting => settingIn(part, at.module, inner);
  const variable = environmentVariable(at, place, inner);
  if (variable) return variable;
  const parameter = at.node.type === 'Identifier' ? at.module.variableOf(at.node) : undefined;
  const setting =
    (parameter && (given.get(parameter) ?? fromParameter(parameter, place, at.module, inner))) ??
    fromExpression(at.node, place, read, at.module) ??
    (at.node.type === 'CallExpression' ? fromFunction(at.node, at.module, inner) : undefined);
  return setting ?? { kind: 'unknown', place };
}

/** So many calls of one function are followed. */
const mostCalls = 32;

/** What the calls of a function pass to its parameter. */
function fromParameter(variable: Variable, place: Place, module: Module, reading: Reading): Setting | undefined {
  const parameter = parameterBehind(variable);
  const calls = parameter ? reading.values.callsOf(parameter.fn, module).filter((call) => call.module.role === 'production') : [];
  if (!parameter || calls.length === 0 || calls.length > mostCalls) return undefined;
  return {
    kind: 'parameter',
    place,
    calls: calls.map((call) => ({ node: call.node, path: call.module.path, given: argumentOf(parameter, call, module, reading) })),
  };
}

function parameterBehind(variable: Variable): Parameter | undefined {
  const [definition] = variable.defs;
  const parameter = definition?.type === 'Parameter' ? parameterOf(definition.name) : undefined;
  return parameter?.pattern.type === 'Identifier' ? parameter : undefined;
}

/** What a call passes, or what the parameter is without it. */
function argumentOf({ fn, index }: Parameter, call: CallSite, module: Module, reading: Reading): Setting {
  const argument = call.node.arguments[index];
  if (argument) return settingIn(argument, call.module, reading);
  const written = fn.params[index];
  if (written?.type === 'AssignmentPattern') return settingIn(written.right, module, reading);
  return { kind: 'literal', value: undefined, place: placeOfNode(call.module, call.node) };
}

/** What a small function of the root returns for the arguments of a call: `numberFrom(process.env.POOL_MAX, 10)`. */
function fromFunction(node: TSESTree.CallExpression, module: Module, reading: Reading): Setting | undefined {
  const callee = reading.values.calledFunction(node, module);
  if (!callee || callee.node.async || callee.node.generator) return undefined;
  const given = new Map(reading.given);
  for (const [index, written] of callee.node.params.entries()) {
    const pattern = written.type === 'AssignmentPattern' ? written.left : written;
    const variable = pattern.type === 'Identifier' ? callee.module.variableOf(pattern) : undefined;
    if (!variable) return undefined;
    given.set(variable, argumentOf({ fn: callee.node, index, pattern }, { node, module }, callee.module, reading));
  }
  const { body } = callee.node;
  const read = (part: Node) => settingIn(part, callee.module, { ...reading, given });
  const returned = body.type === 'BlockStatement' ? returnedBy(body.body, read, callee.module) : read(body);
  return returned === 'nothing' ? undefined : returned;
}

/** What statements return, when they do nothing but choose; `nothing` when they throw. */
function returnedBy(statements: readonly TSESTree.Statement[], read: Read, module: Module): Setting | 'nothing' | undefined {
  const [first, ...rest] = statements;
  switch (first?.type) {
    case 'BlockStatement':
      return returnedBy([...first.body, ...rest], read, module);
    case 'VariableDeclaration':
      return first.kind === 'const' ? returnedBy(rest, read, module) : undefined;
    case 'ReturnStatement':
      return first.argument ? read(first.argument) : undefined;
    case 'ThrowStatement':
      return 'nothing';
    case 'IfStatement': {
      const then = returnedBy([first.consequent], read, module);
      const otherwise = returnedBy(first.alternate ? [first.alternate, ...rest] : rest, read, module);
      if (!then || then === 'nothing' || !otherwise) return then && otherwise;
      if (otherwise === 'nothing') return then;
      return { kind: 'either', test: read(first.test), options: [then, otherwise], place: placeOfNode(module, first) };
    }
    default:
      return undefined;
  }
}

const globals: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
]);

type Read = (node: Node) => Setting;

function fromExpression(node: Node, place: Setting['place'], read: Read, module: Module): Setting | undefined {
  switch (node.type) {
    case 'Literal':
      return isPlainLiteral(node.value) ? { kind: 'literal', value: node.value, place } : undefined;
    case 'Identifier':
      return globals.has(node.name) && !module.variableOf(node) ? { kind: 'literal', value: globals.get(node.name), place } : undefined;
    case 'TemplateLiteral':
      return { kind: 'text', parts: templateParts(node, module, read), place };
    case 'LogicalExpression':
      if (node.operator === '&&') return undefined;
      return { kind: 'fallback', operator: node.operator, first: read(node.left), second: read(node.right), place };
    case 'ConditionalExpression':
      return { kind: 'either', test: read(node.test), options: [read(node.consequent), read(node.alternate)], place };
    case 'BinaryExpression':
      return fromBinary(node, place, read);
    case 'UnaryExpression':
      return fromUnary(node, place, read);
    case 'CallExpression':
      return fromCall(node, place, read, module);
    default:
      return undefined;
  }
}

function fromBinary(node: TSESTree.BinaryExpression, place: Setting['place'], read: Read): Setting | undefined {
  const { operator } = node;
  const left = read(node.left);
  const right = read(node.right);
  if (operator === '+' && (isText(left) || isText(right))) return { kind: 'text', parts: [left, right], place };
  if (operator === '+' || operator === '-' || operator === '*' || operator === '/')
    return { kind: 'arithmetic', operator, left, right, place };
  const comparison = comparisons.find((each) => each === operator);
  return comparison && { kind: 'check', by: comparison, of: [left, right], place };
}

function fromUnary(node: TSESTree.UnaryExpression, place: Setting['place'], read: Read): Setting | undefined {
  if (node.operator === '+') return { kind: 'number', by: 'Number', of: read(node.argument), place };
  if (node.operator === '!') return { kind: 'check', by: '!', of: [read(node.argument)], place };
  if (node.operator !== '-') return undefined;
  const zero: Setting = { kind: 'literal', value: 0, place };
  return { kind: 'arithmetic', operator: '-', left: zero, right: read(node.argument), place };
}

function fromCall(node: TSESTree.CallExpression, place: Setting['place'], read: Read, module: Module): Setting | undefined {
  const [argument] = node.arguments;
  const callee = bare(node.callee);
  const name = callee.type === 'MemberExpression' ? propertyName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  const isGlobal =
    callee.type === 'Identifier' ? !module.variableOf(callee) : callee.type === 'MemberExpression' && isNumber(callee.object, module);
  if (!argument || !isGlobal) return undefined;
  if (name === 'Number' || name === 'parseInt' || name === 'parseFloat') return { kind: 'number', by: name, of: read(argument), place };
  const check = numberChecks.find((each) => each === name);
  // The global ones make a number of what they are given first.
  if (check && callee.type === 'Identifier')
    return { kind: 'check', by: check, of: [{ kind: 'number', by: 'Number', of: read(argument), place }], place };
  if (check) return { kind: 'check', by: check, of: [read(argument)], place };
  return name === 'String' ? { kind: 'text', parts: [read(argument)], place } : undefined;
}

function isNumber(node: Node, module: Module): boolean {
  return node.type === 'Identifier' && node.name === 'Number' && !module.variableOf(node);
}

function isText(setting: Setting): boolean {
  return setting.kind === 'text' || (setting.kind === 'literal' && typeof setting.value === 'string');
}

function isPlainLiteral(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function templateParts(node: TSESTree.TemplateLiteral, module: Module, read: Read): readonly Setting[] {
  return node.quasis.flatMap((quasi, index) => {
    const text: Setting = { kind: 'literal', value: quasi.value.cooked, place: placeOfNode(module, quasi) };
    const hole = node.expressions[index];
    return hole ? [text, read(hole)] : [text];
  });
}

/** A variable that `process.env.X`, `env.X` of node:process or a destructuring of either reads, or what a schema makes of one. */
function environmentVariable({ node, module }: Sited, place: Place, reading: Reading): Setting | undefined {
  const read = memberReadBy({ node, module }) ?? namedRead({ node, module }, reading);
  if (!read) return undefined;
  const variable: Setting = { kind: 'env', name: read.name, place };
  if (isProcessEnv(read.object, module, reading.values)) return variable;
  const validated = validatedVariable(read, module, reading.values);
  if (!validated) return undefined;
  const { type, otherwise, emptyIsUnset } = validated;
  const second = otherwise && settingIn(otherwise.node, otherwise.module, reading);
  const given: Setting = second ? { kind: 'fallback', operator: emptyIsUnset ? '||' : '??', first: variable, second, place } : variable;
  return type === 'number' ? { kind: 'number', by: 'Number', of: given, place } : given;
}

/** `process.env[name]` with a name that is known here: that which a function is called with. */
function namedRead({ node, module }: Sited, reading: Reading): MemberRead | undefined {
  if (node.type !== 'MemberExpression' || !node.computed) return undefined;
  const name = settingIn(node.property, module, reading);
  return name.kind === 'literal' && typeof name.value === 'string' ? { object: node.object, name: name.value } : undefined;
}
