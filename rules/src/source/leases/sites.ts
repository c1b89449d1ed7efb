import { isPromiseChain, runsInPlace } from '../promises.ts';
import { callbackOf } from '../functions.ts';
import { bare, enclosingFunction, isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { ResourceValue } from '../value.ts';
import type { Values } from '../values.ts';
import { settled } from '../value.ts';
import { consumerOf, type Consumer } from './consumer.ts';
import { mockedModules } from './mocks.ts';
import { isPoolless, type NamesSystem } from './poolless.ts';

/** A place where a lease is taken. */
export interface LeaseSite {
  readonly module: Module;
  /** The call that takes it. */
  readonly node: TSESTree.CallExpression;
  readonly lease: ResourceValue;
  /** The function whose graph holds the lease from here on: the caller, or the callback it is handed to. */
  readonly fn: FunctionNode;
  /** The node at which it is held: the await, the call, or the callback itself. */
  readonly taken: Node;
  readonly consumer: Consumer;
  /** In callback style: the error parameter and the release function. */
  readonly callback: { readonly error: Variable | undefined; readonly release: Variable | undefined } | undefined;
}

/** Every place in a module where a function takes a lease; a driver that a test mocks has none. */
export function leaseSitesIn(module: Module, values: Values, isNamed: NamesSystem): readonly LeaseSite[] {
  const mocked = mockedModules(module);
  return module
    .nodes('CallExpression')
    .flatMap(
      (node) =>
        promisedLease(node, module, values, isNamed) ??
        pendingLease(node, module, values) ??
        calledBackLease(node, module, values) ??
        heldLease(node, module, values) ??
        [],
    )
    .filter(({ lease }) => !mocked.some((specifier) => Object.hasOwn(lease.driver.packages, specifier)));
}

/** `await transaction.begin()`: what was made before, and by this function, holds a connection from here on. */
function heldLease(node: TSESTree.CallExpression, module: Module, values: Values): LeaseSite | undefined {
  const called = values.methodOf(node, module);
  const fn = hostOf(node);
  if (called?.method.does !== 'hold' || node.callee.type !== 'MemberExpression' || !fn || node.arguments.some(isFunction)) return undefined;
  const object = bare(node.callee.object);
  const variable = object.type === 'Identifier' ? module.variableOf(object) : undefined;
  if (variable?.defs[0]?.type !== 'Variable') return undefined;
  const lease = { ...called.receiver, acquired: true };
  return { module, node, lease, fn, taken: takenAt(node), consumer: { kind: 'variable', variable }, callback: undefined };
}

/** `await pool.acquire().promise` */
function pendingLease(node: TSESTree.CallExpression, module: Module, values: Values): LeaseSite | undefined {
  const called = values.methodOf(node, module);
  if (called?.method.does !== 'acquire' || called.method.gives.under === undefined) return undefined;
  const { parent } = node;
  const { driver, origin } = called.receiver;
  const { resource: name, under } = called.method.gives;
  const resource = driver.resources[name];
  const fn = hostOf(node);
  if (!fn || !resource || parent.type !== 'MemberExpression' || propertyName(parent) !== under) return undefined;
  const lease: ResourceValue = { kind: 'resource', driver, name, resource, origin, acquired: true };
  return { module, node, lease, fn, taken: takenAt(parent), consumer: consumerOf(parent, module), callback: undefined };
}

function promisedLease(node: TSESTree.CallExpression, module: Module, values: Values, isNamed: NamesSystem): LeaseSite | undefined {
  if (isPromiseChain(node)) return undefined;
  const lease = settled(values.valueOf(node, module));
  if (lease?.kind !== 'resource' || lease.resource.role !== 'lease' || !lease.acquired || isView(node, module, values)) return undefined;
  const fn = hostOf(node);
  if (!fn || isPoolless(lease, values, isNamed) || isCastToClass(node, module, values)) return undefined;
  return { module, node, lease, fn, taken: takenAt(node), consumer: consumerOf(node, module), callback: undefined };
}

/** `… as TracedClient`: a class of the root says itself what it holds. */
function isCastToClass({ parent }: Node, module: Module, values: Values): boolean {
  if (parent?.type === 'AwaitExpression') return isCastToClass(parent, module, values);
  return parent?.type === 'TSAsExpression' && values.valueOf(parent, module)?.kind === 'instance';
}

function isView(node: TSESTree.CallExpression, module: Module, values: Values): boolean {
  return values.methodOf(node, module)?.method.does === 'view';
}

function calledBackLease(node: TSESTree.CallExpression, module: Module, values: Values): LeaseSite | undefined {
  const called = values.methodOf(node, module);
  const fn = callbackOf(node);
  if (!fn || called?.method.does !== 'acquire' || called.method.gives.as === 'promise') return undefined;
  const [error, holder, release] = fn.params.map((parameter) =>
    parameter.type === 'Identifier' ? module.variableOf(parameter) : undefined,
  );
  const { driver, origin } = called.receiver;
  const resource = driver.resources[called.method.gives.resource];
  if (!resource || !holder) return undefined;
  return {
    module,
    node,
    lease: { kind: 'resource', driver, name: called.method.gives.resource, resource, origin, acquired: true },
    fn,
    taken: fn,
    consumer: { kind: 'variable', variable: holder },
    callback: { error, release },
  };
}

/** The function whose graph a node stands in: callbacks of promise chains stand in their host's. */
export function hostOf(node: Node): FunctionNode | undefined {
  const fn = enclosingFunction(node);
  return fn && runsInPlace(fn) ? hostOf(fn) : fn;
}

/** The node whose evaluation hands the lease over: an await around the call, or the call. */
function takenAt(call: Node): Node {
  const { parent } = call;
  if (parent?.type === 'AwaitExpression') return parent;
  return parent && bare(parent) !== parent ? takenAt(parent) : bare(call);
}

export function isWithin(inner: Node, outer: Node): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

/** The references to a variable inside a node. */
export function referencesWithin(variable: Variable, node: Node): readonly Node[] {
  return variable.references.map(({ identifier }) => identifier).filter((identifier) => isWithin(identifier, node));
}

/** The variable a function is kept in, when it is only ever called by that name in the same graph. */
export function localFunctionName(fn: FunctionNode, module: Module): Variable | undefined {
  const name = fn.type === 'FunctionDeclaration' ? fn.id : fn.parent.type === 'VariableDeclarator' ? fn.parent.id : undefined;
  const variable = name?.type === 'Identifier' ? module.variableOf(name) : undefined;
  if (!variable) return undefined;
  const host = hostOf(fn);
  const onlyCalled = variable.references.every(
    ({ identifier }) =>
      (identifier.parent.type === 'VariableDeclarator' && identifier.parent.id === identifier) ||
      (identifier.parent.type === 'CallExpression' && identifier.parent.callee === identifier && hostOf(identifier) === host),
  );
  return onlyCalled ? variable : undefined;
}
