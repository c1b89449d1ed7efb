import { successorsOf, type Step } from '../steps.ts';
import { bare, propertyName } from '../module.ts';
import type { Module, Node } from '../module.ts';
import type { Start } from './exploration.ts';
import type { Explorer } from './explore.ts';
import { isMember } from './members.ts';
import { passingOf } from './passing.ts';

/** The steps after which a function still gives its lease back: whoever is passed it there has not kept it. */
export function stepsBeforeRelease(entry: Step, start: Start, module: Module, explorer: Explorer): ReadonlySet<Step> {
  const before = new Map<Step, Step[]>();
  const releasing: Step[] = [];
  const seen = new Set([entry]);
  for (const step of seen) {
    if (isRelease(step, start, module, explorer)) releasing.push(step);
    for (const next of successorsOf(step, () => false)) {
      seen.add(next);
      const known = before.get(next);
      if (known) known.push(step);
      else before.set(next, [step]);
    }
  }
  const reaching = new Set(releasing);
  for (const step of reaching) for (const previous of before.get(step) ?? []) reaching.add(previous);
  return reaching;
}

/** A call that gives the lease back by the name of its first holder. */
function isRelease(step: Step, { holder, releaser, member, lease }: Start, module: Module, explorer: Explorer): boolean {
  if (step.kind !== 'evaluate' || step.node.type !== 'CallExpression') return false;
  const { callee } = step.node;
  if (callee.type === 'Identifier' && releaser !== undefined && module.variableOf(callee) === releaser) return true;
  const isHolder = (node: Node) =>
    (node.type === 'Identifier' && holder !== undefined && module.variableOf(node) === holder) ||
    (member !== undefined && isMember(node, member, module));
  const method = callee.type === 'MemberExpression' ? lease.resource.methods[propertyName(callee) ?? ''] : undefined;
  if (callee.type === 'MemberExpression' && method?.does === 'release' && isHolder(bare(callee.object))) return true;
  const passing = passingOf(step.node, module, isHolder);
  if (!passing) return false;
  const helper = explorer.values.calledFunction(step.node, module);
  if (helper) return explorer.fatesOfPassed(passing, helper, lease).returned === 'released';
  return explorer.values.methodOf(step.node, module)?.method.does === 'release';
}
