import type { Method, Resource } from '../../knowledge/driver.ts';
import { drivers, isDriver } from '../../knowledge/drivers.ts';
import { mayClose, mayListen } from '../../knowledge/pool-takers.ts';
import { ownReturns } from '../functions.ts';
import type { Origin, Origins, Use } from '../handlers/origins.ts';
import { isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import type { PoolSite } from '../pools.ts';
import { fateOf } from '../remaking/keeping.ts';
import { isConstructor, unitOf, type Unit } from '../units.ts';
import { settled, type ResourceValue, type Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { isProcess } from './process.ts';
import { isSamePool } from './same-pool.ts';

/** A member that is read of something: `pool.on`, `this.db.end`. */
export interface MemberUse {
  readonly module: Module;
  readonly member: TSESTree.MemberExpression;
  readonly name: string;
}

interface Surroundings {
  readonly modules: readonly Module[];
  readonly values: Values;
  readonly origins: Origins;
  /** Where a function is called, or handed on. */
  usesOf(fn: FunctionNode): readonly Use[];
  /** Whether one file imports the other, directly or through others. */
  reaches(from: string, to: string): boolean;
}

/** Something that is done with a pool by one of its members. */
interface Act {
  readonly names: readonly string[];
  isWanted(use: MemberUse): boolean;
  /** Whether a package may do it to a pool that it is given. */
  mayBeDoneBy(specifier: string): boolean;
}

interface Giving {
  readonly call: TSESTree.CallExpression | TSESTree.NewExpression;
  readonly module: Module;
}

/** Answers what may be done with a pool anywhere in the program. What nobody can tell may be done. */
export class PoolUses {
  readonly #surroundings: Surroundings;
  readonly #givings = new Map<Node, readonly Giving[]>();
  #byName: ReadonlyMap<string, readonly MemberUse[]> | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Where a pool is closed for certain. */
  closings(site: PoolSite): readonly MemberUse[] {
    return this.#certain(site, closing(site.resource));
  }

  /** Where a pool is opened for certain. */
  openings(site: PoolSite): readonly MemberUse[] {
    return this.#certain(site, opening(site.resource));
  }

  /** Where queries are sent through it for certain. */
  queries(site: PoolSite): readonly MemberUse[] {
    return this.#certain(site, [...methodsThat('query', site.resource), ...queriesOfCovers]);
  }

  /** What takes the only lease of a pool that is used for nothing else, and keeps it for good; undefined when it is used otherwise. */
  lentForGood(site: PoolSite): MemberUse | undefined {
    const uses = this.#certain(site, Object.keys(site.resource.methods)).filter(({ name }) => !isIdle(site.resource.methods[name]));
    const [use, ...others] = uses;
    const isOnly = use && others.length === 0 && site.resource.methods[use.name]?.does === 'acquire';
    return isOnly && this.#isKeptForGood(use, site) && this.#givingsOf(site).length === 0 ? use : undefined;
  }

  #isKeptForGood({ module, member }: MemberUse, site: PoolSite): boolean {
    if (!unitOf(member)) return true;
    const releases = this.#named(leaseReleases).map((use) => this.#receiverOf(use.member, use.module));
    const isReleased = releases.some((lease) => lease !== undefined && (lease.origin === undefined || lease.origin.node === site.node));
    return !isReleased && fateOf(member.parent, module, this.#surroundings.values).kept;
  }

  /** The calls of a function, or what makes instances of a class, in production. */
  makings(unit: Unit): readonly Sited[] {
    const { modules, values, usesOf } = this.#surroundings;
    const production = modules.filter(({ role }) => role === 'production');
    if (isFunction(unit) && !isConstructor(unit)) {
      const calls = usesOf(unit).map(({ call, module }) => ({ node: call, module }));
      return calls.filter(({ module }) => production.includes(module));
    }
    const wanted = isFunction(unit) ? unit.parent.parent?.parent : unit;
    return production.flatMap((module) =>
      module
        .nodes('NewExpression')
        .filter(({ callee }) => {
          const made = values.valueOf(callee, module);
          return made?.kind === 'class' && made.at.node === wanted;
        })
        .map((node) => ({ node, module })),
    );
  }

  #certain(site: PoolSite, names: readonly string[]): readonly MemberUse[] {
    return this.#named(names).filter(({ module, member }) => isSamePool(this.#receiverOf(member, module), site));
  }

  /** Whether something may listen for an event of a pool. */
  mayHear(site: PoolSite, event: string): boolean {
    return this.#may(site, { names: listening, isWanted: (use) => listensFor(event, use), mayBeDoneBy: mayListen });
  }

  /** Whether something in some files may listen for an event of a lease. */
  mayHearLease(near: ReadonlySet<Module | undefined>, event: string): boolean {
    return this.#named(listening).some((use) => near.has(use.module) && listensFor(event, use) && this.#mayBeLease(use));
  }

  #mayBeLease({ module, member }: MemberUse): boolean {
    const receiver = this.#receiverOf(member, module);
    return receiver ? receiver.resource.role !== 'pool' : !this.#isSomethingElse(member.object, module);
  }

  /** Whether something may close a pool. */
  mayBeClosed(site: PoolSite): boolean {
    return this.#may(site, { names: closing(site.resource), isWanted: () => true, mayBeDoneBy: mayClose });
  }

  /** Whether something may be done with a pool: on itself, on something that may be it, or by code that gets it. */
  #may(site: PoolSite, act: Act): boolean {
    const uses = this.#named(act.names).filter((use) => act.isWanted(use) && matters(use.module, site));
    return uses.some((use) => this.#mayBe(use, site)) || this.#isGivenToDoer(site, act) || this.#isReturnedToNobody(site);
  }

  #named(names: readonly string[]): readonly MemberUse[] {
    const byName = (this.#byName ??= membersByName(this.#surroundings.modules));
    return names.flatMap((name) => byName.get(name) ?? []);
  }

  #mayBe({ module, member }: MemberUse, site: PoolSite, isGiven = false): boolean {
    const receiver = this.#receiverOf(member, module);
    if (receiver)
      return receiver.origin ? isSamePool(receiver, site) : receiver.driver === site.driver && receiver.resource.role === site.role;
    const isNear = isGiven || module === site.module;
    const isLikely = isNear || (poolLike.test(lastName(member.object)) && this.#areRelated(module, site.module));
    return isLikely && !this.#isSomethingElse(member.object, module);
  }

  /** What a member is read of, when that is a pool or connection. */
  #receiverOf(member: TSESTree.MemberExpression, module: Module): ResourceValue | undefined {
    const { values } = this.#surroundings;
    const object = settled(values.valueOf(member.object, module));
    if (object?.kind === 'resource') return object;
    const method = values.valueOf(member, module);
    return method?.kind === 'method' ? method.receiver : undefined;
  }

  #isSomethingElse(object: Node, module: Module): boolean {
    const { values, origins } = this.#surroundings;
    const value = values.valueOf(object, module);
    if (value) return value.kind !== 'shape';
    const origin = origins.of(object, module);
    return (origin !== undefined && isWhole(origin) && !isDriver(origin.package)) || isProcess(object, module);
  }

  #areRelated(module: Module, home: Module): boolean {
    const { reaches } = this.#surroundings;
    return reaches(module.path, home.path) || reaches(home.path, module.path);
  }

  /** Whether the pool is what a function returns whose callers are not known: a library's, a container's. */
  #isReturnedToNobody({ node, module }: PoolSite): boolean {
    const unit = unitOf(node);
    if (!isFunction(unit) || this.#surroundings.usesOf(unit).some((use) => use.module.role === 'production')) return false;
    const fate = fateOf(node, module, this.#surroundings.values);
    return fate.returned && !fate.kept;
  }

  /** Whether the pool is given to something that does it, or of which nobody knows what it does. */
  #isGivenToDoer(site: PoolSite, act: Act): boolean {
    return this.#givingsOf(site).some(({ call, module }) => {
      const { values, origins } = this.#surroundings;
      const callee = values.valueOf(withoutBind(call.callee), module);
      if (callee?.kind === 'function' || callee?.kind === 'class') return this.#doesSo(callee.at.module, site, act);
      if (callee?.kind === 'method') return false;
      const exported = values.exportOf(call.callee, module) ?? origins.of(call.callee, module);
      return exported ? act.mayBeDoneBy(exported.package) : !harmless.test(lastName(call.callee));
    });
  }

  /** Whether a file does it to something that may be the pool it is given. */
  #doesSo(module: Module, site: PoolSite, { names, isWanted }: Act): boolean {
    return membersIn(module).some((use) => names.includes(use.name) && isWanted(use) && this.#mayBe(use, site, true));
  }

  /** The calls that get the pool as an argument. */
  #givingsOf(site: PoolSite): readonly Giving[] {
    const known = this.#givings.get(site.node);
    if (known) return known;
    const modules = this.#surroundings.modules.filter((module) => matters(module, site) && this.#areRelated(module, site.module));
    const givings = modules.flatMap((module) =>
      [...module.nodes('CallExpression'), ...module.nodes('NewExpression')]
        .filter((call) => call.arguments.some((argument) => this.#holds(argument, module, site)))
        .map((call) => ({ call, module })),
    );
    this.#givings.set(site.node, givings);
    return givings;
  }

  /** Whether an argument is the pool, holds it, or is a function that gives it. */
  #holds(argument: Node, module: Module, site: PoolSite, depth = 0): boolean {
    if (depth > 4) return false;
    const inside = (node: Node | null) => node !== null && this.#holds(node, module, site, depth + 1);
    switch (argument.type) {
      case 'ObjectExpression':
        return argument.properties.some((property) => inside(property.type === 'SpreadElement' ? property.argument : property.value));
      case 'ArrayExpression':
        return argument.elements.some(inside);
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return ownReturns(argument).some(inside);
      default:
        return isSamePool(this.#surroundings.values.resourceOf(argument, module), site);
    }
  }
}

/** By what methods whatever covers a pool or connection sends through it: `db.select` of `drizzle(client)`. */
const queriesOfCovers = drivers.flatMap(({ packages, resources }) =>
  Object.values(packages)
    .flatMap((facts) => Object.values(facts))
    .flatMap(({ calls }) => (calls?.covers ? (resources[calls.resource] ?? []) : []))
    .flatMap((cover) => [...methodsThat('query', cover), ...methodsThat('borrow', cover), ...methodsThat('scoped', cover)]),
);

/** `handle` of `handle.bind(null, pool)` */
function withoutBind(callee: Node): Node {
  const isBound = callee.type === 'MemberExpression' && /^(bind|call|apply)$/.test(propertyName(callee) ?? '');
  return isBound ? callee.object : callee;
}

/** What neither takes nor sends. */
function isIdle(method: Method | undefined): boolean {
  return method?.does === 'nothing' || method?.does === 'close';
}

/** What tests do with a pool does not help in production. */
function matters(module: Module, site: PoolSite): boolean {
  return module.role === 'production' || module === site.module;
}

/** Names that something unknown must have in another file for it to be taken for a pool. */
const poolLike = /pool|db|database|client|conn|pg|postgres|sql|redis|emitter|resource|instance/i;

/** What collections, loggers and promises do with what they are given. */
const harmless =
  /^(set|add|push|unshift|get|has|delete|log|debug|info|warn|error|trace|resolve|reject|all|allSettled|race|assign|freeze|then)$/;

function lastName(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' ? (propertyName(node) ?? '') : '';
}

/** Whether the origin of a value is what a package made or gave, and not something hung on it. */
function isWhole({ path }: Origin): boolean {
  return /[)]$|:[^.()]*$/.test(path);
}

const leaseReleases = [
  ...new Set(drivers.flatMap(({ resources }) => Object.values(resources).flatMap((each) => methodsThat('release', each)))),
];

const listening = ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'];

function listensFor(event: string, { member }: MemberUse): boolean {
  const { parent } = member;
  const [first] = parent.type === 'CallExpression' && parent.callee === member ? parent.arguments : [];
  return first?.type !== 'Literal' || first.value === event;
}

function opening(resource: Resource): readonly string[] {
  const named = Object.keys(resource.methods).filter((name) => /^(connect|initialize)$/.test(name));
  return [...new Set([...methodsThat('open', resource), ...named])];
}

function closing(resource: Resource): readonly string[] {
  return methodsThat('close', resource);
}

function methodsThat(wanted: Method['does'], { methods }: Resource): readonly string[] {
  return Object.entries(methods).flatMap(([name, { does }]) => (does === wanted ? [name] : []));
}

function membersIn(module: Module): readonly MemberUse[] {
  return module.nodes('MemberExpression').flatMap((member) => {
    const name = propertyName(member);
    return name === undefined ? [] : [{ module, member, name }];
  });
}

function membersByName(modules: readonly Module[]): ReadonlyMap<string, readonly MemberUse[]> {
  const uses = new Map<string, MemberUse[]>();
  for (const use of modules.flatMap(membersIn)) {
    const known = uses.get(use.name);
    if (known) known.push(use);
    else uses.set(use.name, [use]);
  }
  return uses;
}
