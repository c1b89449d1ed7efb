import { bare, propertyName } from '../module.ts';
import type { Module, Node, TSESTree, Variable } from '../module.ts';
import { isPerhapsOther } from '../receiver.ts';
import { isParameter, ownReturns } from '../functions.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Values } from '../values.ts';
import type { Held } from './held.ts';
import { handleBehind, poolKeyOf, type PoolKey } from './pool-key.ts';
import { isGiven } from '../statements.ts';
import { chainOf, mentionsAny, type Waits } from './waits.ts';

/** Something that is waited for, while a connection is held, and that takes another one from the same pool. */
export interface NestedBorrow {
  readonly node: Node;
  /** In a called function: where it takes it. */
  readonly through: Sited | undefined;
}

/** Finds what needs a second connection of a pool. What functions borrow is remembered by what they wait for. */
export class Borrows {
  readonly #values: Values;
  readonly #waits: Waits;
  readonly #borrowed = new Map<readonly Node[], ReadonlyMap<PoolKey, Sited>>();

  constructor(values: Values, waits: Waits) {
    this.#values = values;
    this.#waits = waits;
  }

  /** What is waited for while a connection is held and takes from its own pool. */
  during({ pool, waits, names, module, node: taken }: Held): readonly NestedBorrow[] {
    if (pool === undefined) return [];
    return waits.flatMap((node): readonly NestedBorrow[] => {
      // Who is given the connection has no need of another one; whether it takes one is its own matter.
      if (node === taken || this.#isGiven(node, names, module)) return [];
      if (this.#poolOf(node, module) === pool) return [{ node, through: undefined }];
      const through = node.type === 'CallExpression' ? this.#borrowedByCall(node, module).get(pool) : undefined;
      return through ? [{ node, through }] : [];
    });
  }

  /** Whether a wait is given the connection: itself, or in an object that was made before. */
  #isGiven(wait: Node, names: readonly Variable[], module: Module): boolean {
    if (mentionsAny(wait, names)) return true;
    const given = wait.type === 'CallExpression' ? wait.arguments.flatMap((argument) => this.#objectsIn(argument, module)) : [];
    return given.some((object) => mentionsAny(object, names));
  }

  /** The object literal that an expression stands for, and those that are spread into it. */
  #objectsIn(node: Node, module: Module): readonly Node[] {
    const object = this.#values.follow(node, module).node;
    if (object.type !== 'ObjectExpression') return [];
    const spread = object.properties.flatMap((part) =>
      part.type === 'SpreadElement' ? [this.#values.follow(part.argument, module).node] : [],
    );
    return [object, ...spread.filter(({ type }) => type === 'ObjectExpression')];
  }

  /** The pool that a wait borrows from, by one of the calls of its chain. */
  #poolOf(wait: Node, module: Module): PoolKey | undefined {
    for (const link of chainOf(wait)) {
      const handle = borrowingHandle(link, module, this.#values);
      if (!handle) continue;
      return isLent(wait, link, handle, module, this.#values) || this.#isPerhapsOther(handle, module)
        ? undefined
        : poolKeyOf(handle, module, this.#values);
    }
    return undefined;
  }

  /** Whether a handle may be the connection of a transaction: `tx ?? prisma`, also in a field or behind a function. */
  #isPerhapsOther(handle: Node, module: Module): boolean {
    const at = this.#values.follow(handle, module);
    return (
      isPerhapsOther(asMember(handle), module, this.#values) ||
      isPerhapsOther(asMember(at.node), at.module, this.#values) ||
      this.#isAnswered(at)
    );
  }

  /** `getClient().query()`, where that may answer the connection of a transaction. */
  #isAnswered({ node, module }: Sited): boolean {
    const call = bare(node);
    const fn = call.type === 'CallExpression' ? this.#values.calledFunction(call, module) : undefined;
    return fn !== undefined && ownReturns(fn.node).some((returned) => isPerhapsOther(returned, fn.module, this.#values));
  }

  #borrowedByCall(call: TSESTree.CallExpression, module: Module): ReadonlyMap<PoolKey, Sited> {
    const fn = isParameter(call.callee, module) ? undefined : this.#values.calledFunction(call, module);
    return fn ? this.#borrowedBy(this.#waits.ofCall(call, module, fn), fn.module) : new Map<PoolKey, Sited>();
  }

  /** The pools that a function borrows from, itself or by what it calls; a recursive call adds none. */
  #borrowedBy(waits: readonly Node[], module: Module): ReadonlyMap<PoolKey, Sited> {
    const known = this.#borrowed.get(waits);
    if (known) return known;
    const borrowed = new Map<PoolKey, Sited>();
    this.#borrowed.set(waits, borrowed);
    for (const wait of waits) {
      const own = this.#poolOf(wait, module);
      if (own !== undefined && !borrowed.has(own)) borrowed.set(own, { node: wait, module });
      const inner = wait.type === 'CallExpression' ? this.#borrowedByCall(wait, module) : [];
      for (const [pool, at] of inner) if (!borrowed.has(pool)) borrowed.set(pool, at);
    }
    return borrowed;
  }
}

/** The pool, as an expression, of a call or tag that borrows from one: `prisma` of `prisma.user.create()`, `knex` of `knex('users')`. */
function borrowingHandle(link: Node, module: Module, values: Values): Node | undefined {
  const callee = link.type === 'CallExpression' ? link.callee : link.type === 'TaggedTemplateExpression' ? link.tag : undefined;
  if (!callee) return undefined;
  const itself = values.handleOf(callee, module);
  if (itself) return borrowsItself(itself, link) ? callee : undefined;
  const called = values.methodOf({ callee }, module);
  const borrows = called && /^(query|borrow|acquire|scoped)$/.test(called.method.does);
  return borrows && callee.type === 'MemberExpression' ? handleBehind(callee.object, module, values) : undefined;
}

/** Whether what is sent goes to a transaction: by a later call of the chain, `.transacting(trx)`, or by an option, `{ transaction }`. */
function isLent(wait: Node, link: Node, handle: Node, module: Module, values: Values): boolean {
  const resources = Object.values(values.handleOf(handle, module)?.driver.resources ?? {});
  const lending = new Set(resources.flatMap(({ lentBy }) => lentBy?.methods ?? []));
  const isLentLater = chainOf(wait).some((later) => later !== link && lending.has(methodName(later)));
  return isLentLater || hasOption(link, module, values);
}

/** Whether an argument or option that names a transaction is given, or may be. */
function hasOption(link: Node, module: Module, values: Values): boolean {
  const method = link.type === 'CallExpression' ? values.methodOf(link, module)?.method : undefined;
  if (link.type !== 'CallExpression' || !method) return false;
  if (method.does === 'borrow') return method.unlessGiven !== undefined && link.arguments.length > method.unlessGiven;
  if (method.does !== 'query' || !method.unless) return false;
  return isGiven(link.arguments[method.unless.argument], method.unless.key, module, values);
}

function methodName(link: Node): string {
  return link.type === 'CallExpression' && link.callee.type === 'MemberExpression' ? (propertyName(link.callee) ?? '') : '';
}

function borrowsItself({ resource }: ResourceValue, { type }: Node): boolean {
  return type === 'CallExpression' ? resource.callBorrows === true : resource.isTag === true;
}

/** The member expression that reads something of a handle, or the handle itself. */
function asMember(handle: Node): Node {
  const { parent } = handle;
  return parent?.type === 'MemberExpression' && parent.object === handle ? parent : handle;
}
