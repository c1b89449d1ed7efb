import type { Step } from '../steps.ts';
import type { FunctionNode, Node, Variable } from '../module.ts';
import type { ResourceValue } from '../value.ts';
import type { Facts } from './facts.ts';
import type { Member } from './members.ts';
import type { Floating } from './floating.ts';

/** What a path knows of the lease it follows. `escaped`: somebody else gives it back now. */
export type Holding = 'none' | 'held' | 'released' | 'escaped';

export interface State {
  readonly step: Step;
  readonly holding: Holding;
  /** The variables that hold the lease, and those that hold its release function. */
  readonly names: readonly Variable[];
  readonly releasers: readonly Variable[];
  /** It is taken, but has no connection yet. */
  readonly idle: boolean;
  /** The call that opened the transaction which the lease is in. */
  readonly transaction: Node | undefined;
  /** What was started on the lease just before, and is not waited for. */
  readonly floating: Floating | undefined;
  readonly facts: Facts;
}

/** How one state follows another: straight on, or by a throw or rejection of the node. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly raisedBy: Node | undefined;
}

export interface Visited extends State {
  readonly index: number;
}

/** What a path does to a lease that it should not, not yet, or not always. */
export interface Misuse {
  readonly kind: 'released-again' | 'used-after-release' | 'released-in-use' | 'released-in-transaction' | 'destroyed';
  readonly node: Node;
  readonly at: Visited;
}

/** Everything that a lease can come to in one function. */
export interface Exploration {
  readonly fn: FunctionNode;
  readonly misuses: readonly Misuse[];
  readonly states: readonly Visited[];
  readonly edges: readonly Edge[];
  /** States that lose the lease, in the order they were reached: the function ends, or the lease is overwritten. */
  readonly lost: readonly Visited[];
  /** A callback that took the lease over and loses it. */
  readonly continuation: Exploration | undefined;
}

/** Where to begin: the lease is taken at a node on the way, or held from the start. */
export interface Start {
  readonly fn: FunctionNode;
  readonly lease: ResourceValue;
  /** The node that takes it; undefined: it is held at the function's first step. */
  readonly taken: Node | undefined;
  readonly call: Node | undefined;
  readonly holder: Variable | undefined;
  readonly releaser?: Variable | undefined;
  /** Where it is kept besides. */
  readonly member?: Member | undefined;
  readonly error?: Variable | undefined;
  /** What is known of its conditions from the start. */
  readonly facts?: Facts;
  /** What a callback throws ends the process; only an async one rejects into the void. */
  readonly isCallback: boolean;
}

/** `kept`: it is somebody else's to give back, or not the same on all paths. */
export type Fate = 'released' | 'borrowed' | 'kept';
