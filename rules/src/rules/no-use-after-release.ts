import type { Related } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { excerpt, nameOfLease } from '../source/describe.ts';
import type { Exploration, Misuse } from '../source/leases/exploration.ts';
import { nodeAt, pathSince } from '../source/leases/paths.ts';
import type { LeaseSite } from '../source/leases/sites.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { Module } from '../source/module.ts';

export default moduleRule({
  id: 'no-use-after-release',
  severity: 'error',
  summary: 'A connection is used after it was given back, when somebody else may have it.',
  messages: {
    used: '{call} runs after {name} was given back: by then another caller may have the connection, and the statement lands in the middle of its work.',
    refused: '{call} runs after {name} was given back: {driver} refuses it, so that this fails every time.',
    busy: 'Nothing waits for {call}, so {name} is given back while it still runs: the next caller gets a connection that is busy with it.',
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const exploration = program.leases.exploration(site);
      if (!exploration || exploration === 'dropped') continue;
      for (const misuse of program.leases.misuses(site)) {
        if (misuse.kind !== 'used-after-release' && misuse.kind !== 'released-in-use') continue;
        const message = messageFor(misuse, site);
        // Tests show on purpose what is refused.
        if (message === 'refused' && module.role !== 'production') continue;
        yield {
          at: placeOfNode(module, misuse.node),
          message,
          ...(message === 'busy' ? { severity: 'warning' as const } : {}),
          data: { call: excerpt(module, misuse.node), name: nameOfLease(site), driver: site.lease.driver.name },
          related: releasesBefore(misuse, exploration, module),
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});

function messageFor({ kind }: Misuse, { lease }: LeaseSite): 'used' | 'refused' | 'busy' {
  if (kind === 'released-in-use') return 'busy';
  return lease.resource.deadOnceReleased ? 'refused' : 'used';
}

/** Where what runs later was started, and where the lease is given back. */
function releasesBefore({ at, node }: Misuse, exploration: Exploration, module: Module): readonly Related[] {
  const { floating } = at;
  const started =
    floating && floating.call !== node ? [{ at: placeOfNode(module, floating.call), message: 'started here, and not waited for' }] : [];
  const [edge] = floating ? [] : pathSince(at, exploration, ({ holding }) => holding === 'released');
  const release = nodeAt(edge?.from ?? at.index, exploration);
  const later =
    floating?.late && floating.late.module !== module
      ? [{ at: placeOfNode(floating.late.module, floating.late.node), message: 'and sends this later' }]
      : [];
  return [...started, ...later, ...(release ? [{ at: placeOfNode(module, release), message: 'given back here' }] : [])];
}
