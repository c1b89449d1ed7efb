import { moduleRule } from '../rule.ts';
import { nameOfLease } from '../source/describe.ts';
import { nodeAt, pathSince } from '../source/leases/paths.ts';
import type { Exploration, Misuse } from '../source/leases/exploration.ts';
import type { Leases } from '../source/leases/leases.ts';
import type { ReleaseByEvents } from '../source/leases/listeners.ts';
import type { LeaseSite } from '../source/leases/sites.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { Node } from '../source/module.ts';

export default moduleRule({
  id: 'no-double-release',
  severity: 'error',
  summary: 'A borrowed connection is given back twice on one path.',
  messages: {
    throws: '{name} is given back a second time here: {driver} throws on that, and its error hides the one that led here.',
    event:
      '{name} is given back a second time here, because {first} is followed by {again}: {driver} throws on that, and an error that a listener throws ends the process.',
    ignored: '{name} is given back a second time here; {driver} ignores it, unless somebody else has the connection by then.',
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const again = site.lease.resource.secondRelease;
      if (!again) continue;
      for (const { first, second, events } of doubleReleases(site, program.leases)) {
        yield {
          at: placeOfNode(module, second),
          message: again === 'throws' && events ? 'event' : again,
          ...(again === 'ignored' ? { severity: 'info' as const } : {}),
          data: { name: nameOfLease(site), driver: site.lease.driver.name, first: events?.first ?? '', again: events?.again ?? '' },
          related: first ? [{ at: placeOfNode(module, first), message: 'given back here first' }] : [],
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});

interface DoubleRelease {
  readonly first: Node | undefined;
  readonly second: Node;
  readonly events?: ReleaseByEvents['events'];
}

function doubleReleases(site: LeaseSite, leases: Leases): readonly DoubleRelease[] {
  const exploration = leases.exploration(site);
  if (!exploration || exploration === 'dropped') return [];
  const onPath = leases
    .misuses(site)
    .flatMap((misuse) => (misuse.kind === 'released-again' ? [{ first: firstRelease(misuse, exploration), second: misuse.node }] : []));
  return [...onPath, ...leases.releasedAgain(site).map(({ first, again, events }) => ({ first, second: again, events }))];
}

/** The release that comes before. */
function firstRelease({ at }: Misuse, exploration: Exploration): Node | undefined {
  const [edge] = pathSince(at, exploration, ({ holding }) => holding === 'released');
  return edge && nodeAt(edge.from, exploration);
}
