import type { Project } from '../../project.ts';
import { Conventions } from '../handlers/conventions.ts';
import { handlersIn, type Handler } from '../handlers/handlers.ts';
import { Origins } from '../handlers/origins.ts';
import type { Module } from '../module.ts';
import type { Unit } from '../units.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { callsOf, usesIn, type Call } from './calls.ts';
import { runsOnce } from './once.ts';

/** What runs again and again, and who calls whom from there. */
export interface Runs {
  readonly handlers: ReadonlyMap<Unit, Handler>;
  readonly callers: Callers;
}

export type Callers = ReadonlyMap<Unit, readonly Call[]>;

/** From a handler to something that it runs. */
export interface Way {
  readonly handler: Handler;
  readonly calls: readonly Call[];
}

/** The nearest handler that runs a unit each time, and the calls from there. */
export function wayTo(unit: Unit, { handlers, callers }: Runs, values: Values): Way | undefined {
  const steps: { readonly unit: Unit; readonly calls: readonly Call[] }[] = [{ unit, calls: [] }];
  const seen = new Set([unit]);
  for (const step of steps) {
    const handler = handlers.get(step.unit);
    if (handler) return { handler, calls: step.calls };
    for (const call of callers.get(step.unit) ?? []) {
      if (seen.has(call.from.node) || (call.node && runsOnce(call.node, call.from.module, values))) continue;
      seen.add(call.from.node);
      steps.push({ unit: call.from.node, calls: [call, ...step.calls] });
    }
  }
  return undefined;
}

/** The handlers of some modules, and what they run there. */
export function runsIn(modules: readonly Module[], project: Project, values: Values): Runs {
  const handlers = handlersOf(modules, project, values);
  return { handlers, callers: callersFrom([...handlers.values()], modules, values) };
}

function handlersOf(modules: readonly Module[], project: Project, values: Values): ReadonlyMap<Unit, Handler> {
  let uses: ReturnType<typeof usesIn> | undefined;
  const origins = new Origins(values, (fn) => (uses ??= usesIn(modules, values)).get(fn) ?? []);
  const conventions = new Conventions(project);
  const handlers = new Map<Unit, Handler>();
  for (const module of modules) {
    const sources = { values, origins };
    for (const handler of [...conventions.handlersIn(module, sources), ...handlersIn(module, sources)]) {
      if (!handlers.has(handler.unit.node)) handlers.set(handler.unit.node, handler);
    }
  }
  return handlers;
}

/** Who calls whom, from the handlers on, within some modules. */
function callersFrom(handlers: readonly Handler[], modules: readonly Module[], values: Values): Callers {
  const within = new Set(modules);
  const callers = new Map<Unit, Call[]>();
  const reached = new Map<Unit, Sited<Unit>>(handlers.map(({ unit }) => [unit.node, unit]));
  for (const unit of reached.values()) {
    for (const call of callsOf(unit, values)) {
      if (!within.has(call.to.module)) continue;
      const known = callers.get(call.to.node);
      if (known) known.push(call);
      else callers.set(call.to.node, [call]);
      reached.set(call.to.node, call.to);
    }
  }
  return callers;
}

/** Whether a unit comes to run again because of its own run: it calls itself, or what it listens for or waits for does. */
export function runsItself(unit: Sited<Unit>, values: Values): boolean {
  const reached = new Map<Unit, Sited<Unit>>([[unit.node, unit]]);
  for (const each of reached.values()) {
    for (const { to } of callsOf(each, values)) {
      if (to.node === unit.node) return true;
      reached.set(to.node, to);
    }
  }
  return false;
}
