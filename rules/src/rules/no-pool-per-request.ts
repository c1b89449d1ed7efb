import type { Related } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { poolSize } from '../source/describe.ts';
import { functionName, isFunction, placeOfNode } from '../source/module.ts';
import type { Remaking } from '../source/remaking.ts';
import { unitOf } from '../source/units.ts';

/** How many handlers run at a time in the example that a message gives. */
const concurrent = 50;

export default moduleRule({
  id: 'no-pool-per-request',
  severity: 'error',
  summary: 'A pool or client is made anew for every request, so nothing is pooled and the server runs out of connections.',
  messages: {
    pool: '{name} is a new pool for every {event}: each opens up to {size} connections of its own, so {concurrent} at a time open up to {total} and the server refuses the next.',
    unsized: '{name} is a new pool for every {event}: each opens connections of its own, until the server refuses the next.',
    connection:
      '{name} is a new connection for every {event}: {concurrent} at a time hold {concurrent}, until the server refuses the next.',
    closed: '{name} is made and closed again for every {event}: each one connects anew, and nothing limits how many are open at a time.',
  },
  *check(module, program) {
    for (const remaking of program.remakings) {
      const { site, handler } = remaking;
      if (site.module !== module) continue;
      const size = poolSize(site);
      const unit = unitOf(site.node);
      yield {
        at: site.place,
        message: messageFor(remaking, size),
        data: {
          name: site.name ?? `This ${site.driver.name} ${site.role}`,
          event: handler.event,
          size: size ?? '',
          concurrent,
          total: (size ?? 0) * concurrent,
        },
        related: wayOf(remaking),
        symbol: (isFunction(unit) ? functionName(unit) : unit?.id?.name) ?? '',
      };
    }
  },
});

function messageFor({ site, closed }: Remaking, size: number | undefined): 'pool' | 'unsized' | 'connection' | 'closed' {
  if (closed) return 'closed';
  if (site.role === 'connection') return 'connection';
  return size === undefined ? 'unsized' : 'pool';
}

/** Who runs it for each request → the calls from there → the construction. */
function wayOf({ handler, calls }: Remaking): readonly Related[] {
  const start: Related = { at: handler.place, message: `${handler.framework} runs this for every ${handler.event}` };
  const steps = calls.flatMap(({ node, from }): Related[] =>
    node ? [{ at: placeOfNode(from.module, node.callee), message: 'which calls this' }] : [],
  );
  return [start, ...steps];
}
