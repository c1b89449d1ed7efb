import { groupBy } from '../../group.ts';
import { remembered } from '../../lazy.ts';
import { parameterVariable } from '../functions.ts';
import { classify } from '../../sql/classify.ts';
import type { Origins } from '../handlers/origins.ts';
import type { FunctionNode, Module, Node } from '../module.ts';
import type { Sending } from '../statements.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Values } from '../values.ts';
import type { Exploration, Misuse, Start } from './exploration.ts';
import { Explorer } from './explore.ts';
import { fieldLeak } from './fields.ts';
import { leakOf, type Leak } from './leaks.ts';
import { Listeners, type ReleaseByEvents } from './listeners.ts';
import { systemsNamedIn } from './poolless.ts';
import { leaseSitesIn, type LeaseSite } from './sites.ts';
import { startOf } from './start.ts';

/** The leases that a program takes, and what becomes of them. Each answer is worked out once. */
export interface Leases {
  in(module: Module): readonly LeaseSite[];
  /** Everything a lease can come to; `dropped` when nothing keeps it, undefined when it cannot be followed. */
  exploration(site: LeaseSite): Exploration | 'dropped' | undefined;
  leak(site: LeaseSite): Leak | undefined;
  /** What a lease suffers besides being lost, once for each place. */
  misuses(site: LeaseSite): readonly Misuse[];
  /** Everything that a lease can come to in a function that is called with it as its first argument. */
  within(fn: Sited<FunctionNode>, lease: ResourceValue): Exploration | undefined;
  /** Where one event after the other gives a lease back again. */
  releasedAgain(site: LeaseSite): readonly ReleaseByEvents[];
}

export function leasesOf(values: Values, origins: Origins, modules: readonly Module[], sendings: () => readonly Sending[]): Leases {
  let sent: ReadonlyMap<Node, readonly Sending[]> | undefined;
  const sqlOf = (call: Node) => {
    sent ??= groupBy(sendings(), (sending): Node => sending.call);
    return (sent.get(call) ?? []).flatMap(({ statements, dialect }) => statements.flatMap((statement) => classify(statement, dialect)));
  };
  const explorer = new Explorer(values, sqlOf);
  const listeners = new Listeners(explorer, origins);
  const isNamed = systemsNamedIn(modules);
  const sites = remembered((module: Module) => leaseSitesIn(module, values, isNamed));
  const exploration = remembered((site: LeaseSite) => {
    const start = startOf(site, values);
    return start === 'dropped' || !start ? start : explorer.explore(start, site.module);
  });
  const unfinished = (site: LeaseSite): Leak | undefined => {
    const listener = listeners.releasedOnlyOnFinish(site);
    return listener && { kind: 'unfinished', site, listener };
  };
  return {
    in: sites,
    exploration,
    leak: remembered((site: LeaseSite) => leakOf(site, exploration(site), explorer) ?? unfinished(site) ?? fieldLeak(site, explorer)),
    within: ({ node: fn, module }, lease) => explorer.explore(lentTo(fn, lease, module), module),
    releasedAgain: (site) => listeners.releasedAgain(site),
    misuses(site) {
      const found = exploration(site);
      return found && found !== 'dropped' ? oncePerNode(found.misuses) : [];
    },
  };
}

function lentTo(fn: FunctionNode, lease: ResourceValue, module: Module): Start {
  return { fn, lease, taken: undefined, call: undefined, holder: parameterVariable(fn, 0, module), isCallback: false };
}

function oncePerNode(misuses: readonly Misuse[]): readonly Misuse[] {
  return misuses.filter((misuse, at) => misuses.findIndex(({ kind, node }) => kind === misuse.kind && node === misuse.node) === at);
}
