import { moduleRule } from '../rule.ts';
import { describePool, excerpt } from '../source/describe.ts';
import { describeHeld, isDatabaseConnection, isHeldOnPurpose } from '../source/held/describe.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import { runsAtStart } from '../source/uses/startup.ts';

export default moduleRule({
  id: 'no-slow-call-in-transaction',
  severity: 'warning',
  summary: 'A connection is held while something slow is waited for: a remote call, a mail, a queue, a pause.',
  messages: {
    held: '{call} waits for {waitsFor} while {name} is held: {pool} has one connection less all that time, and enough such calls at once leave none.',
  },
  *check(module, program) {
    if (module.role !== 'production') return;
    const reported = new Set();
    // What is held further in is the nearer reason.
    for (const held of program.held.in(module).toReversed()) {
      if (!isDatabaseConnection(held) || isHeldOnPurpose(held, program.sendingsIn(module)) || runsAtStart(held.node, module, program))
        continue;
      for (const { node, waitsFor, through } of program.held.slowCalls.during(held)) {
        if (reported.has(node)) continue;
        reported.add(node);
        yield {
          at: placeOfNode(module, node),
          message: 'held',
          data: { name: describeHeld(held), call: excerpt(module, node), waitsFor, pool: describePool(held.resource, program.values) },
          related: [
            { at: placeOfNode(module, held.node), message: 'the connection is taken here' },
            ...(through ? [{ at: placeOfNode(through.module, through.node), message: 'this is what takes long' }] : []),
          ],
          symbol: functionName(held.fn) ?? '',
        };
      }
    }
  },
});
