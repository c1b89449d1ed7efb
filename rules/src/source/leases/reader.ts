import type { Method } from '../../knowledge/driver.ts';
import { isParameter } from '../functions.ts';
import { bare, keyName, propertyName } from '../module.ts';
import type { Module, Node, TSESTree, Variable } from '../module.ts';
import type { SendingNode } from '../statements.ts';
import type { ResourceValue } from '../value.ts';
import type { Values } from '../values.ts';
import { consumerOf } from './consumer.ts';
import type { Start, State } from './exploration.ts';
import type { Conditions, KnownLease } from './facts.ts';
import { releaseFunction, type Release } from './healthy.ts';
import { isMember, type Member } from './members.ts';
import { isWithin, referencesWithin } from './sites.ts';

/** Answers whether a call opens a transaction or ends one, by its SQL or its method. */
export type TransactionStep = (sending: SendingNode, method: Method | undefined) => 'begins' | 'ends' | undefined;

/** Reads what code does with a lease, by the names that it has in a state. */
export class LeaseReader {
  readonly #lease: ResourceValue;
  readonly #member: Member | undefined;
  readonly #module: Module;
  readonly #values: Values;
  readonly #conditions: Conditions;
  readonly #stepOf: TransactionStep;

  constructor({ lease, member }: Start, module: Module, values: Values, conditions: Conditions, stepOf: TransactionStep) {
    this.#lease = lease;
    this.#member = member;
    this.#module = module;
    this.#values = values;
    this.#conditions = conditions;
    this.#stepOf = stepOf;
  }

  /** Whether a call on the lease, or what it tags, opens a transaction or ends one. */
  transactionStep(state: State, sending: SendingNode): 'begins' | 'ends' | undefined {
    if (this.#isTagged(state, sending)) return this.#stepOf(sending, undefined);
    const callee = calleeOf(sending);
    if (callee.type !== 'MemberExpression' || !this.isLease(state, callee.object)) return undefined;
    return this.#stepOf(sending, this.method(propertyName(callee)));
  }

  /** Whether a call or tag sends something through the lease. */
  isUse(state: State, sending: SendingNode): boolean {
    if (this.#isTagged(state, sending)) return true;
    const callee = calleeOf(sending);
    if (callee.type !== 'MemberExpression' || !this.isLease(state, callee.object)) return false;
    const does = this.method(propertyName(callee))?.does;
    return does === 'query' || does === 'transaction';
  }

  /** `` session`BEGIN` `` */
  #isTagged(state: State, sending: SendingNode): boolean {
    return sending.type === 'TaggedTemplateExpression' && this.#lease.resource.isTag === true && this.isLease(state, sending.tag);
  }

  /** Whether a node makes a lease take its connection that has waited for its first use. */
  isFirstUse(state: State, node: Node): boolean {
    switch (node.type) {
      case 'CallExpression':
        if (node.callee.type === 'MemberExpression' && this.isLease(state, node.callee.object)) {
          return !/^(release|nothing)$/.test(this.method(propertyName(node.callee))?.does ?? '');
        }
        return node.arguments.some((argument) => this.passes(state, argument));
      case 'NewExpression':
        return node.arguments.some((argument) => this.passes(state, argument));
      case 'Identifier':
        return this.isLease(state, node) && this.#isPart(node.parent);
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.mentions(state, node);
      default:
        return false;
    }
  }

  /** `runner.manager`: what works through the lease. */
  #isPart(member: Node): boolean {
    const name = member.type === 'MemberExpression' ? propertyName(member) : undefined;
    return name !== undefined && Object.hasOwn(this.#lease.resource.properties ?? {}, name);
  }

  /** Whether an expression is the lease, or a view of it. */
  isLease(state: Pick<State, 'names'>, node: Node): boolean {
    const inner = bare(node);
    if (inner.type === 'CallExpression' && inner.callee.type === 'MemberExpression') {
      const method = this.method(propertyName(inner.callee));
      return method?.does === 'view' && this.isLease(state, inner.callee.object);
    }
    if (this.#member && isMember(inner, this.#member, this.#module)) return true;
    const variable = inner.type === 'Identifier' ? this.#module.variableOf(inner) : undefined;
    return variable !== undefined && state.names.includes(variable);
  }

  /** What a path knows of the lease, for conditions that ask. */
  known({ holding, names, transaction }: State): KnownLease {
    const { released, inTransaction } = this.#lease.resource.tells ?? {};
    const says = new Map<string, boolean>();
    if (released !== undefined) says.set(released, holding === 'released');
    if (inTransaction !== undefined) says.set(inTransaction, transaction !== undefined);
    const live = holding === 'held' ? names : [];
    return { live, receivers: live.flatMap((name) => this.#receiversOf(name)), names: holding === 'none' ? [] : names, says };
  }

  /** `next` of `next(null, client)`, for the parameters of a function. */
  #receiversOf(name: Variable): readonly Variable[] {
    return name.references.flatMap(({ identifier: { parent } }) => {
      const callee = parent.type === 'CallExpression' && parent.callee.type === 'Identifier' ? parent.callee : undefined;
      return callee && isParameter(callee, this.#module) ? (this.#module.variableOf(callee) ?? []) : [];
    });
  }

  /** What the driver says of a method of the lease. */
  method(name: string | undefined): Method | undefined {
    const { methods } = this.#lease.resource;
    return name !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined;
  }

  /** `client.release`, as a test: every lease has it. */
  isMethod(state: State, test: Node): boolean {
    const member = bare(test);
    return member.type === 'MemberExpression' && this.isLease(state, member.object) && this.method(propertyName(member)) !== undefined;
  }

  /** Whether a method gives the lease back. */
  isRelease(name: string | undefined): boolean {
    return this.method(name)?.does === 'release';
  }

  /** `{ transaction: t }`, `.transacting(trx)`: used there, and kept by nobody. */
  isLent(node: TSESTree.CallExpression | TSESTree.NewExpression, argument: Node): boolean {
    const { keys = [], methods = [] } = this.#lease.resource.lentBy ?? {};
    if (node.callee.type === 'MemberExpression' && methods.includes(propertyName(node.callee) ?? '')) return true;
    return argument.type === 'ObjectExpression' && argument.properties.some((property) => keys.includes(keyOf(property) ?? ''));
  }

  /** `release(true)`, `release(error)`, `destroy()`: the connection ends, and whatever is open in it. */
  destroys(state: State, call: TSESTree.CallExpression): 'always' | 'perhaps' | undefined {
    const release = this.#releaseBy(state, call);
    if (release?.destroys !== 'if-argument') return release?.destroys;
    const [argument] = call.arguments;
    if (!argument || this.#conditions.truth(argument, state.facts) === false) return undefined;
    return argument.type === 'Literal' ? 'always' : 'perhaps';
  }

  /** Whether an argument hands the lease over: itself, or in an object or array written in place. */
  passes(state: State, argument: Node): boolean {
    const node = bare(argument);
    switch (node.type) {
      case 'ObjectExpression':
        return node.properties.some((property) => this.passes(state, property.type === 'Property' ? property.value : property.argument));
      case 'ArrayExpression':
        return node.elements.some((element) => element !== null && this.passes(state, element));
      case 'SpreadElement':
        return this.passes(state, node.argument);
      default:
        return this.isLease(state, node);
    }
  }

  /** Whether a call ends the pool that the lease was taken from, and the lease with it. */
  isEndedBy(call: TSESTree.CallExpression): boolean {
    const called = this.#values.methodOf(call, this.#module);
    if (called?.method.does !== 'close' || !called.method.endsLeases) return false;
    return called.receiver.origin !== undefined && called.receiver.origin.node === this.#lease.origin?.node;
  }

  /** Whether a call gives the lease back. */
  releases(state: State, call: TSESTree.CallExpression): boolean {
    return this.#releaseBy(state, call) !== undefined;
  }

  /** Whether a chain of calls starts with one that gives the lease back: `trx.commit().execute()`. */
  isReleasing(state: State, node: Node): boolean {
    if (node.type !== 'CallExpression') return false;
    return this.releases(state, node) || (node.callee.type === 'MemberExpression' && this.isReleasing(state, bare(node.callee.object)));
  }

  /** The way in which a call gives the lease back: by a release function, a method of its own, or one that it is passed to. */
  #releaseBy(state: State, call: TSESTree.CallExpression): Release | undefined {
    const { callee } = call;
    const variable = callee.type === 'Identifier' ? this.#module.variableOf(callee) : undefined;
    if (variable && state.releasers.includes(variable)) return releaseFunction;
    const isOwn = callee.type === 'MemberExpression' && this.isLease(state, callee.object);
    if (isOwn && this.#isKeptRelease(state, propertyName(callee))) return releaseFunction;
    const method = isOwn ? this.method(propertyName(callee)) : this.#values.methodOf(call, this.#module)?.method;
    if (method?.does !== 'release') return undefined;
    if (isOwn) return method;
    const argument = method.argument === undefined ? undefined : call.arguments[method.argument];
    return argument && this.isLease(state, argument) ? method : undefined;
  }

  /** `client.giveBack = release`, for that `release` */
  keepsRelease(state: State, { parent }: Node): boolean {
    return parent?.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression' && this.isLease(state, parent.left.object);
  }

  /** Whether the lease keeps a release function of its own under a name. */
  #isKeptRelease(state: State, name: string | undefined): boolean {
    const kept = state.releasers.flatMap(({ references }) => references.map(({ identifier }) => identifier));
    return kept.some((node) => {
      const left = node.parent.type === 'AssignmentExpression' && this.keepsRelease(state, node) ? node.parent.left : undefined;
      return left?.type === 'MemberExpression' && propertyName(left) === name;
    });
  }

  /** `client.query(sql, fn)`: the lease itself calls back, once. */
  isContinuation(state: State, fn: Node): boolean {
    const call = fn.parent;
    return (
      call?.type === 'CallExpression' &&
      call.arguments.at(-1) === fn &&
      call.callee.type === 'MemberExpression' &&
      this.method(propertyName(call.callee))?.does === 'query' &&
      this.isLease(state, call.callee.object)
    );
  }

  /** `await client.query(sql, fn)` of a driver that only gives promises */
  isNeverCalled(state: State, { parent: call }: Node): boolean {
    if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression' || !this.isLease(state, call.callee.object))
      return false;
    const method = this.method(propertyName(call.callee));
    return method?.does === 'query' && method.ignoresCallback === true;
  }

  /** Whether code closes over the lease or its release function. */
  mentions({ names, releasers }: State, node: Node): boolean {
    return [...names, ...releasers].some((variable) => referencesWithin(variable, node).length > 0);
  }

  #isLentIn(call: TSESTree.CallExpression | TSESTree.NewExpression, reference: Node): boolean {
    const argument = call.arguments.find((each) => isWithin(reference, each));
    return argument !== undefined && this.isLent(call, argument);
  }

  /** Whether a function could give the lease back or hand it on, rather than only use it. */
  mayRelease(state: State, fn: Node): boolean {
    if (state.releasers.some((variable) => referencesWithin(variable, fn).length > 0)) return true;
    return state.names.some((variable) =>
      referencesWithin(variable, fn).some((reference) => {
        const consumer = consumerOf(reference, this.#module);
        if (consumer.kind === 'member') return this.isRelease(propertyName(consumer.member));
        if (consumer.kind === 'argument') return !this.#isLentIn(consumer.call, reference);
        return consumer.kind === 'elsewhere' || consumer.kind === 'variable';
      }),
    );
  }

  /** `await runner.connect()`: what it holds, it takes only now. */
  opens(state: State, call: Node): boolean {
    if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression' || !this.isLease(state, call.callee.object)) return false;
    return this.method(propertyName(call.callee))?.does === 'open';
  }
}

function calleeOf(sending: SendingNode): Node {
  return sending.type === 'CallExpression' ? sending.callee : sending.tag;
}

function keyOf(property: TSESTree.ObjectLiteralElement): string | undefined {
  return property.type === 'Property' ? keyName(property) : undefined;
}
