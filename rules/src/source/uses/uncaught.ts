import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import type { Project } from '../../project.ts';
import { roleOf } from '../../role.ts';
import type { Module, TSESTree } from '../module.ts';
import type { ImportGraph } from '../relevance.ts';
import type { Values } from '../values.ts';
import { endsProcess, isOfProcess } from './process.ts';

export interface Sources {
  readonly project: Project;
  readonly graph: ImportGraph;
  readonly values: Values;
  module(path: string): Module | undefined;
}

const event = 'uncaughtException';

/** The files that run in processes which live on after an exception that nothing catches. */
export function survivorsOf({ project, graph, values, module }: Sources): ReadonlySet<string> {
  const listening = project.list().filter((path) => {
    const isCandidate = isJavaScript(path) && roleOf(path) === 'production' && project.readText(path)?.includes(event);
    const read = isCandidate ? module(path) : undefined;
    return read?.nodes('CallExpression').some((call) => outlivesException(call, read, values));
  });
  const loaded = new Set(graph.reaching(listening).filter((path) => roleOf(path) === 'production'));
  for (const path of loaded) for (const imported of graph.importsOf(path)) loaded.add(imported);
  return loaded;
}

/** `process.on('uncaughtException', f)` with an f that does not end the process. */
function outlivesException(call: TSESTree.CallExpression, module: Module, values: Values): boolean {
  const [name, listener] = call.arguments;
  if (!isOfProcess(call.callee, /^(on|once|addListener|prependListener)$/, module)) return false;
  if (name?.type !== 'Literal' || name.value !== event || !listener) return false;
  const value = values.valueOf(listener, module);
  return value?.kind !== 'function' || !endsProcess(value.at, values);
}
