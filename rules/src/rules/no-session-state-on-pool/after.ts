import { groupBy } from '../../group.ts';
import type { Edge, Exploration, Visited } from '../../source/leases/exploration.ts';
import { bare } from '../../source/module.ts';
import type { Node } from '../../source/module.ts';

/** The states in which a call has succeeded while the lease is held. */
export function statesAfter(call: Node, { states, edges }: Exploration): readonly Visited[] {
  return edges.flatMap(({ from, to, raisedBy }) => {
    const before = states[from];
    const after = states[to];
    return before && after && !raisedBy && before.holding === 'held' && isDoneBy(before, call) ? [after] : [];
  });
}

function isDoneBy({ step }: Visited, call: Node): boolean {
  if (step.kind !== 'evaluate') return false;
  return step.node.type === 'AwaitExpression' ? bare(step.node.argument) === call : step.node === call && !isAwaited(call);
}

function isAwaited(call: Node): boolean {
  const { parent } = call;
  return parent !== undefined && (parent.type === 'AwaitExpression' || (bare(parent) !== parent && isAwaited(parent)));
}

/** A step of a way, and what has failed on the way so far. */
export type Passed = Edge & { readonly failures: readonly Node[] };

/** The ways on from some states, as long as `goesOn` says; each edge once, the nearest first. */
export function edgesFrom(
  starts: readonly Visited[],
  { states, edges }: Pick<Exploration, 'states' | 'edges'>,
  goesOn: (state: Visited) => boolean,
): readonly Passed[] {
  const onward = groupBy(edges, ({ from }) => from);
  const seen = new Map<number, readonly Node[]>(starts.map(({ index }) => [index, []]));
  const passed: Passed[] = [];
  for (const [index, before] of seen) {
    const state = states[index];
    if (!state || !goesOn(state)) continue;
    for (const edge of onward.get(index) ?? []) {
      const failures = edge.raisedBy ? [...before, edge.raisedBy] : before;
      passed.push({ ...edge, failures });
      if (!seen.has(edge.to)) seen.set(edge.to, failures);
    }
  }
  return passed;
}
