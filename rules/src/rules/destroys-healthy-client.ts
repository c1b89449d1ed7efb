import { moduleRule } from '../rule.ts';
import { describePool, excerpt, nameOfLease } from '../source/describe.ts';
import type { Exploration } from '../source/leases/exploration.ts';
import { reachedWithoutFailure } from '../source/leases/paths.ts';
import { functionName, placeOfNode } from '../source/module.ts';

export default moduleRule({
  id: 'destroys-healthy-client',
  severity: 'warning',
  summary: 'A connection is destroyed each time instead of being given back, so the pool connects anew for every use.',
  messages: {
    always: '{call} destroys {name} although nothing failed: {pool} opens a new connection for every use, and pools nothing.',
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const exploration = program.leases.exploration(site);
      if (!exploration || exploration === 'dropped') continue;
      const healthy = reachedWithoutFailure(exploration);
      const destroyed = exploration.misuses.filter(({ kind, at }) => kind === 'destroyed' && healthy.has(at.index));
      if (destroyed.length === 0 || isGivenBackToo(exploration, healthy)) continue;
      for (const { node } of destroyed.slice(0, 1)) {
        yield {
          at: placeOfNode(module, node),
          message: 'always',
          data: { call: excerpt(module, node), name: nameOfLease(site), pool: describePool(site.lease, program.values) },
          related: [{ at: placeOfNode(module, site.node), message: 'taken here' }],
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});

/** Whether some way without a failure gives the connection back whole. */
function isGivenBackToo({ states, edges, misuses }: Exploration, healthy: ReadonlySet<number>): boolean {
  const destroying = new Set(misuses.flatMap(({ kind, at }) => (kind === 'destroyed' ? [at.index] : [])));
  return edges.some(
    ({ from, to }) => healthy.has(from) && states[from]?.holding === 'held' && states[to]?.holding === 'released' && !destroying.has(from),
  );
}
