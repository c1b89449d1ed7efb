import { moduleRule } from '../rule.ts';
import { describePool, nameOfLease } from '../source/describe.ts';
import { nodeAt, pathSince } from '../source/leases/paths.ts';
import type { Exploration, Misuse } from '../source/leases/exploration.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { Node } from '../source/module.ts';

export default moduleRule({
  id: 'no-double-release',
  severity: 'error',
  summary: 'A borrowed connection is given back twice on one path.',
  messages: {
    throws: '{name} is given back a second time here: {driver} throws on that, and its error hides the one that led here.',
    ignored: '{name} is given back a second time here; {driver} ignores it, unless somebody else has the connection by then.',
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const exploration = program.leases.exploration(site);
      if (!exploration || exploration === 'dropped') continue;
      const again = site.lease.resource.secondRelease;
      for (const misuse of program.leases.misuses(site)) {
        if (misuse.kind !== 'released-again' || !again) continue;
        const first = firstRelease(misuse, exploration);
        yield {
          at: placeOfNode(module, misuse.node),
          message: again,
          ...(again === 'ignored' ? { severity: 'info' as const } : {}),
          data: { name: nameOfLease(site), driver: site.lease.driver.name, pool: describePool(site.lease, program.values) },
          related: first ? [{ at: placeOfNode(module, first), message: 'given back here first' }] : [],
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});

/** The release that comes before. */
function firstRelease({ at }: Misuse, exploration: Exploration): Node | undefined {
  const [edge] = pathSince(at, exploration, ({ holding }) => holding === 'released');
  return edge && nodeAt(edge.from, exploration);
}
