import { poolSize } from './describe.ts';
import { bare } from './module.ts';
import type { Module, Node } from './module.ts';
import { poolSiteOf } from './pools.ts';
import type { ResourceValue } from './value.ts';
import type { Values } from './values.ts';

/** How many connections a receiver of SQL has to choose from, also when it is made over a pool or a connection: `drizzle(client)`. */
export function connectionsBehind(receiver: ResourceValue, values: Values): number | undefined {
  const { origin, resource } = receiver;
  if (resource.role !== 'pool') return 1;
  if (!origin) return undefined;
  const site = poolSiteOf(origin.node, origin.module, values);
  if (site) return poolSize(site);
  const given = 'arguments' in origin.node ? resourceWithin(origin.node.arguments, origin.module, values) : undefined;
  return given && connectionsBehind(given, values);
}

/** The first pool or connection among arguments, in objects and constructions too. */
function resourceWithin(nodes: readonly Node[], module: Module, values: Values, depth = 0): ResourceValue | undefined {
  if (depth > 4) return undefined;
  for (const node of nodes) {
    const found = values.resourceOf(node, module) ?? resourceWithin(partsOf(bare(node)), module, values, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function partsOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'ObjectExpression':
      return node.properties.map((property) => (property.type === 'SpreadElement' ? property.argument : property.value));
    case 'NewExpression':
    case 'CallExpression':
      return node.arguments;
    default:
      return [];
  }
}
