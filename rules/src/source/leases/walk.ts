import type { Step } from '../steps.ts';
import { isParameter } from '../functions.ts';
import { bare, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import type { Sited } from '../value.ts';
import { boundProperty, consumerOf } from './consumer.ts';
import type { Edge, Exploration, Fate, Misuse, Start, State, Visited } from './exploration.ts';
import type { Explorer } from './explore.ts';
import { Conditions, noFacts, type Facts } from './facts.ts';
import { floatingOf, isLeftAlone, waits } from './floating.ts';
import { boundTo, isHolderOf, passingOf, type Passing } from './passing.ts';
import { LeaseReader } from './reader.ts';
import { stepsBeforeRelease } from './releases-ahead.ts';
import { isWithin, localFunctionName } from './sites.ts';
import { sourcesOf } from './sources.ts';

const mostStates = 30_000;

/** Follows one lease through one function, along every path that its facts allow. */
export class Walk {
  readonly #explorer: Explorer;
  readonly #start: Start;
  readonly #module: Module;
  readonly #conditions: Conditions;
  readonly #lease: LeaseReader;
  readonly #states: Visited[] = [];
  readonly #edges: Edge[] = [];
  readonly #lost: Visited[] = [];
  readonly #misuses: Misuse[] = [];
  readonly #seen = new Map<string, number>();
  readonly #ids = new Map<object, number>();
  readonly #entry: Step;
  #continuation: Exploration | undefined;
  #releasing: ReadonlySet<Step> | undefined;

  constructor(explorer: Explorer, start: Start, module: Module, entry: Step) {
    this.#explorer = explorer;
    this.#start = start;
    this.#module = module;
    this.#entry = entry;
    this.#conditions = new Conditions(module, entry);
    this.#lease = new LeaseReader(start, module, explorer.values, this.#conditions, (call, method) =>
      explorer.transactionStep(call, method),
    );
  }

  run(): Exploration | undefined {
    for (const state of this.#initialStates()) this.#visit(state, undefined, undefined);
    for (let index = 0; index < this.#states.length; index++) {
      if (index > mostStates) return undefined;
      const state = this.#states[index];
      if (state) this.#advance(state);
    }
    return {
      fn: this.#start.fn,
      states: this.#states,
      edges: this.#edges,
      lost: this.#lost,
      misuses: this.#misuses,
      continuation: this.#continuation,
    };
  }

  #initialStates(): readonly State[] {
    const { taken, holder, releaser, error, facts = noFacts } = this.#start;
    const names = holder ? [holder] : [];
    const releasers = releaser ? [releaser] : [];
    const begin = { step: this.#entry, transaction: undefined, floating: undefined, idle: false, facts };
    if (taken) return [{ ...begin, holding: 'none', names: [], releasers: [] }];
    const held: State = { ...begin, holding: 'held', names, releasers };
    if (!error) return [held];
    const fact = (truth: boolean): Facts => new Map(facts).set(error, { truth, about: [error] });
    return [
      { ...held, facts: fact(false) },
      { ...held, holding: 'none', names: [], facts: fact(true) },
    ];
  }

  #visit(state: State, from: number | undefined, raisedBy: Node | undefined): void {
    const key = this.#key(state);
    let index = this.#seen.get(key);
    if (index === undefined) {
      index = this.#states.length;
      this.#seen.set(key, index);
      const visited = { ...state, index };
      this.#states.push(visited);
      if (this.#isLost(state)) this.#lost.push(visited);
    }
    if (from !== undefined) this.#edges.push({ from, to: index, raisedBy });
  }

  #isLost({ step, holding, idle }: State): boolean {
    const { isCallback, fn } = this.#start;
    return holding === 'held' && !idle && (step.kind === 'returned' || (step.kind === 'raised' && (!isCallback || fn.async)));
  }

  #key({ step, holding, idle, names, releasers, transaction, floating, facts }: State): string {
    const id = (object: object) => {
      const known = this.#ids.get(object) ?? this.#ids.size;
      this.#ids.set(object, known);
      return known;
    };
    const known = [...facts].map(([about, { truth }]) => `${typeof about === 'string' ? about : id(about)}=${truth}`).sort();
    const open = transaction ? id(transaction) : '';
    const busy = floating ? id(floating.call) : '';
    return [id(step), holding, idle, names.map(id).sort().join(), releasers.map(id).sort().join(), open, busy, known.join('&')].join('|');
  }

  /** What becomes of a lease that somebody else has is not seen here. */
  #advance(visited: Visited): void {
    const { step, holding } = visited;
    if (holding === 'escaped') return;
    const state: Visited = waits(step) ? { ...visited, floating: undefined } : visited;
    switch (step.kind) {
      case 'join':
        if (step.next) this.#visit({ ...state, step: step.next }, state.index, undefined);
        return;
      case 'branch':
        this.#branch(state, step.test, true, step.ifTrue);
        this.#branch(state, step.test, false, step.ifFalse);
        return;
      case 'throw':
        this.#visit({ ...state, step: step.raise }, state.index, step.node);
        return;
      case 'settle': {
        const after = step.node === this.#start.taken ? this.#take(state) : this.#awaited(state, step.node);
        this.#visit({ ...after, step: step.next }, state.index, undefined);
        if (this.#explorer.raises.canSettleBadly(step.node, this.#module)) {
          this.#visit({ ...state, step: step.raise }, state.index, step.node);
        }
        return;
      }
      case 'evaluate':
        this.#evaluate(state, step.node, step.next, step.raise);
        return;
      case 'returned':
      case 'raised':
    }
  }

  #branch(state: Visited, test: Node, truth: boolean, step: Step): void {
    if (!truth && state.holding === 'held' && this.#lease.isMethod(state, test)) return;
    const facts = isIteration(test)
      ? this.#conditions.bind(test.left.type === 'VariableDeclaration' ? test.left.declarations[0].id : test.left, state.facts)
      : this.#conditions.assume(test, truth, state.facts, this.#lease.known(state));
    if (facts) this.#visit({ ...state, facts, step }, state.index, undefined);
  }

  #evaluate(state: Visited, node: Node, next: Step, raise: Step | undefined): void {
    const { raises } = this.#explorer;
    if (raises.endsProcess(node, this.#module)) return;
    const after = this.#used(this.#effect(state, node, next), node);
    this.#visit({ ...after, step: next }, state.index, undefined);
    if (!raise || !raises.canRaise(node, this.#module)) return;
    this.#visit({ ...this.#thrownFrom(state, node, after), step: raise }, state.index, node);
  }

  /** What cannot be taken or opened is not held, what cannot begin is not open, and what fails to be given back may be out or not. */
  #thrownFrom(state: State, node: Node, after: State): State {
    if (node === this.#start.taken) return state;
    const call = node.type === 'AwaitExpression' ? bare(node.argument) : node;
    const thrown = call.type === 'CallExpression' && after.holding === 'released' ? this.#fateThrown(state, call) : undefined;
    if (thrown === 'borrowed') return { ...after, holding: 'held' };
    if (thrown === 'kept') return { ...after, holding: 'escaped' };
    if (node.type !== 'AwaitExpression') return after;
    if (this.#lease.opens(state, call)) return { ...state, holding: 'none', names: [] };
    return state.holding === 'released' && this.#lease.isReleasing(state, call) ? { ...state, holding: 'escaped' } : state;
  }

  /** What a function of the root that gives the lease back has done to it when it throws. */
  #fateThrown(state: State, call: TSESTree.CallExpression): Fate | undefined {
    const fn = this.#explorer.values.calledFunction(call, this.#module);
    const passing = this.#passingOf(state, call);
    const fates = fn && passing && this.#explorer.fatesOfPassed(passing, fn, this.#start.lease);
    return fates?.returned === 'released' ? fates.thrown : undefined;
  }

  #passingOf(state: State, call: TSESTree.CallExpression | TSESTree.NewExpression): Passing | undefined {
    return passingOf(call, this.#module, (node) => this.#lease.isLease(state, node));
  }

  /** The lease is in hand from here on. One that only the same variable held until now is lost. */
  #take(state: Visited): State {
    const { holder, releaser } = this.#start;
    if (state.holding === 'held' && !state.idle && state.names.every((name) => name === holder)) this.#lost.push(state);
    const idle = this.#start.lease.resource.lazy === true && !this.#start.member;
    return {
      ...state,
      holding: 'held',
      idle,
      names: holder ? [holder] : [],
      releasers: releaser ? [releaser] : [],
      transaction: undefined,
    };
  }

  #effect(state: Visited, node: Node, next: Step): State {
    if (node === this.#start.taken && !isSettledNext(node, next)) return this.#take(state);
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression':
        if (state.holding === 'released' && node.type === 'CallExpression') this.#noteLateUse(state, node);
        return state.holding === 'held' ? this.#started(this.#call(state, node, next), node) : state;
      case 'TaggedTemplateExpression':
        if (state.holding === 'released' && this.#lease.isUse(state, node))
          this.#misuses.push({ kind: 'used-after-release', node, at: state });
        return this.#lease.transactionStep(state, node) === 'ends' ? { ...state, transaction: undefined } : state;
      case 'AwaitExpression':
        return this.#awaited(state, node.argument);
      case 'VariableDeclarator':
        return node.init ? this.#bind(state, node.id, node.init) : this.#declare(state, node.id);
      case 'AssignmentExpression':
        return this.#bind(state, node.left, node.right);
      case 'Identifier':
        return state.holding === 'held' ? this.#read(state, node) : state;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return state.holding === 'held' ? this.#close(state, node, next) : state;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return state.holding === 'held' && this.#lease.mentions(state, node) ? { ...state, holding: 'escaped' } : state;
      default:
        return state;
    }
  }

  /** A lease that waits for its first use has its connection from here on. */
  #used(state: State, node: Node): State {
    return state.idle && this.#lease.isFirstUse(state, node) ? { ...state, idle: false } : state;
  }

  /** A transaction is open once the call that opens it has succeeded. */
  #awaited(state: State, argument: Node): State {
    const call = bare(argument);
    if (state.holding !== 'held' || (call.type !== 'CallExpression' && call.type !== 'TaggedTemplateExpression')) return state;
    return this.#lease.transactionStep(state, call) === 'begins' ? { ...state, transaction: call } : state;
  }

  #noteLateUse(state: Visited, call: TSESTree.CallExpression): void {
    if (this.#lease.releases(state, call)) this.#misuses.push({ kind: 'released-again', node: call, at: state });
    else if (this.#lease.isUse(state, call)) this.#misuses.push({ kind: 'used-after-release', node: call, at: state });
  }

  #bind(state: State, target: Node, value: Node): State {
    const facts = this.#conditions.bind(target, state.facts);
    const variable = target.type === 'Identifier' ? this.#module.variableOf(target) : undefined;
    if (!variable) return this.#bindPattern({ ...state, facts }, target, value);
    const sources = sourcesOf(value);
    const isLease = sources.some((source) => source === this.#start.call || this.#lease.isLease(state, source));
    const known = this.#conditions.assign(variable, sources.length === 1 ? sources[0] : value, facts);
    if (!isLease) return { ...state, facts: known, names: state.names.filter((name) => name !== variable) };
    if (state.holding !== 'held') return { ...state, facts };
    const isOutside = variable.identifiers[0] === undefined || !isWithin(variable.identifiers[0], this.#start.fn);
    if (isOutside || isUsing(target)) return { ...state, facts, holding: 'escaped' };
    return state.names.includes(variable) ? { ...state, facts } : { ...state, facts, names: [...state.names, variable] };
  }

  #declare(state: State, target: Node): State {
    const variable = target.type === 'Identifier' ? this.#module.variableOf(target) : undefined;
    return variable ? { ...state, facts: this.#conditions.declare(variable, state.facts) } : state;
  }

  /** `const { release } = client`, `const { client } = options` */
  #bindPattern(state: State, target: Node, value: Node): State {
    if (target.type !== 'ObjectPattern' || state.holding !== 'held') return state;
    const { member } = this.#start;
    const name = member && isHolderOf(value, this.#start, this.#module) ? boundTo(target, member.name, this.#module) : undefined;
    if (name) return { ...state, names: [...state.names, name] };
    const isLease = sourcesOf(value).some((source) => source === this.#start.call || this.#lease.isLease(state, source));
    const releaser = isLease ? boundProperty(target, (name) => this.#lease.isRelease(name), this.#module) : undefined;
    return releaser ? { ...state, releasers: [...state.releasers, releaser] } : state;
  }

  /** A variable that holds the lease is read: where does that lead? */
  #read(state: State, node: TSESTree.Identifier): State {
    if (!this.#lease.isLease(state, node)) return this.#readReleaser(state, node);
    const consumer = consumerOf(node, this.#module);
    if (consumer.kind === 'elsewhere') return { ...state, holding: 'escaped' };
    const isReference = consumer.kind === 'member' && !isCalled(consumer.member) && this.#lease.isRelease(propertyName(consumer.member));
    return isReference ? { ...state, holding: 'escaped' } : state;
  }

  /** A release function that is passed on is called by somebody else; one that is kept in the lease goes where that goes. */
  #readReleaser(state: State, node: TSESTree.Identifier): State {
    const variable = this.#module.variableOf(node);
    if (!variable || !state.releasers.includes(variable)) return state;
    const isCall = node.parent.type === 'CallExpression' && node.parent.callee === node;
    return isCall || this.#lease.keepsRelease(state, node) || consumerOf(node, this.#module).kind === 'test'
      ? state
      : { ...state, holding: 'escaped' };
  }

  #call(state: Visited, node: TSESTree.CallExpression | TSESTree.NewExpression, next: Step): State {
    if (node.type === 'CallExpression') {
      if (this.#lease.releases(state, node)) return this.#release(state, node);
      if (this.#lease.isEndedBy(node)) return { ...state, holding: 'released', transaction: undefined };
      if (this.#lease.transactionStep(state, node) === 'ends') return { ...state, transaction: undefined };
    }
    const called = this.#explorer.values.calledFunction(node, this.#module);
    if (called && this.#closesOver(state, called)) {
      const fate = this.#explorer.fateOfClosure(called.node, state, this.#start.lease, this.#module);
      return this.#afterCall(state, node, called.node, fate);
    }
    const argument = node.arguments.find((each) => this.#lease.passes(state, each));
    if (!argument || this.#lease.isLent(node, argument)) return state;
    // What another function does to the transaction is not seen; a callback leaves it to the one who began it.
    const passed: Visited = { ...state, transaction: isParameter(node.callee, this.#module) ? state.transaction : undefined };
    const passing = called && this.#passingOf(state, node);
    if (passing) {
      const { returned } = this.#explorer.fatesOfPassed(passing, called, this.#start.lease);
      // What becomes of an object that is passed on whole is not seen.
      if (returned !== 'kept' || passing.key === undefined) return this.#afterCall(passed, node, called.node, returned);
    }
    return this.#isReleasedAfter(next) ? passed : { ...state, holding: 'escaped' };
  }

  /** Whether a function within this one closes over the lease; this one, when it calls itself, is taken to change nothing. */
  #closesOver(state: State, { node, module }: Sited<FunctionNode>): boolean {
    const { fn } = this.#start;
    return module === this.#module && node !== fn && isWithin(node, fn) && this.#lease.mentions(state, node);
  }

  #release(state: Visited, call: TSESTree.CallExpression): State {
    const destroys = this.#lease.destroys(state, call);
    if (destroys === 'always') this.#misuses.push({ kind: 'destroyed', node: call, at: state });
    if (state.transaction && !destroys) this.#misuses.push({ kind: 'released-in-transaction', node: call, at: state });
    if (!destroys) this.#noteInUse(state);
    return { ...state, holding: 'released', transaction: undefined, floating: undefined };
  }

  /** The lease goes back while something that nobody waits for still runs on it, or has yet to run. */
  #noteInUse(state: Visited): void {
    const { floating } = state;
    if (!floating) return;
    const { late, call } = floating;
    const node = late?.module === this.#module ? late.node : call;
    this.#misuses.push({ kind: late ? 'used-after-release' : 'released-in-use', node, at: state });
  }

  /** What a function of the root has done to the lease; an async one that is not waited for has yet to do it. */
  #afterCall(state: Visited, call: Node, fn: FunctionNode, fate: Fate): State {
    if (fate === 'released' && fn.async && isLeftAlone(call)) return { ...state, holding: 'escaped' };
    if (fate === 'released') this.#noteInUse(state);
    return withFate(state, fate);
  }

  /** The state after a call that may have started something on the lease. */
  #started(state: State, call: TSESTree.CallExpression | TSESTree.NewExpression): State {
    if (call.type !== 'CallExpression' || state.holding !== 'held') return state;
    const { lease } = this.#start;
    const floating = floatingOf(call, state, { lease, reader: this.#lease, module: this.#module, values: this.#explorer.values });
    return floating ? { ...state, floating } : state;
  }

  /** A function that closes over the lease is made. */
  #close(state: State, fn: TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression, next: Step): State {
    if (this.#lease.isNeverCalled(state, fn) || !this.#lease.mayRelease(state, fn) || localFunctionName(fn, this.#module)) return state;
    const isLast = this.#start.isCallback || !this.#isReleasedAfter(next);
    if (!isLast || !this.#lease.isContinuation(state, fn)) return { ...state, holding: 'escaped' };
    const { lease } = this.#start;
    const [holder] = state.names;
    const [releaser] = state.releasers;
    const start: Start = { fn, lease, taken: undefined, call: undefined, holder, releaser, isCallback: true };
    const continuation = this.#explorer.explore(start, this.#module);
    if (continuation && (continuation.lost.length > 0 || continuation.continuation)) this.#continuation ??= continuation;
    return { ...state, holding: 'escaped' };
  }

  /** Whether this function still gives the lease back after a step. */
  #isReleasedAfter(step: Step): boolean {
    this.#releasing ??= stepsBeforeRelease(this.#entry, this.#start, this.#module, this.#explorer);
    return this.#releasing.has(step);
  }
}

function withFate(state: State, fate: Fate): State {
  switch (fate) {
    case 'released':
      return { ...state, holding: 'released' };
    case 'kept':
      return { ...state, holding: 'escaped' };
    case 'borrowed':
      return state;
  }
}

/** A promise in a chain hands its value over when it settles, not when the call returns. */
function isSettledNext(node: Node, next: Step): boolean {
  return next.kind === 'settle' && next.node === node;
}

function isIteration(node: Node): node is TSESTree.ForInStatement | TSESTree.ForOfStatement {
  return node.type === 'ForInStatement' || node.type === 'ForOfStatement';
}

function isCalled(member: TSESTree.MemberExpression): boolean {
  return member.parent.type === 'CallExpression' && member.parent.callee === member;
}

function isUsing(target: Node): boolean {
  const declaration = target.parent?.parent;
  return declaration?.type === 'VariableDeclaration' && /using$/.test(declaration.kind);
}
