import { groupBy } from '../../group.ts';
import type { Node } from '../module.ts';
import type { Edge, Exploration, Visited } from './exploration.ts';

/** The shortest way to a state from where a condition began to hold: the edges, the one into the condition first. */
export function pathSince(end: Visited, { states, edges }: Exploration, holds: (state: Visited) => boolean): readonly Edge[] {
  const incoming = groupBy(edges, ({ to }) => to);
  const onward = new Map<number, Edge>();
  const seen = new Set([end.index]);
  for (const index of seen) {
    for (const edge of incoming.get(index) ?? []) {
      const from = states[edge.from];
      if (!from || seen.has(edge.from)) continue;
      onward.set(edge.from, edge);
      if (!holds(from)) return walkOn(edge, onward, end.index);
      seen.add(edge.from);
    }
  }
  return [];
}

function walkOn(first: Edge, onward: ReadonlyMap<number, Edge>, end: number): readonly Edge[] {
  const path = [first];
  for (let edge: Edge | undefined = first; edge && edge.to !== end; edge = onward.get(edge.to)) {
    const next = onward.get(edge.to);
    if (next) path.push(next);
  }
  return path;
}

/** The node that a step evaluates. */
export function nodeAt(index: number, { states }: Exploration): Node | undefined {
  const step = states[index]?.step;
  return step && 'node' in step ? step.node : undefined;
}

/** What fails on a path, the last first: the throw or rejection that leads to its end. */
export function lastFailure(path: readonly Edge[]): Node | undefined {
  return path.findLast(({ raisedBy }) => raisedBy)?.raisedBy;
}

/** The states that are reached from taking the lease without anything failing on the way. */
export function reachedWithoutFailure({ states, edges }: Exploration): ReadonlySet<number> {
  const onward = groupBy(
    edges.filter(({ raisedBy }) => !raisedBy),
    ({ from }) => from,
  );
  const reached = new Set(states.slice(0, 1).map(({ index }) => index));
  for (const index of reached) for (const { to } of onward.get(index) ?? []) reached.add(to);
  return reached;
}
