import { walk } from '@poolcheck/parsers/javascript/parse';
import type { Step } from '../steps.ts';
import { controlFlow } from '../cfg.ts';
import { visitBody } from '../functions.ts';
import { bare, isFunction, keyName, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import type { ClassNode } from '../value.ts';
import { consumerOf } from './consumer.ts';
import type { Explorer } from './explore.ts';
import type { Leak } from './leaks.ts';
import { isWithin, type LeaseSite } from './sites.ts';

/** What the field has: nothing, a lease, or one that was given back. */
type Holding = 'none' | 'held' | 'released';

/** One way out of a method: `cause` is what failed on it, at last. */
interface Exit {
  readonly raised: boolean;
  readonly holding: Holding;
  readonly cause: Node | undefined;
}

interface State {
  readonly step: Step;
  readonly holding: Holding;
  readonly cause: Node | undefined;
}

/**
 * How a class loses the lease that it keeps in a private field: every method that gives it back ends the transaction first, and does not
 * come to the release when that fails. Nobody else can reach the field, so nobody else can give it back.
 */
export function fieldLeak(site: LeaseSite, explorer: Explorer): Leak | undefined {
  const field = ownField(site, explorer);
  if (!field || !field.isKept()) return undefined;
  const endings = field.endings();
  if (endings.length === 0 || !endings.every((exits) => exits.some(isLoss))) return undefined;
  const causes = endings.flatMap((exits) => exits.flatMap((exit) => (isLoss(exit) && exit.cause ? [exit.cause] : [])));
  const cause = causes.findLast((each) => field.endsTransaction(each));
  return cause && { kind: 'raises', site, cause, exit: undefined };
}

function isLoss({ raised, holding }: Exit): boolean {
  return raised && holding === 'held';
}

/** The private field that a lease is written into as soon as it is taken. */
function ownField({ node, fn, module, consumer }: LeaseSite, explorer: Explorer): PrivateField | undefined {
  const writes: TSESTree.MemberExpression[] = [];
  walk(fn, (inner) => {
    if (inner.type !== 'AssignmentExpression' || inner.left.type !== 'MemberExpression') return;
    const { right } = inner;
    const isHolder = right.type === 'Identifier' && consumer.kind === 'variable' && module.variableOf(right) === consumer.variable;
    if (isHolder || isWithin(node, right)) writes.push(inner.left);
  });
  const [target] = writes;
  const name = target?.object.type === 'ThisExpression' ? propertyName(target) : undefined;
  const owner = target && name !== undefined ? explorer.values.valueOf(target.object, module) : undefined;
  if (name === undefined || owner?.kind !== 'instance' || !isPrivate(owner.at.node, name)) return undefined;
  return new PrivateField(owner.at.node, name, fn, module, explorer);
}

function isPrivate({ body }: ClassNode, name: string): boolean {
  const member = body.body.find((each) => each.type === 'PropertyDefinition' && keyName(each) === name);
  return name.startsWith('#') || (member?.type === 'PropertyDefinition' && member.accessibility === 'private');
}

/** A field with a lease, followed through the methods of its class. */
class PrivateField {
  readonly #owner: ClassNode;
  readonly #name: string;
  readonly #taker: FunctionNode;
  readonly #module: Module;
  readonly #explorer: Explorer;
  readonly #exits = new Map<string, readonly Exit[]>();

  constructor(owner: ClassNode, name: string, taker: FunctionNode, module: Module, explorer: Explorer) {
    this.#owner = owner;
    this.#name = name;
    this.#taker = taker;
    this.#module = module;
    this.#explorer = explorer;
  }

  /** Whether the class does nothing with the field but write, test and call it. */
  isKept(): boolean {
    let isKept = true;
    walk(this.#owner.body, (node) => {
      if (!this.#isField(node) || (node.parent?.type === 'AssignmentExpression' && node.parent.left === node)) return;
      const { kind, ...consumer } = consumerOf(node, this.#module);
      isKept &&= kind === 'test' || (kind === 'member' && 'member' in consumer && isCalled(consumer.member));
    });
    return isKept;
  }

  /** The ways out of each method that gives the lease back, of those that others can call. */
  endings(): readonly (readonly Exit[])[] {
    return this.#roots()
      .map((fn) => this.#exitsOf(fn, this.#reaches(fn, this.#taker) ? 'none' : 'held'))
      .filter((exits) => exits.some(({ holding }) => holding === 'released'));
  }

  endsTransaction(cause: Node): boolean {
    const call = cause.type === 'AwaitExpression' ? bare(cause.argument) : cause;
    if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression' || !this.#isField(call.callee.object)) return false;
    return this.#explorer.transactionStep(call, this.#explorer.values.methodOf(call, this.#module)?.method) === 'ends';
  }

  #isField(node: Node): boolean {
    const member = bare(node);
    return member.type === 'MemberExpression' && member.object.type === 'ThisExpression' && propertyName(member) === this.#name;
  }

  /** The methods that are not private, and those that no other one calls. */
  #roots(): readonly FunctionNode[] {
    const methods = methodsOf(this.#owner);
    return methods
      .filter(({ fn, isPrivate }) => !isPrivate || !methods.some((other) => other.fn !== fn && this.#reaches(other.fn, fn)))
      .map(({ fn }) => fn);
  }

  #reaches(from: FunctionNode, to: FunctionNode, seen = new Set<FunctionNode>()): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    const called: FunctionNode[] = [];
    visitBody(from, (node) => {
      const fn = node.type === 'CallExpression' ? this.#ownMethod(node) : undefined;
      if (fn) called.push(fn);
    });
    return called.some((fn) => this.#reaches(fn, to, seen));
  }

  #ownMethod(call: Node): FunctionNode | undefined {
    const called = call.type === 'CallExpression' ? this.#explorer.values.calledFunction(call, this.#module) : undefined;
    return called && called.module === this.#module && isWithin(called.node, this.#owner) ? called.node : undefined;
  }

  /** The ways out of a method that finds the field so. A recursive call is taken to change nothing. */
  #exitsOf(fn: FunctionNode, holding: Holding): readonly Exit[] {
    const key = `${fn.range[0]} ${holding}`;
    const known = this.#exits.get(key);
    if (known) return known;
    this.#exits.set(key, [{ raised: false, holding, cause: undefined }]);
    const exits = this.#follow(fn, holding);
    this.#exits.set(key, exits);
    return exits;
  }

  #follow(fn: FunctionNode, holding: Holding): readonly Exit[] {
    const entry = controlFlow(fn);
    const states: State[] = entry ? [{ step: entry, holding, cause: undefined }] : [];
    const exits: Exit[] = [];
    for (const state of states) {
      const { step, cause } = state;
      if (step.kind === 'returned' || step.kind === 'raised') exits.push({ raised: step.kind === 'raised', holding: state.holding, cause });
      for (const next of this.#after(state)) if (!states.some((other) => isSame(other, next))) states.push(next);
    }
    return exits;
  }

  #after(state: State): readonly State[] {
    const { step, holding } = state;
    switch (step.kind) {
      case 'join':
        return step.next ? [{ ...state, step: step.next }] : [];
      case 'branch': {
        const truth = this.#isField(step.test) && holding !== 'released' ? holding === 'held' : undefined;
        return [...(truth === false ? [] : [step.ifTrue]), ...(truth === true ? [] : [step.ifFalse])].map((next) => ({
          ...state,
          step: next,
        }));
      }
      case 'throw':
        return [{ ...state, step: step.raise, cause: state.cause ?? step.node }];
      case 'evaluate':
      case 'settle':
        return this.#afterNode(state, step);
      case 'returned':
      case 'raised':
        return [];
    }
  }

  #afterNode(state: State, step: Extract<Step, { kind: 'evaluate' | 'settle' }>): readonly State[] {
    const { node, next, raise } = step;
    const { raises } = this.#explorer;
    if (raises.endsProcess(node, this.#module)) return [];
    const awaited = node.type === 'AwaitExpression' ? bare(node.argument) : node;
    const method = isAwaited(node) ? undefined : this.#ownMethod(awaited);
    if (method) {
      return this.#exitsOf(method, state.holding).flatMap(({ raised, holding, cause }) => {
        if (!raised) return [{ ...state, step: next, holding }];
        return raise ? [{ step: raise, holding, cause }] : [];
      });
    }
    const holding = this.#holdingAfter(node, state.holding);
    const canRaise = step.kind === 'settle' ? raises.canSettleBadly(node, this.#module) : raises.canRaise(node, this.#module);
    return [{ ...state, step: next, holding }, ...(raise && canRaise ? [{ step: raise, holding, cause: node }] : [])];
  }

  #holdingAfter(node: Node, holding: Holding): Holding {
    if (node.type === 'AssignmentExpression' && this.#isField(node.left)) {
      if (!isNothing(node.right)) return 'held';
      return holding === 'released' ? holding : 'none';
    }
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || !this.#isField(node.callee.object)) return holding;
    return this.#explorer.values.methodOf(node, this.#module)?.method.does === 'release' ? 'released' : holding;
  }
}

interface Method {
  readonly fn: FunctionNode;
  readonly isPrivate: boolean;
}

function methodsOf({ body }: ClassNode): readonly Method[] {
  return body.body.flatMap((member) => {
    const isMember = member.type === 'MethodDefinition' || member.type === 'PropertyDefinition';
    if (!isMember || member.static || !isFunction(member.value)) return [];
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') return [];
    return [{ fn: member.value, isPrivate: member.accessibility === 'private' || member.key.type === 'PrivateIdentifier' }];
  });
}

function isSame(a: State, b: State): boolean {
  return a.step === b.step && a.holding === b.holding && a.cause === b.cause;
}

function isCalled(member: TSESTree.MemberExpression): boolean {
  return member.parent.type === 'CallExpression' && member.parent.callee === member;
}

/** What is awaited is judged where the await stands. */
function isAwaited(node: Node): boolean {
  return (
    node.type === 'CallExpression' &&
    (node.parent.type === 'AwaitExpression' || (bare(node.parent) !== node.parent && node.parent.parent?.type === 'AwaitExpression'))
  );
}

function isNothing(node: Node): boolean {
  return (node.type === 'Literal' && node.value === null) || (node.type === 'Identifier' && node.name === 'undefined');
}
