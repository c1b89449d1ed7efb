import { groupBy } from '../../group.ts';
import type { Node, TSESTree } from '../module.ts';
import type { Exploration, Visited } from './exploration.ts';
import type { Explorer } from './explore.ts';
import { setupGuard } from './setup.ts';
import type { LeaseSite } from './sites.ts';

/** How a lease fails to come back. */
export type Leak =
  /** Nothing keeps it, so nobody can give it back. */
  | { readonly kind: 'dropped'; readonly site: LeaseSite }
  /** The function has no release at all. */
  | { readonly kind: 'never'; readonly site: LeaseSite }
  /** A way through the function without an exception ends without a release; `exit` is where it ends, or the function that it is the end of. */
  | { readonly kind: 'leaves'; readonly site: LeaseSite; readonly exit: Node }
  /** The next turn of a loop takes another one into the same variable. */
  | { readonly kind: 'overwritten'; readonly site: LeaseSite }
  /** `cause` can throw or reject, and then no release is reached. */
  | { readonly kind: 'raises'; readonly site: LeaseSite; readonly cause: Node; readonly exit: Node | undefined }
  /** As `raises`, but only what sets the lease up, between taking it and the `try` that gives it back. */
  | { readonly kind: 'setup'; readonly site: LeaseSite; readonly cause: Node; readonly guard: TSESTree.TryStatement }
  /** Only a response that is finished gives it back, and one whose caller goes away is not. */
  | { readonly kind: 'unfinished'; readonly site: LeaseSite; readonly listener: Node };

/** How a lease is lost, or undefined when it comes back, moves on, or cannot be told. */
export function leakOf(site: LeaseSite, exploration: Exploration | 'dropped' | undefined, explorer: Explorer): Leak | undefined {
  if (exploration === 'dropped') return { kind: 'dropped', site };
  if (!exploration) return undefined;
  return leakIn(exploration, site, explorer) ?? leakOf(site, exploration.continuation, explorer);
}

function leakIn(exploration: Exploration, site: LeaseSite, explorer: Explorer): Leak | undefined {
  const { lost, states, edges } = exploration;
  if (lost.length === 0) return undefined;
  const losing = reachingWithoutRaise(exploration);
  const begins = states.filter(({ index, holding }) => holding === 'held' && isBeginning(index, exploration));
  if (!states.some(({ holding }) => holding === 'released' || holding === 'escaped')) return { kind: 'never', site };
  const straight = begins.find(({ index }) => losing.has(index));
  if (straight) return lostStraight(straight, losing, exploration, site);
  const causes = edges.filter(({ raisedBy, to }) => raisedBy && losing.has(to) && states[to]?.holding === 'held');
  // What is waited for fails in production; a throwing call is the rarer cause.
  const first = causes.find(({ raisedBy }) => raisedBy?.type === 'AwaitExpression') ?? causes[0];
  if (!first?.raisedBy) return undefined;
  const guard = setupGuard(causes, exploration, site, explorer);
  if (guard) return { kind: 'setup', site, cause: first.raisedBy, guard };
  return { kind: 'raises', site, cause: first.raisedBy, exit: exitOf(first.to, losing, exploration) };
}

/** A state in which the lease was just taken. */
function isBeginning(index: number, { edges, states }: Exploration): boolean {
  const incoming = edges.filter(({ to }) => to === index);
  return incoming.length === 0 || incoming.some(({ from, raisedBy }) => !raisedBy && states[from]?.holding !== 'held');
}

function reachingWithoutRaise({ lost, edges }: Exploration): ReadonlySet<number> {
  const before = groupBy(
    edges.filter(({ raisedBy }) => !raisedBy),
    ({ to }) => to,
  );
  const reaching = new Set(lost.map(({ index }) => index));
  for (const index of reaching) for (const { from } of before.get(index) ?? []) reaching.add(from);
  return reaching;
}

function lostStraight(begin: Visited, losing: ReadonlySet<number>, exploration: Exploration, site: LeaseSite): Leak {
  const path = pathToLoss(begin.index, losing, exploration);
  const last = path.at(-1);
  if (last && last.step.kind !== 'returned') return { kind: 'overwritten', site };
  return { kind: 'leaves', site, exit: leavingNode(path) ?? exploration.fn };
}

function exitOf(from: number, losing: ReadonlySet<number>, exploration: Exploration): Node | undefined {
  return leavingNode(pathToLoss(from, losing, exploration));
}

/** The shortest way from a state to a loss without an exception. */
function pathToLoss(from: number, losing: ReadonlySet<number>, { edges, states, lost }: Exploration): readonly Visited[] {
  const next = groupBy(
    edges.filter(({ raisedBy, to }) => !raisedBy && losing.has(to)),
    ({ from }) => from,
  );
  const ends = new Set(lost.map(({ index }) => index));
  const cameFrom = new Map<number, number | undefined>([[from, undefined]]);
  for (const [index] of cameFrom) {
    if (ends.has(index)) return trace(index, cameFrom, states);
    for (const { to } of next.get(index) ?? []) if (!cameFrom.has(to)) cameFrom.set(to, index);
  }
  return [];
}

function trace(end: number, cameFrom: ReadonlyMap<number, number | undefined>, states: readonly Visited[]): readonly Visited[] {
  const path: Visited[] = [];
  for (let index: number | undefined = end; index !== undefined; index = cameFrom.get(index)) {
    const state = states[index];
    if (state) path.unshift(state);
  }
  return path;
}

/** The `return`, `throw` or jump by which a path leaves; undefined when it runs to the end. */
function leavingNode(path: readonly Visited[]): Node | undefined {
  const nodes = path.flatMap(({ step }) => ('node' in step ? [step.node] : []));
  return (
    nodes.findLast(({ type }) => /^(Return|Throw)Statement$/.test(type)) ??
    nodes.findLast(({ type }) => /^(Break|Continue)Statement$/.test(type))
  );
}
