import { hostOf } from '../leases/sites.ts';
import type { FunctionNode, Module, Node } from '../module.ts';
import type { PoolSite } from '../pools.ts';
import { isGlobal } from '../promises.ts';
import { fateOf } from '../remaking/keeping.ts';
import type { Remaking } from '../remaking/remaking.ts';
import { unitOf } from '../units.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import type { PoolUses } from './pool-uses.ts';

interface Sources {
  readonly remakings: readonly Remaking[];
  readonly poolUses: PoolUses;
  readonly values: Values;
}

/** Whether a pool is made for each request, which is a fault of its own, or ended by who makes it. */
export function isShortLived(site: PoolSite, sources: Sources): boolean {
  if (sources.remakings.some((remaking) => remaking.site.node === site.node)) return true;
  const isEndedBeside = sources.poolUses.closings(site).some(({ member }) => hostOf(member) === hostOf(site.node));
  return isEndedBeside || isEndedByMaker(site, sources);
}

/** Calls that hand a pool on before it is taken that nobody can tell. */
const furthest = 4;

/** Whether the function that makes a pool, or something around it, ends that before it is done; or else everyone does who gets it from there. */
function isEndedByMaker({ node, module }: Sited, sources: Sources, depth = 0): boolean {
  const { kept, listens, returned, closings } = fateOf(node, module, sources.values);
  if (closings.some((closing) => isInRun(closing, hostOf(node), module, sources.values))) return true;
  const unit = returned && !kept && !listens && depth < furthest ? unitOf(node) : undefined;
  const makings = unit ? sources.poolUses.makings(unit) : [];
  return makings.length > 0 && makings.every((making) => isEndedByMaker(making, sources, depth + 1));
}

/** Whether code stands in a function, or in a callback that this waits for. */
function isInRun(node: Node, home: FunctionNode | undefined, module: Module, values: Values): boolean {
  for (let fn = hostOf(node); fn !== home; fn = hostOf(fn)) if (!fn || !isCalledInRun(fn, module, values)) return false;
  return true;
}

/** `pool.query(sql, f)`, `new Promise(f)` */
function isCalledInRun({ parent }: FunctionNode, module: Module, values: Values): boolean {
  if (parent.type === 'NewExpression') return isGlobal(parent.callee, /^Promise$/, module);
  const method = parent.type === 'CallExpression' ? values.methodOf(parent, module)?.method : undefined;
  return method !== undefined && /^(query|acquire|scoped|open)$/.test(method.does);
}
