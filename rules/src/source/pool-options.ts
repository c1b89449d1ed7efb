import type { PoolOptions } from '../knowledge/driver.ts';
import { keyName, placeOfNode } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { settingOf } from './settings.ts';
import type { Setting } from './setting.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

/** What the arguments of a construction say. */
export interface GivenOptions {
  /** They could be read whole: what is not in them is not set. */
  readonly complete: boolean;
  /** The options that an object writes out, whether the driver knows them or not; '' is the outermost object. */
  writtenIn(object: string): readonly WrittenOption[];
  readonly url: Setting | undefined;
  /** The first of some options that is set; `pool.max` is `max` in the object `pool`. */
  option(names: readonly string[]): Setting | undefined;
  /** Where an option is set; 'unknown' when the options cannot be read. */
  at(name: string): Sited | 'unknown' | undefined;
}

export interface WrittenOption {
  readonly name: string;
  readonly module: Module;
  readonly key: TSESTree.PropertyName;
}

export type Construction = TSESTree.NewExpression | TSESTree.CallExpression;
type ObjectAt = Sited<TSESTree.ObjectExpression>;

/** Reads the options of a construction: an object, or a URL that an object may follow. */
export function givenOptions(
  node: Construction,
  module: Module,
  options: Pick<PoolOptions, 'argument' | 'urlArgument' | 'urlOptions'>,
  values: Values,
): GivenOptions {
  const [first, ...others] = node.arguments.slice(options.argument);
  if (!first) return readObject(undefined, node.arguments.length === 0, values);
  const object = objectAt(first, module, values);
  if (object) return readObject(object, isComplete(object, values), values);
  const url = options.urlArgument ? textOf(settingOf(first, module, values)) : undefined;
  const behind = others.flatMap((argument) => objectAt(argument, module, values) ?? [])[0];
  if (behind) return { ...readObject(behind, url !== undefined && isComplete(behind, values), values), url };
  if (url && others.length === 0) return { ...readObject(undefined, options.urlOptions !== true, values), url };
  const unknown: Setting = { kind: 'unknown', place: placeOfNode(module, others[0] ?? first) };
  return { complete: false, writtenIn: () => [], url, option: () => unknown, at: () => 'unknown' };
}

function objectAt(argument: Node, module: Module, values: Values): ObjectAt | undefined {
  return values.object(argument, module);
}

/** What is not an object: that of a function's parameter is told by its calls. */
function textOf(setting: Setting): Setting | undefined {
  return isText(setting) ? setting : undefined;
}

function isText(setting: Setting): boolean {
  if (setting.kind === 'parameter') return setting.calls.every(({ given }) => isText(given));
  return setting.kind !== 'unknown' && (setting.kind !== 'literal' || typeof setting.value === 'string');
}

function readObject(object: ObjectAt | undefined, complete: boolean, values: Values): GivenOptions {
  return {
    complete,
    writtenIn: (path) => (object ? writtenIn(object, path, values) : []),
    url: undefined,
    option: (names) => (object ? optionOf(object, names, values) : undefined),
    at: (name) => (object ? propertyAt(object, name, values) : undefined),
  };
}

function optionOf(object: ObjectAt, names: readonly string[], values: Values): Setting | undefined {
  for (const name of names) {
    const found = propertyAt(object, name, values);
    if (found === 'unknown') return { kind: 'unknown', place: placeOfNode(object.module, object.node) };
    if (found && !(isObject(found, values) && names.some((other) => other.startsWith(`${name}.`)))) {
      return settingOf(found.node, found.module, values);
    }
  }
  return undefined;
}

/** `connection` may be a URL, or an object that holds one. */
function isObject({ node, module }: Sited, values: Values): boolean {
  return objectAt(node, module, values) !== undefined;
}

function propertyAt(object: ObjectAt, path: string, values: Values): Sited | 'unknown' | undefined {
  const [name = '', ...rest] = path.split('.');
  const found = values.property(object, name);
  if (rest.length === 0 || found === undefined || found === 'unknown') return found;
  const at = values.object(found.node, found.module);
  return at ? propertyAt(at, rest.join('.'), values) : 'unknown';
}

/** Whether every key of an object is known. */
function isComplete({ node, module }: ObjectAt, values: Values): boolean {
  return node.properties.every((property) => {
    if (property.type !== 'SpreadElement') return keyName(property) !== undefined;
    const spread = values.spread(property.argument, module);
    return spread !== undefined && spread.every((each) => isComplete(each, values));
  });
}

function writtenIn(object: ObjectAt, path: string, values: Values): readonly WrittenOption[] {
  const inner = path === '' ? object : propertyAt(object, path, values);
  const at = inner && inner !== 'unknown' ? objectAt(inner.node, inner.module, values) : undefined;
  return at ? keysOf(at, values) : [];
}

function keysOf({ node, module }: ObjectAt, values: Values): readonly WrittenOption[] {
  return node.properties.flatMap((property) => {
    if (property.type === 'SpreadElement') {
      return values.spread(property.argument, module)?.flatMap((each) => keysOf(each, values)) ?? [];
    }
    const name = keyName(property);
    return name === undefined ? [] : [{ name, module, key: property.key }];
  });
}

/** Whether a construction connects to a server by itself, and does not share a pool that exists or read a file. */
export function connectsByItself(
  { onlyIf, madeFrom, shares, system }: Pick<PoolOptions, 'onlyIf' | 'madeFrom' | 'shares' | 'system'>,
  given: GivenOptions,
  values: Values,
): boolean {
  if (onlyIf !== undefined && !isTrue(given.at(onlyIf), values)) return false;
  if (madeFrom && !given.url && !madeFrom.some((name) => isWritten(given.at(name)))) return false;
  if (system !== undefined && isFile(given.option([system]))) return false;
  const shared = shares && given.at(shares.option);
  return shared === undefined || (shared !== 'unknown' && isOwn(shared, shares?.makers, values));
}

/** What makes the pool instead of the construction itself, and by which options: `adapter` of `new PrismaClient({ adapter })`. */
export function madeInside(
  { shares }: Pick<PoolOptions, 'shares'>,
  given: GivenOptions,
  values: Values,
): (Sited<Construction> & { readonly options: PoolOptions }) | undefined {
  if (!shares?.makers) return undefined;
  const shared = given.at(shares.option);
  if (!shared || shared === 'unknown') return undefined;
  const { node, module } = values.follow(shared.node, shared.module);
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const options = shares.makers[values.exportOf(node.callee, module)?.package ?? ''];
  return options && { node, module, options };
}

function isWritten(found: Sited | 'unknown' | undefined): boolean {
  return found !== undefined && found !== 'unknown';
}

function isTrue(found: Sited | 'unknown' | undefined, values: Values): boolean {
  if (!found || found === 'unknown') return false;
  const { node } = values.follow(found.node, found.module);
  return node.type === 'Literal' && node.value === true;
}

function isFile(system: Setting | undefined): boolean {
  return system?.kind === 'literal' && /sqlite|sqljs|libsql/.test(String(system.value));
}

/** Whether a value is settings, or made from settings by one of some packages, and not a pool that exists. */
function isOwn({ node, module }: Sited, makers: Readonly<Record<string, PoolOptions>> | undefined, values: Values): boolean {
  const at = values.follow(node, module);
  if (values.resourceOf(at.node, at.module)) return false;
  if (at.node.type === 'ObjectExpression') return true;
  if (at.node.type !== 'NewExpression' && at.node.type !== 'CallExpression') return settingOf(node, module, values).kind !== 'unknown';
  const maker = values.exportOf(at.node.callee, at.module)?.package;
  if (makers && (maker === undefined || !Object.hasOwn(makers, maker))) return false;
  return at.node.arguments.every((argument) => isOwn({ node: argument, module: at.module }, undefined, values));
}
