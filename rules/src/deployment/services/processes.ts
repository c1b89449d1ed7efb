import type { Place } from '@poolcheck/parsers/text';
import { assumed, defaulted, either, type Known, product, sum, weakest, written } from '../../known.ts';
import type { Project } from '../../project.ts';
import { type Forks, forksIn } from '../../source/forks.ts';
import type { Program } from '../../source/program.ts';
import { evaluate, type Environment } from '../../source/setting.ts';
import type { Application } from './applications.ts';
import { processesOfApp } from './pm2.ts';
import type { Run } from './runs.ts';
import { workersOf } from './workers.ts';

export interface ProcessSources {
  readonly program: Program;
  readonly project: Project;
}

/** Operating-system processes in one instance, each with pools of its own. */
export function processesOf(
  { app, loads }: Application,
  runs: readonly Run[],
  environment: Environment,
  owner: Place,
  { program, project }: ProcessSources,
): Known {
  const forked = loads && 'modules' in loads ? forkedBy(loads.modules, environment, program) : undefined;
  if (app === 'unknown') return assumed(1, Infinity, 'the processes of a PM2 configuration', owner);
  if (app) {
    const started = processesOfApp(app, environment);
    return forked ? product([started, forked]) : started;
  }
  const workers = runs.flatMap((run) => workersOf(run, environment, project) ?? []);
  if (workers.length > 0) return either(workers);
  return forked ?? defaulted(1, 'one process', owner);
}

/** What the modules that are started fork, themselves or through what they import; undefined: nothing. */
function forkedBy(modules: readonly string[], environment: Environment, program: Program): Known | undefined {
  const forks = loadedBy(modules, program)
    .flatMap((path) => program.module(path) ?? [])
    .flatMap((module) => forksIn(module, program));
  const counts = forks.map((each) => countOf(each, environment)).filter(({ high }) => high > 0);
  if (counts.length === 0) return undefined;
  const total = sum(counts);
  return { ...total, low: Math.max(1, total.low) };
}

function loadedBy(modules: readonly string[], { graph }: Program): readonly string[] {
  const seen = new Set(modules);
  for (const path of seen) for (const imported of graph.importsOf(path)) seen.add(imported);
  return [...seen];
}

function countOf({ count, conditions }: Forks, environment: Environment): Known {
  const tests = conditions.map((condition) => evaluate(condition, environment));
  if (tests.some((test) => test?.every(({ value }) => !value))) return written(0, 'no workers', count.place);
  const outcomes = evaluate(count, environment);
  const forks = outcomes?.map(({ value, places }) => ({ workers: Math.floor(Number(value)), place: places[0] ?? count.place })) ?? [];
  const known =
    forks.length > 0 && forks.every(({ workers }) => workers >= 0)
      ? either(forks.map(({ workers, place }) => written(workers, `${workers} workers of node:cluster`, place)))
      : assumed(1, Infinity, 'how many workers node:cluster starts is not known, or depends on the machine', count.place);
  const isSure = tests.every((test) => test?.every(({ value }) => Boolean(value)));
  return isSure ? known : { ...known, low: Math.min(1, known.low), source: weakest([known.source, 'assumed']) };
}
