import type { Place } from '@poolcheck/parsers/text';
import { bare, placeOfNode, propertyName } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import type { ResourceValue } from './value.ts';
import type { Values } from './values.ts';

/** A statement that the source has prepared on a connection, to be found there by its name later. */
export interface Prepared {
  readonly module: Module;
  readonly place: Place;
  /** What made the pool or connection that it is sent through. */
  readonly origin: Node;
  /** `named`: by a name that the source gives it. `tagged`: by the driver, as everything that its tag sends. */
  readonly by: 'named' | 'tagged';
}

/** What a module has prepared, wherever it can be told which pool it goes through. */
export function preparedIn(module: Module, values: Values): readonly Prepared[] {
  const named = module
    .nodes('CallExpression')
    .flatMap((call) => prepared(call, namedThrough(call, module, values) ?? builtThrough(call, module, values), 'named', module));
  const tagged = module
    .nodes('TaggedTemplateExpression')
    .flatMap((node) => prepared(node, taggedBy(node, module, values), 'tagged', module));
  return [...named, ...tagged];
}

function prepared(node: Node, origin: Node | undefined, by: Prepared['by'], module: Module): readonly Prepared[] {
  return origin ? [{ module, place: placeOfNode(module, node), origin, by }] : [];
}

/** `query({ name, text })` */
function namedThrough(call: TSESTree.CallExpression, module: Module, values: Values): Node | undefined {
  const called = values.methodOf(call, module);
  if (called?.method.does !== 'query' || called.method.name === undefined) return undefined;
  const argument = call.arguments[called.method.sql];
  const at = argument && values.follow(argument, module);
  if (at?.node.type !== 'ObjectExpression') return undefined;
  const name = values.property({ node: at.node, module: at.module }, called.method.name);
  return name === undefined || name === 'unknown' ? undefined : called.receiver.origin?.node;
}

/** `db.select().from(users).prepare('users')` */
function builtThrough({ callee, arguments: [name] }: TSESTree.CallExpression, module: Module, values: Values): Node | undefined {
  if (callee.type !== 'MemberExpression' || !name) return undefined;
  const builder = startOfChain(callee.object, module, values);
  return builder?.resource.preparesBy === propertyName(callee) ? builder?.origin?.node : undefined;
}

/** What the first call of a chain is made on. */
function startOfChain(node: Node, module: Module, values: Values): ResourceValue | undefined {
  const inner = bare(node);
  if (inner.type !== 'CallExpression') return undefined;
  const called = values.methodOf(inner, module);
  if (called) return called.receiver;
  return inner.callee.type === 'MemberExpression' ? startOfChain(inner.callee.object, module, values) : undefined;
}

function taggedBy({ tag }: TSESTree.TaggedTemplateExpression, module: Module, values: Values): Node | undefined {
  const value = values.valueOf(tag, module);
  return value?.kind === 'resource' && value.resource.isTag ? value.origin?.node : undefined;
}
