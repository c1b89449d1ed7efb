import type { Project } from '../../project.ts';
import type { Handler } from '../handlers/handlers.ts';
import { isWithin } from '../leases/sites.ts';
import type { Module, Node, TSESTree } from '../module.ts';
import type { PoolSite } from '../pools.ts';
import { unitOf, type Unit } from '../units.ts';
import type { PoolUses } from '../uses/pool-uses.ts';
import { endsProcess } from '../uses/process.ts';
import { keeperOf, targetOf } from '../uses/same-pool.ts';
import type { Values } from '../values.ts';
import type { Call } from './calls.ts';
import { runsOnce } from './once.ts';
import { runsIn, type Runs } from './runs.ts';

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
  readonly project: Project;
  readonly pools: readonly PoolSite[];
  readonly values: Values;
  readonly poolUses: PoolUses;
  /** Some modules, and all that reach one of them through imports. */
  reaching(paths: readonly string[]): readonly Module[];
}

/** The shared pools that handlers close. */
export function endingsIn({ project, pools, values, poolUses, reaching }: Root): readonly Ending[] {
  const closings = pools.flatMap((site) => closingsOf(site, poolUses, values));
  if (closings.length === 0) return [];
  const modules = reaching(closings.map(({ module }) => module.path)).filter(({ role }) => role === 'production');
  const runs = runsIn(modules, project, values);
  return closings.flatMap((closing) => {
    const way = wayTo(closing.unit, runs, values);
    return way && isShared(closing.site, way.handler, values) ? [{ ...closing, ...way }] : [];
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

/** Whether the pool is the same for all runs of a handler: made once, or outside it. */
function isShared({ node, module }: PoolSite, handler: Handler, values: Values): boolean {
  const unit = unitOf(node);
  if (!unit || runsOnce(node, module, values)) return true;
  return handler.unit.module === module && handler.unit.node !== unit && isWithin(handler.unit.node, unit);
}

/** The nearest handler that runs a unit, and the calls from there. */
function wayTo(unit: Unit, { handlers, callers }: Runs, values: Values): Pick<Ending, 'handler' | 'calls'> | undefined {
  const steps: { readonly unit: Unit; readonly calls: readonly Call[] }[] = [{ unit, calls: [] }];
  const seen = new Set([unit]);
  for (const step of steps) {
    const handler = handlers.get(step.unit);
    if (handler) return endsProcess(handler.unit, values) ? undefined : { handler, calls: step.calls };
    for (const call of callers.get(step.unit) ?? []) {
      if (seen.has(call.from.node) || (call.node && runsOnce(call.node, call.from.module, values))) continue;
      seen.add(call.from.node);
      steps.push({ unit: call.from.node, calls: [call, ...step.calls] });
    }
  }
  return undefined;
}
