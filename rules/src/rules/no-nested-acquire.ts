import { moduleRule } from '../rule.ts';
import { describePool, excerpt, nameOfLease } from '../source/describe.ts';
import { NestedAcquires } from '../source/leases/nested.ts';
import { functionName, placeOfNode } from '../source/module.ts';

export default moduleRule({
  id: 'no-nested-acquire',
  severity: 'error',
  summary: 'A second connection of a pool is taken while one is held, so callers can block each other.',
  messages: {
    nested:
      '{call} takes a second connection from {pool} while {name} is held: when every connection is held by a caller that has come this far, all wait for each other.',
  },
  *check(module, program) {
    // A test or script runs one at a time: nobody else holds the connection that it waits for.
    if (module.role !== 'production') return;
    const nested = new NestedAcquires(program.values);
    for (const site of program.leases.in(module)) {
      const exploration = program.leases.exploration(site);
      if (!exploration || exploration === 'dropped') continue;
      for (const { call, through } of nested.during(site, exploration)) {
        yield {
          at: placeOfNode(module, call),
          message: 'nested',
          data: { call: excerpt(module, call), pool: describePool(site.lease, program.values), name: nameOfLease(site) },
          related: [
            { at: placeOfNode(module, site.node), message: 'the first is taken here' },
            ...(through ? [{ at: placeOfNode(through.module, through.node), message: 'the second is taken here' }] : []),
          ],
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});
