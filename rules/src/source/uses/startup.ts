import { nestStart } from '../../knowledge/frameworks/nest.ts';
import type { Use } from '../handlers/origins.ts';
import { keyName } from '../module.ts';
import type { FunctionNode, Module, Node } from '../module.ts';
import { isClass, unitOf } from '../units.ts';
import type { Values } from '../values.ts';

interface Sources {
  readonly values: Values;
  usesOf(fn: FunctionNode): readonly Use[];
}

/** Whether it is plain that code runs once in each process: as its module is loaded, in what is called only then, or in a hook for the start. */
export function runsAtStart(node: Node, module: Module, sources: Sources, seen: readonly Node[] = []): boolean {
  const unit = unitOf(node);
  if (isInLoop(node, unit)) return false;
  if (!unit) return true;
  if (isClass(unit) || seen.includes(unit)) return false;
  if (isStartHook(unit, module, sources.values)) return true;
  const uses = sources.usesOf(unit);
  return uses.length > 0 && uses.every((use) => use.position === undefined && runsAtStart(use.call, use.module, sources, [...seen, unit]));
}

function isInLoop(node: Node, root: Node | undefined): boolean {
  for (let at: Node | undefined = node; at && at !== root; at = at.parent)
    if (/^(For|ForOf|ForIn|While|DoWhile)Statement$/.test(at.type)) return true;
  return false;
}

/** `onModuleInit` of a class that Nest makes. */
function isStartHook({ parent: method }: FunctionNode, module: Module, values: Values): boolean {
  if (method.type !== 'MethodDefinition' || !nestStart.methods.some((name) => name === keyName(method))) return false;
  return method.parent.parent.decorators.some(
    ({ expression }) => expression.type === 'CallExpression' && values.exportOf(expression.callee, module)?.package === nestStart.specifier,
  );
}
