import type { Handler } from '../handlers/handlers.ts';
import { isWithin } from '../leases/sites.ts';
import type { Module, Node, TSESTree } from '../module.ts';
import type { PoolSite } from '../pools.ts';
import { unitOf, type Unit } from '../units.ts';
import type { PoolUses } from '../uses/pool-uses.ts';
import { endsProcess } from '../uses/process.ts';
import { isLocal, keeperOf, targetOf } from '../uses/same-pool.ts';
import type { Values } from '../values.ts';
import type { Call } from './calls.ts';
import { runsOnce } from './once.ts';
import { wayTo, type Runs } from './runs.ts';

/** A pool that outlives what runs again and again, and the call by which that closes it. */
export interface Ending {
  readonly site: PoolSite;
  readonly module: Module;
  readonly call: TSESTree.CallExpression;
  /** It is open again when it is needed next. */
  readonly reopens: boolean;
  readonly handler: Handler;
  /** From the handler to the unit that closes it. */
  readonly calls: readonly Call[];
}

export interface Root {
  readonly pools: readonly PoolSite[];
  readonly values: Values;
  readonly poolUses: PoolUses;
  /** What runs again and again. */
  runs(): Runs;
}

/** The shared pools that handlers close. */
export function endingsIn({ pools, values, poolUses, runs }: Root): readonly Ending[] {
  const closings = pools.flatMap((site) => closingsOf(site, poolUses, values));
  return closings.flatMap((closing) => {
    const way = wayTo(closing.unit, runs(), values);
    const isWanted = way && isShared(closing.site, way.handler, values) && !endsProcess(way.handler.unit, values);
    return isWanted ? [{ ...closing, ...way }] : [];
  });
}

interface Closing extends Omit<Ending, 'handler' | 'calls'> {
  readonly unit: Unit;
}

function closingsOf(site: PoolSite, poolUses: PoolUses, values: Values): readonly Closing[] {
  if (site.module.role !== 'production') return [];
  return poolUses.closings(site).flatMap(({ module, member, name }) => {
    const call = member.parent;
    const unit = unitOf(member);
    if (module.role !== 'production' || call.type !== 'CallExpression' || call.callee !== member || !unit) return [];
    return isReplaced(member, unit, module, site) || runsOnce(call, module, values)
      ? []
      : [{ site, module, call, unit, reopens: reopens(name, unit, site, poolUses) }];
  });
}

function reopens(name: string, unit: Unit, site: PoolSite, poolUses: PoolUses): boolean {
  const method = site.resource.methods[name];
  const until = method?.does === 'close' ? method.until : undefined;
  return until === 'used' || (until === 'opened' && poolUses.openings(site).some(({ member }) => unitOf(member) === unit));
}

/** Whether the function that closes a pool puts another one, or nothing, into its place. */
function isReplaced(member: TSESTree.MemberExpression, unit: Unit, module: Module, site: PoolSite): boolean {
  const text = (node: Node) => module.text.content.slice(...node.range);
  return module
    .nodes('AssignmentExpression')
    .some(
      (assignment) =>
        isWithin(assignment, unit) &&
        (text(assignment.left) === text(member.object) || targetOf(assignment.left, module) === keeperOf(site)),
    );
}

/** Whether the pool is the same for all runs of a handler: made once and kept, or made outside it. */
export function isShared(site: PoolSite, handler: Handler, values: Values): boolean {
  const { node, module } = site;
  const unit = unitOf(node);
  if (!unit || (runsOnce(node, module, values) && !isLocal(site))) return true;
  return handler.unit.module === module && handler.unit.node !== unit && isWithin(handler.unit.node, unit);
}
