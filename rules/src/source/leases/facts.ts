import { childrenOf } from '@poolcheck/parsers/javascript/parse';
import { stepsFrom, type Step } from '../steps.ts';
import { bare, bindingsOf, propertyName } from '../module.ts';
import type { Module, Node, TSESTree, Variable } from '../module.ts';

/** What a path has found out about conditions: by variable, by the text of a condition that nothing on the way can change, or by {@link equalityKey}. */
export type Facts = ReadonlyMap<Variable | string, Fact>;

interface Fact {
  readonly truth: boolean;
  readonly about: readonly Variable[];
}

export const noFacts: Facts = new Map();

/** Under what it is known whether something, by its text, equals a text or number. */
export function equalityKey(subject: string, value: string | number): string {
  return `${subject} is ${JSON.stringify(value)}`;
}

/** Facts of one function, as texts to compare them by. */
export function factTexts(facts: Facts): readonly string[] {
  return [...facts].map(([about, { truth }]) => `${typeof about === 'string' ? about : about.name}=${truth}`);
}

/** What a path knows of its lease. */
export interface KnownLease {
  /** The variables that hold it while it is live. */
  readonly live: readonly Variable[];
  /** The callbacks that it is handed to: they were given. */
  readonly receivers: readonly Variable[];
  /** All its variables, and what its properties say of it. */
  readonly names: readonly Variable[];
  readonly says: ReadonlyMap<string, boolean>;
}

/** That something, by its text, equals a value; `about` are the variables in it, when nothing on the way can change it. */
interface Equality {
  readonly subject: string;
  readonly value: string | number;
  /** Whether the test holds when they are equal. */
  readonly whenTrue: boolean;
  readonly about: readonly Variable[] | undefined;
}

const noLease: KnownLease = { live: [], receivers: [], names: [], says: new Map() };

/** Conditions of one function, read with what a path knows. */
export class Conditions {
  readonly #module: Module;
  /** What tests depend on, and what more than one does: nothing else is worth remembering. */
  readonly #tested: ReadonlySet<Variable | string>;
  readonly #shared: ReadonlySet<Variable | string>;

  constructor(module: Module, entry: Step) {
    this.#module = module;
    const counts = this.#countSubjects(entry);
    this.#tested = new Set(counts.keys());
    this.#shared = new Set([...counts].flatMap(([subject, count]) => (count > 1 ? [subject] : [])));
  }

  /** Whether a condition holds, as far as the path knows. */
  truth(test: Node, facts: Facts, lease = noLease, depth = 0): boolean | undefined {
    const node = bare(test);
    if (depth > 8) return undefined;
    if (node.type === 'Literal') return Boolean(node.value);
    if (node.type === 'UnaryExpression' && node.operator === '!') return not(this.truth(node.argument, facts, lease, depth + 1));
    const typeTest = functionComparison(node);
    if (typeTest && this.#isOneOf(lease.receivers, typeTest.subject)) return typeTest.whenFunction;
    const equality = this.#equality(node);
    if (equality) return this.#equals(equality, facts);
    const nullTest = nullComparison(node);
    if (nullTest) {
      const truth = this.truth(nullTest.subject, facts, lease, depth + 1);
      return nullTest.whenNull ? not(truth) : truth;
    }
    if (node.type === 'BinaryExpression') {
      const differs = this.#differs(node, lease.live);
      if (differs !== undefined) return differs;
    }
    if (node.type === 'Identifier') {
      const variable = this.#module.variableOf(node);
      if (!variable) return node.name === 'undefined' ? false : undefined;
      if (lease.live.includes(variable) || lease.receivers.includes(variable)) return true;
      const known = facts.get(variable);
      if (known) return known.truth;
      const alias = constantInitialiser(variable);
      return alias && this.truth(alias, facts, lease, depth + 1);
    }
    if (node.type === 'LogicalExpression' && node.operator !== '??') {
      const left = this.truth(node.left, facts, lease, depth + 1);
      const right = this.truth(node.right, facts, lease, depth + 1);
      const decides = node.operator === '||';
      if (left === decides || right === decides) return decides;
      return left === undefined || right === undefined ? undefined : !decides;
    }
    return this.#saidBy(node, lease) ?? facts.get(this.#text(node))?.truth;
  }

  #isOneOf(variables: readonly Variable[], node: Node): boolean {
    const variable = node.type === 'Identifier' ? this.#module.variableOf(node) : undefined;
    return variable !== undefined && variables.includes(variable);
  }

  /** `mode === 'read'`, or a `case 'read':` of it. */
  #equality(node: Node): Equality | undefined {
    const compared = literalComparison(node);
    return compared && { ...compared, subject: this.#text(compared.subject), about: this.#stableVariables(compared.subject) };
  }

  /** What equals one text does not equal another. */
  #equals({ subject, value, whenTrue }: Equality, facts: Facts): boolean | undefined {
    const known = facts.get(equalityKey(subject, value))?.truth;
    const isOther = [...facts].some(([key, { truth }]) => truth && typeof key === 'string' && key.startsWith(`${subject} is `));
    const equal = known ?? (isOther ? false : undefined);
    return equal === undefined ? undefined : equal === whenTrue;
  }

  /** What a property of the lease says: `runner.isReleased`, `trx.isCompleted()`. */
  #saidBy(node: Node, lease: KnownLease): boolean | undefined {
    const compared = booleanComparison(node);
    const said = this.#told(compared?.subject ?? node, lease);
    return compared?.whenTrue === false ? not(said) : said;
  }

  #told(node: Node, { names, says }: KnownLease): boolean | undefined {
    const member = node.type === 'CallExpression' && node.arguments.length === 0 ? node.callee : node;
    if (member.type !== 'MemberExpression' || member.object.type !== 'Identifier') return undefined;
    const variable = this.#module.variableOf(member.object);
    return variable && names.includes(variable) ? says.get(propertyName(member) ?? '') : undefined;
  }

  /** `client !== given`: what was just taken is not what another variable has. */
  #differs({ left, right, operator }: TSESTree.BinaryExpression, held: readonly Variable[]): boolean | undefined {
    if (!/^[!=]==?$/.test(operator) || left.type !== 'Identifier' || right.type !== 'Identifier') return undefined;
    const [one, other] = [left, right].map((side) => this.#module.variableOf(side));
    if (!one || !other || held.includes(one) === held.includes(other)) return undefined;
    return operator.startsWith('!');
  }

  /** The facts after a condition turned out so, or undefined when that contradicts them. */
  assume(test: Node, truth: boolean, facts: Facts, lease = noLease, depth = 0): Facts | undefined {
    const known = this.truth(test, facts, lease);
    if (known !== undefined) return known === truth ? facts : undefined;
    const node = bare(test);
    if (depth > 8) return facts;
    if (node.type === 'UnaryExpression' && node.operator === '!') return this.assume(node.argument, !truth, facts, lease, depth + 1);
    const equality = this.#equality(node);
    if (equality) return this.#assumeEqual(equality, truth, facts);
    const nullTest = nullComparison(node);
    if (nullTest) return this.assume(nullTest.subject, nullTest.whenNull ? !truth : truth, facts, lease, depth + 1);
    if (node.type === 'Identifier') {
      const variable = this.#module.variableOf(node);
      if (!variable) return facts;
      const alias = constantInitialiser(variable);
      const more = alias ? this.assume(alias, truth, facts, lease, depth + 1) : facts;
      return more && this.#remember(more, variable, { truth, about: [variable] });
    }
    const about = node.type === 'SwitchCase' ? undefined : this.#stableVariables(node);
    return about ? this.#remember(facts, this.#text(node), { truth, about }) : facts;
  }

  #assumeEqual({ subject, value, whenTrue, about }: Equality, truth: boolean, facts: Facts): Facts {
    if (!about || !this.#shared.has(subject)) return facts;
    return new Map(facts).set(equalityKey(subject, value), { truth: truth === whenTrue, about });
  }

  #remember(facts: Facts, subject: Variable | string, fact: Fact): Facts {
    return this.#shared.has(subject) ? new Map(facts).set(subject, fact) : facts;
  }

  #countSubjects(entry: Step): ReadonlyMap<Variable | string, number> {
    const tests = new Set(stepsFrom(entry).flatMap(testedBy));
    const counts = new Map<Variable | string, number>();
    for (const test of tests) for (const subject of this.#subjects(test)) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    return counts;
  }

  /** What a condition is about: variables, through constants that stand for conditions, and the texts of comparisons. */
  #subjects(test: Node, depth = 0): ReadonlySet<Variable | string> {
    const node = bare(test);
    if (depth > 8) return new Set();
    if (node.type === 'SwitchStatement') return new Set([this.#text(node.discriminant)]);
    if (node.type === 'UnaryExpression') return this.#subjects(node.argument, depth + 1);
    const equality = this.#equality(node);
    if (equality) return new Set([equality.subject]);
    const nullTest = nullComparison(node);
    if (nullTest) return this.#subjects(nullTest.subject, depth + 1);
    if (node.type === 'LogicalExpression')
      return new Set([...this.#subjects(node.left, depth + 1), ...this.#subjects(node.right, depth + 1)]);
    const variable = node.type === 'Identifier' ? this.#module.variableOf(node) : undefined;
    if (!variable) return new Set([this.#text(node)]);
    const alias = constantInitialiser(variable);
    return new Set([variable, ...(alias ? this.#subjects(alias, depth + 1) : [])]);
  }

  /** The facts after a variable got a new value. */
  assign(variable: Variable, value: Node | undefined, facts: Facts): Facts {
    const kept = forget(facts, [variable]);
    const truth = value && (this.#literalTruth(value) ?? this.#conditionTruth(value, facts));
    return truth === undefined || !this.#tested.has(variable) ? kept : new Map(kept).set(variable, { truth, about: [variable] });
  }

  /** The facts after `let x;`. */
  declare(variable: Variable, facts: Facts): Facts {
    const kept = forget(facts, [variable]);
    return this.#tested.has(variable) ? new Map(kept).set(variable, { truth: false, about: [variable] }) : kept;
  }

  /** The facts after patterns were bound anew. */
  bind(pattern: Node, facts: Facts): Facts {
    return forget(
      facts,
      bindingsOf(pattern).flatMap((identifier) => this.#module.variableOf(identifier) ?? []),
    );
  }

  #literalTruth(value: Node): boolean | undefined {
    const node = bare(value);
    if (node.type === 'Literal') return Boolean(node.value);
    if (node.type === 'Identifier' && node.name === 'undefined') return false;
    return ['ObjectExpression', 'ArrayExpression', 'NewExpression', 'ArrowFunctionExpression'].includes(node.type) ? true : undefined;
  }

  /** A condition that a variable keeps, as far as the path knows already. */
  #conditionTruth(value: Node, facts: Facts): boolean | undefined {
    const isCondition = ['LogicalExpression', 'BinaryExpression', 'UnaryExpression'].includes(bare(value).type);
    return isCondition ? this.truth(value, facts) : undefined;
  }

  #text(node: Node): string {
    return this.#module.text.content.slice(node.range[0], node.range[1]);
  }

  /** The variables of a condition without calls, when each is written at most once; else undefined. */
  #stableVariables(node: Node): readonly Variable[] | undefined {
    if (!isPure(node)) return undefined;
    const variables = identifiersIn(node).map((identifier) => this.#module.variableOf(identifier));
    return variables.every((variable) => variable !== undefined && isWrittenOnce(variable))
      ? variables.filter((variable) => variable !== undefined)
      : undefined;
  }
}

/** Conditions, those of a `switch` as one, and what a call may be given or not: `release(error)`. */
function testedBy(step: Step): readonly Node[] {
  if (step.kind === 'branch') return [step.test.type === 'SwitchCase' ? step.test.parent : step.test];
  if (step.kind !== 'evaluate' || step.node.type !== 'CallExpression') return [];
  const [argument, ...others] = step.node.arguments;
  return argument?.type === 'Identifier' && others.length === 0 ? [argument] : [];
}

function not(truth: boolean | undefined): boolean | undefined {
  return truth === undefined ? undefined : !truth;
}

function forget(facts: Facts, changed: readonly Variable[]): Facts {
  return new Map([...facts].filter(([, fact]) => !fact.about.some((variable) => changed.includes(variable))));
}

/** `x == null`, `x !== undefined` and the like: what is compared, and whether the test holds when it is null. */
function nullComparison(node: Node): { readonly subject: Node; readonly whenNull: boolean } | undefined {
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return undefined;
  const whenNull = node.operator.startsWith('=');
  if (isNullish(node.right)) return { subject: node.left, whenNull };
  return isNullish(node.left) ? { subject: node.right, whenNull } : undefined;
}

/** `typeof x === 'function'` and the like: what is asked about, and whether the test holds when it is a function. */
function functionComparison(node: Node): { readonly subject: Node; readonly whenFunction: boolean } | undefined {
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return undefined;
  const { left, right, operator } = node;
  if (left.type !== 'UnaryExpression' || left.operator !== 'typeof' || literalIn(right) !== 'function') return undefined;
  return { subject: left.argument, whenFunction: operator.startsWith('=') };
}

/** `x === true`, `x !== true` and the like: what is compared, and whether the test holds when it is true. */
function booleanComparison(node: Node): { readonly subject: Node; readonly whenTrue: boolean } | undefined {
  if (node.type !== 'BinaryExpression' || !/^[!=]==$/.test(node.operator)) return undefined;
  const { left, right } = node;
  if (right.type !== 'Literal' || typeof right.value !== 'boolean') return undefined;
  return { subject: left, whenTrue: right.value === node.operator.startsWith('=') };
}

/** `x === 'a'`, `x !== 'a'`, or `case 'a':`: what is compared, with what, and whether the test holds when they are equal. */
function literalComparison(node: Node): (Pick<Equality, 'value' | 'whenTrue'> & { readonly subject: Node }) | undefined {
  if (node.type === 'SwitchCase') {
    const value = literalIn(node.test);
    return value === undefined ? undefined : { subject: node.parent.discriminant, value, whenTrue: true };
  }
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return undefined;
  const value = literalIn(node.right);
  return value === undefined ? undefined : { subject: node.left, value, whenTrue: node.operator.startsWith('=') };
}

function literalIn(node: Node | null): string | number | undefined {
  const value = node?.type === 'Literal' ? node.value : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function isNullish(node: Node): boolean {
  return (node.type === 'Literal' && node.value === null) || (node.type === 'Identifier' && node.name === 'undefined');
}

/** What a constant stands for, when that is a condition itself (`const owns = !given`). */
function constantInitialiser(variable: Variable): Node | undefined {
  const definition = variable.defs[0]?.node;
  if (definition?.type !== 'VariableDeclarator' || definition.id.type !== 'Identifier' || !isWrittenOnce(variable)) return undefined;
  const init = definition.init && bare(definition.init);
  return init &&
    /^(Literal|Identifier|MemberExpression|UnaryExpression|BinaryExpression|LogicalExpression)$/.test(init.type) &&
    isPure(init)
    ? init
    : undefined;
}

function isWrittenOnce(variable: Variable): boolean {
  return variable.references.filter((reference) => reference.isWrite()).length <= 1;
}

function isPure(node: Node): boolean {
  return (
    (!/^(Call|New|Await|Assignment|Update|Yield|TaggedTemplate)Expression$|^(Arrow)?FunctionExpression$/.test(node.type) ||
      isPredicate(node)) &&
    childrenOf(node).every(isPure)
  );
}

/** `isPool(client)`: a question that has the same answer each time. */
function isPredicate(node: Node): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && /^is[A-Z]/.test(node.callee.name);
}

function identifiersIn(node: Node): readonly Extract<Node, { type: 'Identifier' }>[] {
  if (node.type === 'Identifier') return [node];
  if (node.type === 'MemberExpression' && !node.computed) return identifiersIn(node.object);
  return childrenOf(node).flatMap(identifiersIn);
}
