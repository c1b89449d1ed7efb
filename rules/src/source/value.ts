import type { Driver, Gives, Method, Resource } from '../knowledge/driver.ts';
import type { FunctionNode, Module, Node, TSESTree } from './module.ts';

export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;

/** A node and the module it stands in. */
export interface Sited<N extends Node = Node> {
  readonly node: N;
  readonly module: Module;
}

/** What an expression is known to be — by imports, constructions, type annotations and calls, never by its name. */
export type Value =
  /** Something a package exports; an empty path is the package itself. */
  | { readonly kind: 'export'; readonly package: string; readonly path: readonly string[] }
  | ResourceValue
  | MethodValue
  /** A promise of a value; `orItself`: in some versions that value itself. */
  | { readonly kind: 'promise'; readonly of: Value; readonly orItself?: true }
  | { readonly kind: 'function'; readonly at: Sited<FunctionNode> }
  | { readonly kind: 'class'; readonly at: Sited<ClassNode> }
  | { readonly kind: 'instance'; readonly at: Sited<ClassNode> }
  /** An object literal, and what it is declared to be where its own properties say nothing. */
  | { readonly kind: 'object'; readonly at: Sited<TSESTree.ObjectExpression>; readonly declared?: Value | undefined }
  /** An object that is given properties after it is made, and what it is besides. */
  | { readonly kind: 'filled'; readonly at: Sited; readonly members: ReadonlyMap<string, readonly Node[]>; readonly of: Value | undefined }
  /** What an interface or object type promises. */
  | { readonly kind: 'shape'; readonly module: Module; readonly members: readonly TSESTree.TypeElement[] }
  /** One of several, as a union type says: it has the members that any of them has. */
  | { readonly kind: 'either'; readonly of: readonly Value[] }
  | { readonly kind: 'namespace'; readonly module: Module };

/** A pool, lease or connection of a driver. */
export interface ResourceValue {
  readonly kind: 'resource';
  readonly driver: Driver;
  readonly name: string;
  readonly resource: Resource;
  /** The call or `new` that made it, or made the pool it was taken from. */
  readonly origin: Sited | undefined;
  /** It was taken by this very expression, or by a function that hands it over: who has it must give it back. */
  readonly acquired: boolean;
  /** The pool or connection that it only covers. */
  readonly covered?: ResourceValue;
}

/** What a package exports. */
export type ExportValue = Extract<Value, { kind: 'export' }>;

/** A method of a pool, lease or connection. */
export interface MethodValue {
  readonly kind: 'method';
  readonly receiver: ResourceValue;
  readonly name: string;
  readonly method: Method;
}

/** A value once awaited. */
export function settled(value: Value | undefined): Value | undefined {
  return value?.kind === 'promise' ? settled(value.of) : value;
}

export function promiseOf(value: Value): Value {
  return value.kind === 'promise' ? value : { kind: 'promise', of: value };
}

export function exported(name: string, path: readonly string[]): Value {
  return { kind: 'export', package: name, path };
}

export function give(driver: Driver, gives: Gives, origin: Sited | undefined, acquired: boolean): Value | undefined {
  const resource = driver.resources[gives.resource];
  if (!resource) return undefined;
  const value: ResourceValue = { kind: 'resource', driver, name: gives.resource, resource, origin, acquired };
  if (gives.as === 'value-or-promise') return { kind: 'promise', of: value, orItself: true };
  return gives.as === 'promise' ? { kind: 'promise', of: value } : value;
}

export function memberOf(value: ResourceValue, name: string): Value | undefined {
  if (value.covered && name === value.resource.coveredAs) return value.covered;
  const property = value.resource.properties?.[name];
  if (property !== undefined) return give(value.driver, { resource: property, as: 'value' }, value.origin, false);
  const method = Object.hasOwn(value.resource.methods, name) ? value.resource.methods[name] : undefined;
  return method ? { kind: 'method', receiver: value, name, method } : modelOf(value, name);
}

/** `user` of `prisma.user`. */
function modelOf({ driver, resource, origin }: ResourceValue, name: string): Value | undefined {
  if (resource.models === undefined || /^[$_]/.test(name)) return undefined;
  return give(driver, { resource: resource.models, as: 'value' }, origin, false);
}

/** A value kept somewhere: whoever reads it there is not the one who took it. */
export function handedOver(value: Value | undefined): Value | undefined {
  if (value?.kind === 'promise') {
    const of = handedOver(value.of);
    return of && { ...value, of };
  }
  return value?.kind === 'resource' && value.acquired ? { ...value, acquired: false } : value;
}

/** What a value is declared to be, taken from where it is known to come from. */
export function withOrigin(declared: Value, given: Value | undefined): Value {
  const isSameThing = declared.kind === 'resource' && given?.kind === 'resource' && isSame(declared, given);
  return isSameThing && !declared.origin ? { ...declared, origin: given.origin } : declared;
}

/** The one thing that several values are; a lease that only some of them take is not taken for sure. */
export function agreed(values: readonly Value[]): Value | undefined {
  const [first, ...others] = values;
  if (!first) return undefined;
  const one = settled(first);
  const same = others.every((other) => isSame(one, settled(other)));
  if (!same) return undefined;
  const known = values.find((value) => originOf(value)) ?? first;
  return values.every(isAcquired) ? known : handedOver(known);
}

/** What a function is passed by several calls: of things of one kind, nobody can say which pool they are from. */
export function passed(values: readonly Value[]): Value | undefined {
  const value = handedOver(agreed(values));
  const origins = new Set(values.flatMap((each) => originOf(each)?.node ?? []));
  return value?.kind === 'resource' && origins.size > 1 ? { ...value, origin: undefined } : value;
}

/** What several values agree on, or any of them. */
export function eitherOf(values: readonly Value[]): Value | undefined {
  return agreed(values) ?? (values.length > 1 ? { kind: 'either', of: values } : undefined);
}

function isSame(a: Value | undefined, b: Value | undefined): boolean {
  if (a?.kind !== b?.kind || !a || !b) return false;
  if (a.kind === 'resource' && b.kind === 'resource') return a.driver === b.driver && a.name === b.name;
  if ('at' in a && 'at' in b) return a.at.node === b.at.node;
  return a === b;
}

function isAcquired(value: Value): boolean {
  const inner = settled(value);
  return inner?.kind === 'resource' && inner.acquired;
}

function originOf(value: Value): Sited | undefined {
  const inner = settled(value);
  return inner?.kind === 'resource' ? inner.origin : undefined;
}
