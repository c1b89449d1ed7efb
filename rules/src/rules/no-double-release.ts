import { asRelated } from '../finding.ts';
import { isChanging, valueOf, type InstalledOf } from '../knowledge/changing.ts';
import type { SecondRelease } from '../knowledge/driver.ts';
import type { Evidence } from '../known.ts';
import { moduleRule } from '../rule.ts';
import { nameOfLease } from '../source/describe.ts';
import { nodeAt, pathSince } from '../source/leases/paths.ts';
import type { Exploration, Misuse } from '../source/leases/exploration.ts';
import type { Leases } from '../source/leases/leases.ts';
import type { ReleaseByEvents } from '../source/leases/listeners.ts';
import type { LeaseSite } from '../source/leases/sites.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { Node } from '../source/module.ts';
import { showVersion } from '../version.ts';

export default moduleRule({
  id: 'no-double-release',
  severity: 'error',
  summary: 'A borrowed connection is given back twice on one path.',
  messages: {
    throws: '{name} is given back a second time here: {driver} throws on that, and its error hides the one that led here.',
    event:
      '{name} is given back a second time here, because {first} is followed by {again}: {driver} throws on that, and an error that a listener throws ends the process.',
    'lends twice': '{name} is given back a second time here: {driver} then lends it to two at once, whose statements and transactions mix.',
    ignored: '{name} is given back a second time here; {driver} ignores it, unless somebody else has the connection by then.',
    depends:
      '{name} is given back a second time here: before version {ignoring} {driver} then lends it to two at once, and which version is installed is not known.',
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const fate = fateOf(site, program.values.installedFor(module));
      if (!fate) continue;
      const { again, driver, ignoring, evidence } = fate;
      for (const { first, second, events } of doubleReleases(site, program.leases)) {
        yield {
          at: placeOfNode(module, second),
          message: again === 'throws' && events ? 'event' : again,
          ...(again === 'ignored' || again === 'depends' ? { severity: 'info' as const } : {}),
          data: { name: nameOfLease(site), driver, ignoring, first: events?.first ?? '', again: events?.again ?? '' },
          related: [...(first ? [{ at: placeOfNode(module, first), message: 'given back here first' }] : []), ...asRelated(evidence)],
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});

interface Fate {
  readonly again: SecondRelease | 'depends';
  /** With its version, when that decides. */
  readonly driver: string;
  /** The version from which on it is ignored. */
  readonly ignoring: string;
  readonly evidence: readonly Evidence[];
}

/** What the installed versions of a driver do when a lease is given back again. */
function fateOf({ lease: { driver, resource } }: LeaseSite, installed: InstalledOf): Fate | undefined {
  const fact = resource.secondRelease;
  if (fact === undefined) return undefined;
  const decidedBy = isChanging(fact) ? installed(fact.package) : undefined;
  const ignoring = isChanging(fact) ? fact.rows.find(({ value }) => value === 'ignored') : undefined;
  return {
    again: valueOf(fact, installed) ?? 'depends',
    driver: decidedBy?.name ?? driver.name,
    ignoring: ignoring ? showVersion(ignoring.since) : '',
    evidence: decidedBy ? [decidedBy.evidence] : [],
  };
}

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
