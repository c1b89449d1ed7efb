import { controlFlow } from '../cfg.ts';
import { Conditions, type Facts } from '../leases/facts.ts';
import type { FunctionNode, Node } from '../module.ts';
import { stepsFrom, successorsOf, type Step } from '../steps.ts';
import type { Sited } from '../value.ts';

/** Those of some nodes of a function that it comes to when some facts hold from its start to its end. */
export function reachedBy(nodes: readonly Node[], { node: fn, module }: Sited<FunctionNode>, facts: Facts): readonly Node[] {
  const entry = nodes.length > 0 ? controlFlow(fn) : undefined;
  if (!entry) return nodes;
  const reached = new Set(nodesOf(stepsUnder(entry, new Conditions(module, entry), facts)));
  const passedBy = new Set(nodesOf(stepsFrom(entry)).filter((node) => !reached.has(node)));
  return nodes.filter((node) => !isWithinAny(node, passedBy, fn));
}

function stepsUnder(entry: Step, conditions: Conditions, facts: Facts): Iterable<Step> {
  const seen = new Set([entry]);
  for (const step of seen) {
    const truth = step.kind === 'branch' ? conditions.truth(step.test, facts) : undefined;
    for (const next of successorsOf(step, () => true)) {
      const isRuledOut = step.kind === 'branch' && truth !== undefined && next !== (truth ? step.ifTrue : step.ifFalse);
      if (!isRuledOut) seen.add(next);
    }
  }
  return seen;
}

function nodesOf(steps: Iterable<Step>): readonly Node[] {
  return [...steps].flatMap((step) => ('node' in step ? [step.node] : []));
}

function isWithinAny(node: Node, outer: ReadonlySet<Node>, root: FunctionNode): boolean {
  for (let at: Node | undefined = node; at && at !== root; at = at.parent) if (outer.has(at)) return true;
  return false;
}
