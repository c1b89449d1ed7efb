import { bare, propertyName } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { placeOfNode } from './module.ts';
import type { Setting } from './setting.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

/** Reads a configuration value from the source: constants, environment variables with their defaults, simple arithmetic. */
export function settingOf(node: Node, module: Module, values: Values, depth = 0): Setting {
  const at = values.follow(node, module);
  const place = placeOfNode(at.module, at.node);
  if (depth > 20) return { kind: 'unknown', place };
  const read = (inner: Node): Setting => settingOf(inner, at.module, values, depth + 1);
  const variable = environmentVariable(at, values);
  if (variable !== undefined) return { kind: 'env', name: variable, place };
  return fromExpression(at.node, place, read, at.module) ?? { kind: 'unknown', place };
}

type Read = (node: Node) => Setting;

function fromExpression(node: Node, place: Setting['place'], read: Read, module: Module): Setting | undefined {
  switch (node.type) {
    case 'Literal':
      return isPlainLiteral(node.value) ? { kind: 'literal', value: node.value, place } : undefined;
    case 'Identifier':
      return node.name === 'undefined' && !module.variableOf(node) ? { kind: 'literal', value: undefined, place } : undefined;
    case 'TemplateLiteral':
      return { kind: 'text', parts: templateParts(node, module, read), place };
    case 'LogicalExpression':
      if (node.operator === '&&') return undefined;
      return { kind: 'fallback', operator: node.operator, first: read(node.left), second: read(node.right), place };
    case 'ConditionalExpression':
      return { kind: 'either', options: [read(node.consequent), read(node.alternate)], place };
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
  return undefined;
}

function fromUnary(node: TSESTree.UnaryExpression, place: Setting['place'], read: Read): Setting | undefined {
  if (node.operator === '+') return { kind: 'number', by: 'Number', of: read(node.argument), place };
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

/** The variable that `process.env.X`, `env.X` of node:process or a destructuring of either reads. */
function environmentVariable({ node, module }: Sited, values: Values): string | undefined {
  if (node.type === 'MemberExpression') return isProcessEnv(node.object, module, values) ? propertyName(node) : undefined;
  if (node.type !== 'Identifier') return undefined;
  const definition = module.variableOf(node)?.defs[0]?.node;
  if (definition?.type !== 'VariableDeclarator' || definition.id.type !== 'ObjectPattern' || !definition.init) return undefined;
  if (!isProcessEnv(definition.init, module, values)) return undefined;
  const property = definition.id.properties.find(
    (candidate) => candidate.type === 'Property' && candidate.value.type === 'Identifier' && candidate.value.name === node.name,
  );
  return property?.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : undefined;
}

function isProcessEnv(node: Node, module: Module, values: Values): boolean {
  const at = values.follow(node, module);
  if (at.node.type === 'MemberExpression' && propertyName(at.node) === 'env') {
    const object = bare(at.node.object);
    if (object.type === 'Identifier' && object.name === 'process' && !at.module.variableOf(object)) return true;
  }
  const exported = values.exportOf(at.node, at.module);
  return exported !== undefined && /^(node:)?process$/.test(exported.package) && exported.path === 'env';
}
