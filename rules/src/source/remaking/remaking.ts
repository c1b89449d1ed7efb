import type { Project } from '../../project.ts';
import type { Call } from './calls.ts';
import { dependenceAt, dependenceOf, type Dependence } from './dependence.ts';
import type { Handler } from '../handlers/handlers.ts';
import { isIsolate } from '../handlers/isolates.ts';
import { fateOf, type Fate } from './keeping.ts';
import { runsOnce } from './once.ts';
import type { Callers, Runs } from './runs.ts';
import type { PoolSite } from '../pools.ts';
import { unitOf, type Unit } from '../units.ts';
import type { Values } from '../values.ts';

/** A pool or connection that is made again and again, and the way from what runs again and again to its construction. */
export interface Remaking {
  readonly site: PoolSite;
  readonly handler: Handler;
  /** From the handler to the unit that makes it. */
  readonly calls: readonly Call[];
  /** It is closed again on the way. */
  readonly closed: boolean;
}

export interface Root {
  readonly project: Project;
  readonly pools: readonly PoolSite[];
  readonly values: Values;
  /** What runs again and again. */
  runs(): Runs;
}

/** The pools and connections that handlers make each time that they run. */
export function remakingsIn({ project, pools, values, runs }: Root): readonly Remaking[] {
  const candidates = pools.flatMap((site) => candidateOf(site, project, values) ?? []);
  if (candidates.length === 0) return [];
  const { handlers, callers } = runs();
  return candidates.flatMap((candidate) => new Search(handlers, callers, values).from(candidate) ?? []);
}

/** A construction that runs whenever its unit does. */
interface Candidate {
  readonly site: PoolSite;
  readonly unit: Unit;
  readonly fate: Fate;
}

function candidateOf(site: PoolSite, project: Project, values: Values): Candidate | undefined {
  const { node, module, resource } = site;
  const unit = unitOf(node);
  const isWanted = resource.badPerRequest ?? site.role === 'pool';
  if (!unit || !isWanted || module.role !== 'production' || isIsolate(module, project) || runsOnce(node, module, values)) return undefined;
  const fate = fateOf(node, module, values);
  return fate.kept || fate.listens ? undefined : { site, unit, fate };
}

interface Step {
  readonly unit: Unit;
  /** The callers get the pool, too. */
  readonly carried: boolean;
  readonly closed: boolean;
  /** What its target depends on here. */
  readonly target: Dependence;
  readonly calls: readonly Call[];
}

/** Goes back from a construction to the nearest handler that makes it run. */
class Search {
  readonly #handlers: ReadonlyMap<Unit, Handler>;
  readonly #callers: Callers;
  readonly #values: Values;

  constructor(handlers: ReadonlyMap<Unit, Handler>, callers: Callers, values: Values) {
    this.#handlers = handlers;
    this.#callers = callers;
    this.#values = values;
  }

  from({ site, unit, fate }: Candidate): Remaking | undefined {
    if (this.#isKept(fate, unit)) return undefined;
    const target = dependenceOf(site.node.arguments, unit, site.module);
    const steps: Step[] = [{ unit, carried: fate.returned, closed: fate.closings.length > 0, target, calls: [] }];
    const seen = new Set([unit]);
    for (const step of steps) {
      const handler = this.#handlers.get(step.unit);
      if (handler && !(handler.isSent && step.carried) && !isForItsCaller(step))
        return { site, handler, calls: step.calls, closed: step.closed };
      for (const call of this.#callers.get(step.unit) ?? []) {
        const next = seen.has(call.from.node) ? undefined : this.#back(step, call);
        if (!next) continue;
        seen.add(next.unit);
        steps.push(next);
      }
    }
    return undefined;
  }

  #back(step: Step, call: Call): Step | undefined {
    const { from, node } = call;
    const calls = [call, ...step.calls];
    if (!node) return { ...step, unit: from.node, calls };
    if (runsOnce(node, from.module, this.#values)) return undefined;
    const target = dependenceAt(call, step.target);
    if (!step.carried) return { ...step, unit: from.node, target, calls };
    const fate = fateOf(node, from.module, this.#values);
    if (this.#isKept(fate, from.node) || fate.listens) return undefined;
    return { unit: from.node, carried: fate.returned, closed: step.closed || fate.closings.length > 0, target, calls };
  }

  #isKept(fate: Fate, unit: Unit): boolean {
    return fate.kept || (fate.givenAway && !this.#handlers.has(unit));
  }
}

/** A connection test, a provisioning step: it connects to what the caller asks for, and closes again. */
function isForItsCaller({ target, closed }: Step): boolean {
  return closed && (target.changes || target.parameters.size > 0);
}
