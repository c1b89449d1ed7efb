import { controlFlow, successorsOf, type Step } from '../cfg.ts';
import type { Method } from '../../knowledge/driver.ts';
import type { SqlEffect } from '../../sql/effect.ts';
import { bare, keyName, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { ResourceValue, Sited, Values } from '../values.ts';
import { boundProperty, consumerOf } from './consumer.ts';
import { Conditions, noFacts, type Facts } from './facts.ts';
import { Raises } from './raises.ts';
import { isWithin, localFunctionName, referencesWithin } from './sites.ts';

/** What a path knows of the lease it follows. `escaped`: somebody else gives it back now. */
type Holding = 'none' | 'held' | 'released' | 'escaped';

interface State {
  readonly step: Step;
  readonly holding: Holding;
  /** The variables that hold the lease, and those that hold its release function. */
  readonly names: readonly Variable[];
  readonly releasers: readonly Variable[];
  /** The call that opened the transaction which the lease is in. */
  readonly transaction: Node | undefined;
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
  readonly kind: 'released-again' | 'used-after-release' | 'released-in-transaction' | 'destroyed' | 'left-running';
  readonly node: Node;
  readonly at: Visited;
}

/** Everything that a lease can come to in one function. */
export interface Exploration {
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
  readonly error?: Variable | undefined;
  /** What a callback throws ends the process; only an async one rejects into the void. */
  readonly isCallback: boolean;
}

const mostStates = 30_000;

/** Explores functions for what becomes of leases; summaries are remembered. */
export class Explorer {
  readonly values: Values;
  readonly raises: Raises;
  readonly #sqlOf: (call: Node) => readonly SqlEffect[];
  readonly #parameterFates = new Map<FunctionNode, Map<number, Fate>>();

  /** `sqlOf` answers what the SQL that a call sends does to its connection. */
  constructor(values: Values, sqlOf: (call: Node) => readonly SqlEffect[]) {
    this.values = values;
    this.raises = new Raises(values);
    this.#sqlOf = sqlOf;
  }

  /** Whether a call on a lease opens a transaction or ends one. */
  transactionStep(call: TSESTree.CallExpression, method: Method | undefined): 'begins' | 'ends' | undefined {
    if (method?.does === 'transaction') return method.step;
    const steps = this.#sqlOf(call).flatMap((effect) => stepOf(effect) ?? []);
    return steps.at(-1);
  }

  /** Follows a lease through a function; undefined when the function is too large to be told. */
  explore(start: Start, module: Module): Exploration | undefined {
    const entry = controlFlow(start.fn);
    return entry && new Walk(this, start, module, entry).run();
  }

  /** What a function of the root does with a lease that it is passed. */
  fateOfArgument({ node, module }: Sited<FunctionNode>, index: number, lease: ResourceValue): Fate {
    const fates = this.#parameterFates.get(node) ?? new Map<number, Fate>();
    this.#parameterFates.set(node, fates);
    const known = fates.get(index);
    if (known) return known;
    fates.set(index, 'borrowed');
    const parameter = node.params[index];
    const holder = parameter?.type === 'Identifier' ? module.variableOf(parameter) : undefined;
    const fate = holder ? this.#fate({ fn: node, lease, taken: undefined, call: undefined, holder, isCallback: false }, module) : 'kept';
    fates.set(index, fate);
    return fate;
  }

  /** What calling a function that closes over the lease does to it. */
  fateOfClosure(fn: FunctionNode, state: Pick<State, 'names' | 'releasers'>, lease: ResourceValue, module: Module): Fate {
    const [holder] = state.names;
    const [releaser] = state.releasers;
    return this.#fate({ fn, lease, taken: undefined, call: undefined, holder, releaser, isCallback: false }, module);
  }

  #fate(start: Start, module: Module): Fate {
    const exploration = this.explore(start, module);
    if (!exploration) return 'kept';
    const ends = exploration.states
      .filter(({ step, holding }) => step.kind === 'returned' || holding === 'escaped')
      .map(({ holding }) => holding);
    if (ends.every((holding) => holding === 'released')) return 'released';
    return ends.every((holding) => holding === 'held') ? 'borrowed' : 'kept';
  }
}

/** `kept`: it is somebody else's to give back, or not the same on all paths. */
export type Fate = 'released' | 'borrowed' | 'kept';

class Walk {
  readonly #explorer: Explorer;
  readonly #start: Start;
  readonly #module: Module;
  readonly #conditions: Conditions;
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
  }

  run(): Exploration | undefined {
    for (const state of this.#initialStates()) this.#visit(state, undefined, undefined);
    for (let index = 0; index < this.#states.length; index++) {
      if (index > mostStates) return undefined;
      const state = this.#states[index];
      if (state) this.#advance(state);
    }
    return { states: this.#states, edges: this.#edges, lost: this.#lost, misuses: this.#misuses, continuation: this.#continuation };
  }

  #initialStates(): readonly State[] {
    const { taken, holder, releaser, error } = this.#start;
    const names = holder ? [holder] : [];
    const releasers = releaser ? [releaser] : [];
    const begin = { step: this.#entry, transaction: undefined, facts: noFacts };
    if (taken) return [{ ...begin, holding: 'none', names: [], releasers: [] }];
    const held: State = { ...begin, holding: 'held', names, releasers };
    if (!error) return [held];
    const fact = (truth: boolean): Facts => new Map([[error, { truth, about: [error] }]]);
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

  #isLost({ step, holding }: State): boolean {
    const { isCallback, fn } = this.#start;
    return holding === 'held' && (step.kind === 'returned' || (step.kind === 'raised' && (!isCallback || fn.async)));
  }

  #key({ step, holding, names, releasers, transaction, facts }: State): string {
    const id = (object: object) => {
      const known = this.#ids.get(object) ?? this.#ids.size;
      this.#ids.set(object, known);
      return known;
    };
    const known = [...facts].map(([about, { truth }]) => `${typeof about === 'string' ? about : id(about)}=${truth}`).sort();
    const open = transaction ? id(transaction) : '';
    return [id(step), holding, names.map(id).sort().join(), releasers.map(id).sort().join(), open, known.join('&')].join('|');
  }

  /** What becomes of a lease that somebody else has is not seen here. */
  #advance(state: Visited): void {
    const { step, holding } = state;
    if (holding === 'escaped') return;
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
    const held = state.holding === 'held' ? state.names : [];
    const facts = isIteration(test)
      ? this.#conditions.bind(test.left.type === 'VariableDeclaration' ? test.left.declarations[0].id : test.left, state.facts)
      : test.type === 'SwitchCase'
        ? state.facts
        : this.#conditions.assume(test, truth, state.facts, held);
    if (facts) this.#visit({ ...state, facts, step }, state.index, undefined);
  }

  #evaluate(state: Visited, node: Node, next: Step, raise: Step | undefined): void {
    const { raises } = this.#explorer;
    if (raises.endsProcess(node, this.#module)) return;
    const after = this.#effect(state, node, next);
    this.#visit({ ...after, step: next }, state.index, undefined);
    if (!raise || !raises.canRaise(node, this.#module)) return;
    this.#visit({ ...this.#thrownFrom(state, node, after), step: raise }, state.index, node);
  }

  /** What cannot be taken or opened is not held, and what cannot begin is not open. */
  #thrownFrom(state: State, node: Node, after: State): State {
    if (node === this.#start.taken) return state;
    if (node.type !== 'AwaitExpression') return after;
    return this.#opens(state, bare(node.argument)) ? { ...state, holding: 'none', names: [] } : state;
  }

  /** `await runner.connect()`: what it holds, it takes only now. */
  #opens(state: State, call: Node): boolean {
    if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression' || !this.#isLease(state, call.callee.object))
      return false;
    return this.#method(propertyName(call.callee))?.does === 'open';
  }

  /** The lease is in hand from here on. One that only the same variable held until now is lost. */
  #take(state: Visited): State {
    const { holder, releaser } = this.#start;
    if (state.holding === 'held' && state.names.every((name) => name === holder)) this.#lost.push(state);
    return { ...state, holding: 'held', names: holder ? [holder] : [], releasers: releaser ? [releaser] : [], transaction: undefined };
  }

  #effect(state: Visited, node: Node, next: Step): State {
    if (node === this.#start.taken && !isSettledNext(node, next)) return this.#take(state);
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression':
        if (state.holding === 'released' && node.type === 'CallExpression') this.#noteLateUse(state, node);
        return state.holding === 'held' ? this.#call(state, node, next) : state;
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
        return state.holding === 'held' ? this.#close(state, node) : state;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return state.holding === 'held' && this.#mentions(state, node) ? { ...state, holding: 'escaped' } : state;
      default:
        return state;
    }
  }

  /** A transaction is open once the call that opens it has succeeded. */
  #awaited(state: State, argument: Node): State {
    const call = bare(argument);
    if (state.holding !== 'held' || call.type !== 'CallExpression') return state;
    return this.#transactionStep(state, call) === 'begins' ? { ...state, transaction: call } : state;
  }

  #transactionStep(state: State, call: TSESTree.CallExpression): 'begins' | 'ends' | undefined {
    if (call.callee.type !== 'MemberExpression' || !this.#isLease(state, call.callee.object)) return undefined;
    return this.#explorer.transactionStep(call, this.#method(propertyName(call.callee)));
  }

  #noteLateUse(state: Visited, call: TSESTree.CallExpression): void {
    if (this.#releases(state, call)) this.#misuses.push({ kind: 'released-again', node: call, at: state });
    else if (this.#isUse(state, call)) this.#misuses.push({ kind: 'used-after-release', node: call, at: state });
  }

  #isUse(state: State, { callee }: TSESTree.CallExpression): boolean {
    if (callee.type !== 'MemberExpression' || !this.#isLease(state, callee.object)) return false;
    const does = this.#method(propertyName(callee))?.does;
    return does === 'query' || does === 'transaction';
  }

  #bind(state: State, target: Node, value: Node): State {
    const facts = this.#conditions.bind(target, state.facts);
    const variable = target.type === 'Identifier' ? this.#module.variableOf(target) : undefined;
    if (!variable) return this.#bindPattern({ ...state, facts }, target, value);
    const sources = sourcesOf(value);
    const isLease = sources.some((source) => source === this.#start.call || this.#isLease(state, source));
    const known = this.#conditions.assign(variable, sources.length === 1 ? sources[0] : undefined, facts);
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

  /** `const { release } = client` */
  #bindPattern(state: State, target: Node, value: Node): State {
    if (target.type !== 'ObjectPattern' || state.holding !== 'held') return state;
    const isLease = sourcesOf(value).some((source) => source === this.#start.call || this.#isLease(state, source));
    const releaser = isLease ? boundProperty(target, (name) => this.#isRelease(name), this.#module) : undefined;
    return releaser ? { ...state, releasers: [...state.releasers, releaser] } : state;
  }

  #isLease(state: Pick<State, 'names'>, node: Node): boolean {
    const inner = bare(node);
    if (inner.type === 'CallExpression' && inner.callee.type === 'MemberExpression') {
      const method = this.#method(propertyName(inner.callee));
      return method?.does === 'view' && this.#isLease(state, inner.callee.object);
    }
    const variable = inner.type === 'Identifier' ? this.#module.variableOf(inner) : undefined;
    return variable !== undefined && state.names.includes(variable);
  }

  #method(name: string | undefined) {
    const { methods } = this.#start.lease.resource;
    return name !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined;
  }

  #isRelease(name: string | undefined): boolean {
    return this.#method(name)?.does === 'release';
  }

  /** A variable that holds the lease is read: where does that lead? */
  #read(state: State, node: TSESTree.Identifier): State {
    if (!this.#isLease(state, node)) return this.#readReleaser(state, node);
    const consumer = consumerOf(node, this.#module);
    if (consumer.kind === 'elsewhere') return { ...state, holding: 'escaped' };
    const isReference = consumer.kind === 'member' && !isCalled(consumer.member) && this.#isRelease(propertyName(consumer.member));
    return isReference ? { ...state, holding: 'escaped' } : state;
  }

  /** A release function that is passed on is called by somebody else. */
  #readReleaser(state: State, node: TSESTree.Identifier): State {
    const variable = this.#module.variableOf(node);
    if (!variable || !state.releasers.includes(variable)) return state;
    const isCall = node.parent.type === 'CallExpression' && node.parent.callee === node;
    return isCall || consumerOf(node, this.#module).kind === 'test' ? state : { ...state, holding: 'escaped' };
  }

  #call(state: Visited, node: TSESTree.CallExpression | TSESTree.NewExpression, next: Step): State {
    if (node.type === 'CallExpression' && this.#releases(state, node)) return this.#release(state, node);
    if (node.type === 'CallExpression' && this.#transactionStep(state, node) === 'ends') return { ...state, transaction: undefined };
    const called = this.#explorer.values.calledFunction(node, this.#module);
    if (called && called.module === this.#module && this.#mentions(state, called.node) && isWithin(called.node, this.#start.fn)) {
      return withFate(state, this.#explorer.fateOfClosure(called.node, state, this.#start.lease, this.#module));
    }
    const index = node.arguments.findIndex((argument) => this.#passes(state, argument));
    const argument = node.arguments[index];
    if (!argument || this.#isLent(node, argument)) return state;
    // What another function does to the transaction is not seen.
    const passed: State = { ...state, transaction: isParameter(node.callee, this.#module) ? state.transaction : undefined };
    if (called && this.#isLease(state, argument)) {
      return withFate(passed, this.#explorer.fateOfArgument(called, index, this.#start.lease));
    }
    return this.#releasedLater(next) ? passed : { ...state, holding: 'escaped' };
  }

  /** `{ transaction: t }`, `.transacting(trx)`: used there, and kept by nobody. */
  #isLent(node: TSESTree.CallExpression | TSESTree.NewExpression, argument: Node): boolean {
    const { keys = [], methods = [] } = this.#start.lease.resource.lentBy ?? {};
    if (node.callee.type === 'MemberExpression' && methods.includes(propertyName(node.callee) ?? '')) return true;
    return argument.type === 'ObjectExpression' && argument.properties.some((property) => keys.includes(keyOf(property) ?? ''));
  }

  #release(state: Visited, call: TSESTree.CallExpression): State {
    const destroys = this.#destroys(state, call);
    if (destroys === 'always') this.#misuses.push({ kind: 'destroyed', node: call, at: state });
    if (state.transaction && !destroys) this.#misuses.push({ kind: 'released-in-transaction', node: call, at: state });
    return { ...state, holding: 'released', transaction: undefined };
  }

  /** `release(true)`, `release(error)`, `destroy()`: the connection ends, and whatever is open in it. */
  #destroys(state: State, { callee, arguments: [argument] }: TSESTree.CallExpression): 'always' | 'perhaps' | undefined {
    const method = callee.type === 'MemberExpression' ? this.#method(propertyName(callee)) : undefined;
    if (method?.does === 'release' && method.destroys !== 'if-argument') return method.destroys;
    if (!argument || this.#conditions.truth(argument, state.facts, []) === false) return undefined;
    return argument.type === 'Literal' ? 'always' : 'perhaps';
  }

  /** Whether an argument hands the lease over: itself, or in an object or array written in place. */
  #passes(state: State, argument: Node): boolean {
    const node = bare(argument);
    switch (node.type) {
      case 'ObjectExpression':
        return node.properties.some((property) => this.#passes(state, property.type === 'Property' ? property.value : property.argument));
      case 'ArrayExpression':
        return node.elements.some((element) => element !== null && this.#passes(state, element));
      case 'SpreadElement':
        return this.#passes(state, node.argument);
      default:
        return this.#isLease(state, node);
    }
  }

  #releases(state: State, node: TSESTree.CallExpression): boolean {
    const { callee } = node;
    if (callee.type === 'Identifier') {
      const variable = this.#module.variableOf(callee);
      return variable !== undefined && state.releasers.includes(variable);
    }
    if (callee.type !== 'MemberExpression') return false;
    const name = propertyName(callee);
    if (this.#isLease(state, callee.object)) return this.#isRelease(name);
    const method = this.#explorer.values.methodOf(node, this.#module)?.method;
    const argument = method?.does === 'release' && method.argument !== undefined ? node.arguments[method.argument] : undefined;
    return argument !== undefined && this.#isLease(state, argument);
  }

  /** A function that closes over the lease is made. */
  #close(state: State, fn: TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression): State {
    if (!this.#mayRelease(state, fn) || localFunctionName(fn, this.#module)) return state;
    if (!this.#start.isCallback || !this.#isContinuation(state, fn)) return { ...state, holding: 'escaped' };
    const { lease } = this.#start;
    const [holder] = state.names;
    const [releaser] = state.releasers;
    const start: Start = { fn, lease, taken: undefined, call: undefined, holder, releaser, isCallback: true };
    const continuation = this.#explorer.explore(start, this.#module);
    if (continuation && (continuation.lost.length > 0 || continuation.continuation)) this.#continuation ??= continuation;
    return { ...state, holding: 'escaped' };
  }

  /** `client.query(sql, fn)`: the lease itself calls back, once. */
  #isContinuation(state: State, fn: Node): boolean {
    const call = fn.parent;
    return (
      call?.type === 'CallExpression' &&
      call.arguments.at(-1) === fn &&
      call.callee.type === 'MemberExpression' &&
      this.#method(propertyName(call.callee))?.does === 'query' &&
      this.#isLease(state, call.callee.object)
    );
  }

  #mentions({ names, releasers }: State, node: Node): boolean {
    return [...names, ...releasers].some((variable) => referencesWithin(variable, node).length > 0);
  }

  /** Whether a function could give the lease back or hand it on, rather than only use it. */
  #mayRelease(state: State, fn: Node): boolean {
    if (state.releasers.some((variable) => referencesWithin(variable, fn).length > 0)) return true;
    return state.names.some((variable) =>
      referencesWithin(variable, fn).some((reference) => {
        const consumer = consumerOf(reference, this.#module);
        if (consumer.kind === 'member') return this.#isRelease(propertyName(consumer.member));
        return consumer.kind === 'argument' || consumer.kind === 'elsewhere' || consumer.kind === 'variable';
      }),
    );
  }

  /** Whether this function still gives the lease back after a step: then whoever was passed it in between has not kept it. */
  #releasedLater(step: Step): boolean {
    this.#releasing ??= this.#stepsBeforeRelease();
    return this.#releasing.has(step);
  }

  #stepsBeforeRelease(): ReadonlySet<Step> {
    const before = new Map<Step, Step[]>();
    const releasing: Step[] = [];
    const seen = new Set([this.#entry]);
    for (const step of seen) {
      if (this.#isReleaseStep(step)) releasing.push(step);
      for (const next of successorsOf(step, () => false)) {
        seen.add(next);
        before.set(next, [...(before.get(next) ?? []), step]);
      }
    }
    const reaching = new Set(releasing);
    for (const step of reaching) for (const previous of before.get(step) ?? []) reaching.add(previous);
    return reaching;
  }

  /** A call that looks like giving the lease back, by any name the holder may have. */
  #isReleaseStep(step: Step): boolean {
    if (step.kind !== 'evaluate' || step.node.type !== 'CallExpression') return false;
    const { callee, arguments: passed } = step.node;
    const { holder, releaser } = this.#start;
    if (callee.type === 'Identifier') return releaser !== undefined && this.#module.variableOf(callee) === releaser;
    if (callee.type !== 'MemberExpression') return false;
    const isHolder = (node: Node | undefined) =>
      node?.type === 'Identifier' && holder !== undefined && this.#module.variableOf(node) === holder;
    if (this.#isRelease(propertyName(callee))) return isHolder(bare(callee.object));
    return this.#explorer.values.methodOf(step.node, this.#module)?.method.does === 'release' && passed.some(isHolder);
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

/** The expressions a value may come from, through awaits, casts and choices. */
function sourcesOf(value: Node): readonly Node[] {
  const node = bare(value);
  switch (node.type) {
    case 'AwaitExpression':
      return sourcesOf(node.argument);
    case 'LogicalExpression':
      return [...sourcesOf(node.left), ...sourcesOf(node.right)];
    case 'ConditionalExpression':
      return [...sourcesOf(node.consequent), ...sourcesOf(node.alternate)];
    case 'AssignmentExpression':
      return sourcesOf(node.right);
    case 'CallExpression':
      return isCatch(node) ? sourcesOf(node.callee.object) : [node];
    default:
      return [node];
  }
}

function isCatch(node: TSESTree.CallExpression): node is TSESTree.CallExpression & { readonly callee: TSESTree.MemberExpression } {
  return node.callee.type === 'MemberExpression' && /^(catch|finally)$/.test(propertyName(node.callee) ?? '');
}

/** A callback that the function was given: it works with the lease, and leaves the transaction to the one who began it. */
function isParameter(callee: Node, module: Module): boolean {
  const variable = callee.type === 'Identifier' ? module.variableOf(callee) : undefined;
  return variable?.defs[0]?.type === 'Parameter';
}

function keyOf(property: TSESTree.ObjectLiteralElement): string | undefined {
  return property.type === 'Property' ? keyName(property) : undefined;
}

function stepOf(effect: SqlEffect): 'begins' | 'ends' | undefined {
  switch (effect.kind) {
    case 'begin':
      return 'begins';
    case 'commit':
    case 'rollback':
      return effect.chain ? 'begins' : 'ends';
    case 'prepare-transaction':
      return 'ends';
    default:
      return undefined;
  }
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
