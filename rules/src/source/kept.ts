import type { Place } from '@poolcheck/parsers/text';
import type { Resource } from '../knowledge/driver.ts';
import { placeOfNode } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { alwaysIs } from './setting.ts';
import { poolSiteOf } from './pools.ts';
import type { Values } from './values.ts';

/** Something that a package keeps on the session of a connection, without the source's sending SQL for it. */
export interface KeptOnSession {
  readonly module: Module;
  readonly place: Place;
  /** What made the pool or connection that it uses. */
  readonly origin: Node;
  readonly keeps: NonNullable<Resource['keeps']>;
  /** What does so. */
  readonly by: string;
}

/** What the packages that a module uses keep on sessions, wherever it can be told which pool they use. */
export function keptIn(module: Module, values: Values): readonly KeptOnSession[] {
  const made = [...module.nodes('CallExpression'), ...module.nodes('NewExpression')];
  return made.flatMap(
    (node) => keptBy(node, module, values) ?? (node.type === 'CallExpression' ? (listened(node, module, values) ?? []) : []),
  );
}

function keptBy(node: TSESTree.CallExpression | TSESTree.NewExpression, module: Module, values: Values): KeptOnSession | undefined {
  const value = values.resourceOf(node, module);
  const { keeps } = value?.resource ?? {};
  if (!value?.origin || !keeps || isOff(node, keeps.unless, module, values)) return undefined;
  return { module, place: placeOfNode(module, node), origin: value.origin.node, keeps, by: value.driver.name };
}

function isOff(node: Node, option: string | undefined, module: Module, values: Values): boolean {
  const given = option === undefined ? undefined : poolSiteOf(node, module, values)?.given.option([option]);
  return given !== undefined && !alwaysIs(given, [false]);
}

/** `sql.listen('channel', …)` */
function listened(call: TSESTree.CallExpression, module: Module, values: Values): KeptOnSession | undefined {
  const called = values.methodOf(call, module);
  if (called?.method.does !== 'listen' || called.receiver.driver.engine !== 'postgresql' || !called.receiver.origin) return undefined;
  const { driver, origin } = called.receiver;
  return {
    module,
    place: placeOfNode(module, call),
    origin: origin.node,
    keeps: { what: 'subscription', statement: 'LISTEN' },
    by: driver.name,
  };
}
