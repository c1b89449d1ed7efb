import { groupBy } from '../../group.ts';
import { bare, propertyName } from '../module.ts';
import type { Module, Node, TSESTree, Variable } from '../module.ts';
import { poolSiteOf } from '../pools.ts';
import { evaluate, anyEnvironment } from '../setting.ts';
import type { Setting } from '../setting.ts';
import type { Values } from '../values.ts';
import type { Edge, Exploration, Visited } from './exploration.ts';
import { limitedWork } from './deadlines.ts';
import { isHealthyRelease } from './healthy.ts';
import type { LeaseSite } from './sites.ts';

/** A lease that goes back though what was sent on it may still run, or its state is not known. */
export interface UnsoundRelease {
  readonly release: Node;
  /** What failed before. */
  readonly cause: Node;
  /** What stopped waiting for it: an option of the pool or of a query, a race; undefined: nothing is known to have. */
  readonly limit: 'option' | 'query' | 'race' | undefined;
}

/** Finds the releases of a lease that a failure of a wait leads to, with no other use of the lease on the way that would show how it is. */
export class BusyLeases {
  readonly #values: Values;
  readonly #isRollback: (call: Node) => boolean;

  constructor(values: Values, isRollback: (call: Node) => boolean) {
    this.#values = values;
    this.#isRollback = isRollback;
  }

  /** The releases as healthy after a wait that a timer on this side cut short. */
  cutShort(site: LeaseSite, exploration: Exploration): readonly UnsoundRelease[] {
    const byOption = this.#hasClientTimeout(site);
    return this.#releasesAfter(site, exploration, (awaited, names) => {
      if (byOption && isUse(awaited, names)) return { limit: 'option' };
      if (this.#isLimitedQuery(awaited, site.module)) return { limit: 'query' };
      const work = limitedWork(awaited, site.module, this.#values);
      return work.some((node) => mentions(node, names)) ? { limit: 'race' } : undefined;
    });
  }

  /** The releases as healthy after a ROLLBACK whose failure nobody heard of. */
  afterSilencedRollback(site: LeaseSite, exploration: Exploration): readonly UnsoundRelease[] {
    return this.#releasesAfter(site, exploration, (awaited) => {
      const isSilenced = this.#isRollback(bare(awaited)) && isCaught(awaited, site.fn);
      return isSilenced ? { limit: undefined } : undefined;
    });
  }

  #releasesAfter(
    site: LeaseSite,
    exploration: Exploration,
    faultOf: (awaited: Node, names: readonly Variable[]) => Pick<UnsoundRelease, 'limit'> | undefined,
  ): readonly UnsoundRelease[] {
    const found = new Map<Node, UnsoundRelease>();
    const onward = groupBy(exploration.edges, ({ from }) => from);
    for (const edge of exploration.edges) {
      const from = exploration.states[edge.from];
      if (!edge.raisedBy || from?.holding !== 'held') continue;
      const cause = awaitedAt(edge.raisedBy);
      const fault = faultOf(cause, from.names);
      if (!fault) continue;
      for (const release of releasesFrom(edge.to, exploration, onward, site)) {
        if (!found.has(release)) found.set(release, { release, cause, ...fault });
      }
    }
    return [...found.values()];
  }

  /** Whether the pool stops waiting for statements before the server stops them. */
  #hasClientTimeout({ lease: { origin } }: LeaseSite): boolean {
    const site = origin && poolSiteOf(origin.node, origin.module, this.#values);
    const option = site?.options.clientTimeout;
    const set = option && site.given.option(option.names);
    const server = site?.options.statementTimeout?.names.filter((name) => !option?.names.includes(name)) ?? [];
    return set !== undefined && isOn(set) && site?.given.option(server) === undefined;
  }

  /** `client.query({ text, query_timeout: 1_000 })` */
  #isLimitedQuery(awaited: Node, module: Module): boolean {
    const call = bare(awaited);
    const method = call.type === 'CallExpression' ? this.#values.methodOf(call, module)?.method : undefined;
    if (call.type !== 'CallExpression' || method?.does !== 'query' || method.clientTimeout === undefined) return false;
    const argument = call.arguments[method.sql];
    const at = argument && this.#values.follow(argument, module);
    if (at?.node.type !== 'ObjectExpression') return false;
    const timeout = this.#values.property({ node: at.node, module: at.module }, method.clientTimeout);
    return timeout !== undefined && timeout !== 'unknown';
  }
}

/** A number above 0, or what the environment says. */
function isOn(setting: Setting): boolean {
  const values = evaluate(setting, anyEnvironment);
  return !values?.some(({ value }) => value === 0 || value === false || value === undefined);
}

/** The releases as healthy that follow a failure before the lease is used again. */
function releasesFrom(
  start: number,
  { states }: Exploration,
  onward: ReadonlyMap<number, readonly Edge[]>,
  site: LeaseSite,
): readonly Node[] {
  const releases: Node[] = [];
  const seen = new Set([start]);
  for (const index of seen) {
    const from = states[index];
    if (!from || from.holding !== 'held' || isUseStep(from)) continue;
    for (const { to } of onward.get(index) ?? []) {
      if (states[to]?.holding !== 'released') seen.add(to);
      else if (from.step.kind !== 'evaluate') continue;
      else if (isHealthyRelease(from.step.node, site, from.facts)) releases.push(from.step.node);
      // Code that also ends the connection knows when to.
      else return [];
    }
  }
  return releases;
}

/** The call that a failing wait waits for. */
function awaitedAt(node: Node): Node {
  return node.type === 'AwaitExpression' ? node.argument : node;
}

function isUseStep({ step, names }: Visited): boolean {
  const node =
    step.kind === 'settle' ? step.node : step.kind === 'evaluate' && step.node.type === 'AwaitExpression' ? step.node.argument : undefined;
  return node !== undefined && isUse(node, names);
}

/** Whether a call works with the lease: on it, or by being given it. */
function isUse(node: Node, names: readonly Variable[]): boolean {
  const call = bare(node);
  return (call.type === 'CallExpression' || call.type === 'TaggedTemplateExpression') && mentions(call, names);
}

function mentions({ range: [start, end] }: Node, names: readonly Variable[]): boolean {
  return names.some(({ references }) => references.some(({ identifier: { range } }) => start <= range[0] && range[1] <= end));
}

/** Whether a failure ends where it happens: in `.catch(…)`, or in a `catch` around it that does not throw again. */
function isCaught(awaited: Node, fn: Node): boolean {
  if (isCatch(awaited.parent)) return true;
  for (let at = awaited; at.parent && at !== fn; at = at.parent) {
    const { parent } = at;
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler) return !throws(parent.handler.body);
  }
  return false;
}

function isCatch(parent: Node | undefined): boolean {
  return parent?.type === 'MemberExpression' && propertyName(parent) === 'catch';
}

function throws({ body }: TSESTree.BlockStatement): boolean {
  return body.some(({ type }) => type === 'ThrowStatement');
}
