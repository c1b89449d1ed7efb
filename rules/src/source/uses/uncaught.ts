import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import type { Project } from '../../project.ts';
import { roleOf } from '../../role.ts';
import type { Module, Node, TSESTree } from '../module.ts';
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
  const isProduction = (path: string) => roleOf(path, project.readText(path)) === 'production';
  const listening = project.list().filter((path) => {
    const read = isJavaScript(path) && project.readText(path)?.includes(event) ? module(path) : undefined;
    return read?.role === 'production' && outlivesExceptions(read, values);
  });
  const loaded = new Set(graph.reaching(listening).filter(isProduction));
  for (const path of loaded) for (const imported of graph.importsOf(path)) loaded.add(imported);
  return loaded;
}

/** `process.on('uncaughtException', f)`, and no such f ends the process. */
function outlivesExceptions(module: Module, values: Values): boolean {
  const listeners = module.nodes('CallExpression').flatMap((call) => listenerOf(call, module) ?? []);
  const ending = listeners.filter((listener) => {
    const value = values.valueOf(listener, module);
    return value?.kind === 'function' && endsProcess(value.at, values);
  });
  return listeners.length > 0 && ending.length === 0;
}

function listenerOf({ callee, arguments: [name, listener] }: TSESTree.CallExpression, module: Module): Node | undefined {
  const isWanted = name?.type === 'Literal' && name.value === event;
  return isWanted && isOfProcess(callee, /^(on|once|addListener|prependListener)$/, module) ? listener : undefined;
}
