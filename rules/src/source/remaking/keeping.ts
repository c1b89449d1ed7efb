import { bare, bindingsOf, enclosingFunction, isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import { parameterVariable, visitOwn } from '../functions.ts';
import { isClass, isConstructor, outlives, runsWithin, unitOf, type Unit } from '../units.ts';
import type { Sited, Value } from '../value.ts';
import type { Values } from '../values.ts';

/** Where a value goes that an expression in a function makes. */
export interface Fate {
  /** Something that outlives the function's run has it: an outer variable, a field, a cache; or nobody can tell. */
  readonly kept: boolean;
  /** It is put on an object that the function was given: kept, unless that lives no longer than the run. */
  readonly givenAway: boolean;
  /** The caller gets it, alone or inside something. */
  readonly returned: boolean;
  /** The calls and declarations that close it, in the function that makes it or in one within it. */
  readonly closings: readonly Node[];
  /** It becomes a listener of its own. */
  readonly listens: boolean;
}

export function fateOf(node: Node, module: Module, values: Values): Fate {
  const tracer = new Tracer(module, values, unitOf(node));
  tracer.value(node);
  return tracer;
}

/** Calls that can be nested before it is taken that nobody can tell. */
const deepest = 6;

class Tracer implements Fate {
  kept = false;
  givenAway = false;
  returned = false;
  listens = false;
  readonly closings: Node[] = [];
  readonly #seen = new Set<unknown>();
  readonly #module: Module;
  readonly #values: Values;
  readonly #unit: Unit | undefined;
  readonly #hosts: readonly FunctionNode[];
  readonly #depth: number;

  constructor(module: Module, values: Values, unit: Unit | undefined, depth = 0) {
    this.#module = module;
    this.#values = values;
    this.#unit = unit;
    this.#hosts = isFunction(unit) ? runsWithin(unit, module, values) : [];
    this.#depth = depth;
  }

  /** Follows a value out of the expression that gives it. */
  value(node: Node): void {
    const { parent } = node;
    if (!parent || this.#seen.has(node)) return;
    this.#seen.add(node);
    switch (parent.type) {
      case 'AwaitExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
      case 'ChainExpression':
      case 'ArrayExpression':
      case 'SpreadElement':
      case 'ObjectExpression':
        return this.value(parent);
      case 'Property':
        return parent.value === node ? this.value(parent) : undefined;
      case 'VariableDeclarator':
        return this.#declared(parent);
      case 'AssignmentExpression':
        if (parent.right !== node) return undefined;
        this.#assigned(parent.left);
        return this.value(parent);
      case 'AssignmentPattern':
      case 'YieldExpression':
      case 'ExportDefaultDeclaration':
        this.kept = true;
        return undefined;
      case 'LogicalExpression':
        if (parent.right !== node || parent.operator === '&&') return this.value(parent);
        this.kept = true;
        return undefined;
      case 'ConditionalExpression':
        return this.#alternative(parent, node);
      case 'ReturnStatement':
        this.returned = true;
        return undefined;
      case 'ArrowFunctionExpression':
        if (parent.body === node) this.returned = true;
        return undefined;
      case 'PropertyDefinition':
        if (parent.value === node) this[parent.static ? 'kept' : 'returned'] = true;
        return undefined;
      case 'CallExpression':
      case 'NewExpression':
        return parent.callee === node ? undefined : this.#argument(parent, node);
      case 'MemberExpression':
        return parent.object === node ? this.#member(parent) : undefined;
      default:
        return undefined;
    }
  }

  /** Follows a variable that has the value wherever it is read. */
  variable(variable: Variable): void {
    if (this.#seen.has(variable)) return;
    this.#seen.add(variable);
    for (const reference of variable.references) {
      if (!reference.isRead()) continue;
      this.value(reference.identifier);
      this.#captured(reference.identifier, variable);
    }
  }

  #declared(declarator: TSESTree.VariableDeclarator): void {
    if (declarator.parent.kind === 'using' || declarator.parent.kind === 'await using') this.closings.push(declarator);
    for (const identifier of bindingsOf(declarator.id)) {
      const variable = this.#module.variableOf(identifier);
      if (variable) this.variable(variable);
    }
  }

  #alternative({ test, consequent, alternate }: TSESTree.ConditionalExpression, node: Node): void {
    if (test === node) return;
    const other = bare(consequent === node ? alternate : consequent);
    const isExisting = other.type === 'MemberExpression' || (other.type === 'Identifier' && other.name !== 'undefined');
    if (isExisting) this.kept = true;
    else if (node.parent) this.value(node.parent);
  }

  #assigned(target: Node): void {
    if (target.type === 'Identifier') return this.#into(this.#module.variableOf(target), false);
    if (target.type !== 'MemberExpression') return;
    const root = rootOf(target);
    if (root.type === 'ThisExpression') this.#ontoThis();
    else if (this.#isGlobal(root)) this.kept = true;
    else this.#into(root.type === 'Identifier' ? this.#module.variableOf(root) : undefined, bare(target.object) === root);
  }

  /** `globalThis`, also by another name. */
  #isGlobal(root: Node): boolean {
    const { node, module } = this.#values.follow(root, this.#module);
    const source = rootOf(node);
    return source.type === 'Identifier' && !module.variableOf(source)?.defs.length;
  }

  /** A field that a constructor sets lives as long as the instance; one that another method sets may live longer than the call. */
  #ontoThis(): void {
    if (isClass(this.#unit) || isConstructor(this.#unit)) this.returned = true;
    else this.kept = true;
  }

  #into(variable: Variable | undefined, asProperty: boolean): void {
    if (!variable || variable.defs.length === 0 || outlives(variable, this.#hosts)) this.kept = true;
    else if (variable.defs[0]?.type !== 'Parameter') this.variable(variable);
    else if (asProperty) this.givenAway = true;
    else this.kept = true;
  }

  #argument(call: TSESTree.CallExpression | TSESTree.NewExpression, node: Node): void {
    const position = call.arguments.findIndex((argument) => argument === node);
    const callee = this.#values.valueOf(call.callee, this.#module);
    if (callee?.kind === 'function' && call.type === 'CallExpression') return this.#passed(call, callee.at, position);
    if (isMadeFrom(callee) || call.type === 'NewExpression') return this.value(call);
    if (call.callee.type === 'Super') {
      this.returned = true;
      return;
    }
    const root = rootOf(call.callee);
    const variable = root.type === 'Identifier' ? this.#module.variableOf(root) : undefined;
    if (root.type !== 'Identifier') this.kept = true;
    else if (call.callee.type !== 'MemberExpression') this.#calledBack(call, variable);
    else if (!variable?.defs.length) this.#givenToGlobal(call, root.name);
    else this.#into(variable, bare(call.callee.object) === root);
  }

  /** `await use(pool)` with a function that was given: it may have the pool while it runs. */
  #calledBack(call: TSESTree.CallExpression, callee: Variable | undefined): void {
    if (callee?.defs[0]?.type === 'Parameter' && isWaitedFor(call)) this.value(call);
    else this.kept = true;
  }

  #givenToGlobal(call: TSESTree.CallExpression, name: string): void {
    if (name === 'Promise' || name === 'Object') this.value(call);
    else if (name !== 'console') this.kept = true;
  }

  /** What a function of the root does with an argument. */
  #passed(call: TSESTree.CallExpression, { node: fn, module }: Sited<FunctionNode>, position: number): void {
    if (this.#depth > deepest) {
      this.kept = true;
      return;
    }
    const variable = parameterVariable(fn, position, module);
    if (!variable || this.#seen.has(variable)) return;
    this.#seen.add(variable);
    const inside = new Tracer(module, this.#values, fn, this.#depth + 1);
    inside.variable(variable);
    this.kept ||= inside.kept || inside.givenAway;
    if (inside.closings.length > 0) this.closings.push(call);
    this.listens ||= inside.listens;
    if (inside.returned) this.value(call);
  }

  #member(member: TSESTree.MemberExpression): void {
    if (isCovered(member, this.#module, this.#values)) return this.value(member);
    const call = member.parent.type === 'ChainExpression' ? member.parent.parent : member.parent;
    if (call.type !== 'CallExpression' || bare(call.callee) !== member) return;
    const does = this.#values.methodOf(call, this.#module)?.method.does;
    if (does === 'close' || closesItsOwn(this.#values.calledFunction(call, this.#module), this.#values)) this.closings.push(call);
    if (does === 'listen') this.listens = true;
    if (does === 'open' || does === 'nothing' || does === 'view') this.value(call);
  }

  /** A function that reads the variable has it too, unless it is only a callback. */
  #captured(identifier: Node, variable: Variable): void {
    const [declared] = variable.identifiers;
    const home = declared && enclosingFunction(declared);
    for (let fn = enclosingFunction(identifier); fn && fn !== home; fn = enclosingFunction(fn)) {
      const { parent } = fn;
      if (parent.type === 'CallExpression' || parent.type === 'NewExpression') continue;
      const name = fn.type === 'FunctionDeclaration' && fn.id ? this.#module.variableOf(fn.id) : undefined;
      if (name) this.variable(name);
      else this.value(fn);
      return;
    }
  }
}

/** `db.$client`, when that is the pool. */
function isCovered(member: TSESTree.MemberExpression, module: Module, values: Values): boolean {
  const object = values.resourceOf(member.object, module);
  return object?.covered !== undefined && propertyName(member) === object.resource.coveredAs;
}

/** Whether a method closes what its instance holds. */
function closesItsOwn(method: Sited<FunctionNode> | undefined, values: Values): boolean {
  let closes = false;
  if (method?.node.parent.type === 'MethodDefinition') {
    visitOwn(method.node, (node) => {
      if (node.type !== 'CallExpression' || rootOf(node.callee).type !== 'ThisExpression') return;
      closes ||= values.methodOf(node, method.module)?.method.does === 'close';
    });
  }
  return closes;
}

function isWaitedFor({ parent }: TSESTree.CallExpression): boolean {
  return parent.type === 'AwaitExpression' || parent.type === 'ReturnStatement' || parent.type === 'ArrowFunctionExpression';
}

/** Whether the result of a call holds what it is given: `drizzle(pool)`; a method of a package's object may keep it. */
function isMadeFrom(callee: Value | undefined): boolean {
  return callee !== undefined && (callee.kind !== 'export' || callee.path.length < 2);
}

/** The leftmost object of a member access. */
function rootOf(node: Node): Node {
  const inner = bare(node);
  return inner.type === 'MemberExpression' ? rootOf(inner.object) : inner;
}
