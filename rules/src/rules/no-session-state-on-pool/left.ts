import type { Exploration, Visited } from '../../source/leases/exploration.ts';
import { noFacts } from '../../source/leases/facts.ts';
import { isHealthyRelease } from '../../source/leases/healthy.ts';
import { mayReset } from '../../source/leases/resets.ts';
import { hostOf, type LeaseSite } from '../../source/leases/sites.ts';
import { bare } from '../../source/module.ts';
import type { Module, Node, TSESTree } from '../../source/module.ts';
import type { Program } from '../../source/program.ts';
import type { Sending } from '../../source/statements.ts';
import { statesOf, type SessionState } from '../../sql/session-state.ts';
import { edgesFrom, statesAfter } from './after.ts';
import { lendingsTo } from './helpers.ts';
import { undoers, type Undoes } from './undone.ts';

/** State that is set on a lease and still there when the lease goes back. */
export interface LeftState {
  readonly sending: Sending;
  readonly state: SessionState;
  readonly site: LeaseSite;
  readonly release: Node;
  readonly releasedIn: Module;
  /** What must fail for it; undefined: nothing. */
  readonly cause: Node | undefined;
}

/** The state that the leases of a module carry back to their pools. */
export function leftStatesIn(module: Module, program: Program): readonly LeftState[] {
  const sendings = program.sendingsIn(module).filter(({ through }) => through === 'lease');
  const setting = sendings.flatMap((sending) => stateSet(sending).map((state) => ({ sending, state })));
  if (setting.length === 0) return [];
  const undoes = undoers(program);
  const sites = program.leases.in(module);
  return setting.flatMap(({ sending, state }) => {
    const own = sites.filter(({ fn }) => fn === hostOf(sending.call));
    return own.length > 0
      ? own.flatMap((site) => leftOn(site, sending, state, program, undoes) ?? [])
      : (leftByHelper(sending, state, program, undoes) ?? []);
  });
}

/** Parameters that nobody's results depend on. */
const harmless: ReadonlySet<string | undefined> = new Set(['application_name', 'client_encoding', 'names']);

/** The state that matters to the next borrower and is not taken back by the same string. */
function stateSet({ statements, dialect }: Sending): readonly SessionState[] {
  const states = statements.flatMap((statement) => (isGuarded(statement) ? [] : statesOf(statement, dialect)));
  const [state] = states.some(({ undoes }) => undoes) ? [] : states.filter(isOfNextBorrower);
  return state ? [state] : [];
}

/** `IF NOT EXISTS` expects to find it. */
function isGuarded({ tokens }: Sending['statements'][number]): boolean {
  return tokens.some(({ kind, value }) => kind === 'word' && value?.toLowerCase() === 'exists');
}

function isOfNextBorrower({ kind, parameter }: SessionState): boolean {
  if (kind === 'library' || kind === 'cursor') return false;
  return !harmless.has(parameter) && !parameter?.startsWith('@');
}

function leftOn(site: LeaseSite, sending: Sending, state: SessionState, program: Program, undoes: Undoes): LeftState | undefined {
  const exploration = program.leases.exploration(site);
  if (!exploration || exploration === 'dropped' || mayReset(site, program.values)) return undefined;
  if (state.kind === 'lock' && undoes.anywhere(state, site)) return undefined;
  if (undoes.isRestoring(state, sending)) return undefined;
  const set = statesAfter(sending.call, exploration);
  const here = releaseAfter(set, exploration, site, state, sending, undoes);
  if (here) return { sending, state, site, releasedIn: site.module, ...here };
  return isReturnedAfter(set, exploration, site, state, undoes) ? leftByCaller(site, sending, state, program, undoes) : undefined;
}

interface Release {
  readonly release: Node;
  readonly cause: Node | undefined;
}

/** The first healthy release that is reached with the state still there; one without a failure on the way goes first. */
function releaseAfter(
  starts: readonly Visited[],
  exploration: Exploration,
  site: LeaseSite,
  state: SessionState,
  sending: Sending,
  undoes: Undoes,
): Release | undefined {
  const { states, edges } = exploration;
  const isStillSet = (at: Visited) => at.holding === 'held' && !undoes.at(at, state, sending, site, starts);
  const straight = edges.filter(({ raisedBy }) => !raisedBy);
  for (const ways of [straight, edges]) {
    for (const { from, to, raisedBy, failures } of edgesFrom(starts, { states, edges: ways }, isStillSet)) {
      const node = nodeOf(states[from]);
      const isRelease = !raisedBy && states[to]?.holding === 'released' && isHealthyRelease(node, site, states[from]?.facts ?? noFacts);
      if (node && isRelease) return { release: node, cause: failures.at(-1) };
    }
  }
  return undefined;
}

function nodeOf(state: Visited | undefined): TSESTree.CallExpression | undefined {
  const node = state?.step.kind === 'evaluate' ? bare(state.step.node) : undefined;
  return node?.type === 'CallExpression' ? node : undefined;
}

function isReturnedAfter(
  starts: readonly Visited[],
  exploration: Exploration,
  site: LeaseSite,
  state: SessionState,
  undoes: Undoes,
): boolean {
  const edges = edgesFrom(starts, exploration, (at) => at.holding === 'held' && !undoes.at(at, state, undefined, site, starts));
  return edges.some(({ from, to }) => {
    const step = exploration.states[from]?.step;
    const node = step?.kind === 'evaluate' ? step.node : undefined;
    return exploration.states[to]?.holding === 'escaped' && node?.type === 'Identifier' && isReturned(node);
  });
}

function isReturned({ parent }: Node): boolean {
  if (parent?.type === 'ReturnStatement') return true;
  return parent !== undefined && bare(parent) !== parent && isReturned(parent);
}

/** Who calls a function that takes the lease, sets it up and returns it, gives it back. */
function leftByCaller(site: LeaseSite, sending: Sending, state: SessionState, program: Program, undoes: Undoes): LeftState | undefined {
  for (const caller of program.modules.flatMap((module) => program.leases.in(module))) {
    if (program.values.calledFunction(caller.node, caller.module)?.node !== site.fn) continue;
    const exploration = program.leases.exploration(caller);
    if (!exploration || exploration === 'dropped') continue;
    const release = releaseAfter(takenIn(exploration), exploration, caller, state, sending, undoes);
    if (release) return { sending, state, site, releasedIn: caller.module, ...release };
  }
  return undefined;
}

/** A function that is given the lease leaves it so, and who calls it gives it back. */
function leftByHelper(sending: Sending, state: SessionState, program: Program, undoes: Undoes): LeftState | undefined {
  for (const { site, call } of lendingsTo(sending, program)) {
    const exploration = program.leases.exploration(site);
    if (!exploration || exploration === 'dropped' || mayReset(site, program.values)) continue;
    if (undoes.inFunction(state, sending) || (state.kind === 'lock' && undoes.anywhere(state, site))) continue;
    const release = releaseAfter(statesAfter(call, exploration), exploration, site, state, sending, undoes);
    if (release) return { sending, state, site, releasedIn: site.module, ...release };
  }
  return undefined;
}

function takenIn({ states, edges }: Exploration): readonly Visited[] {
  return edges.flatMap(({ from, to }) => {
    const after = states[to];
    return after && states[from]?.holding === 'none' && after.holding === 'held' ? [after] : [];
  });
}
