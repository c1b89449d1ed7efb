import { moduleRule } from '../rule.ts';
import { describePool, excerpt } from '../source/describe.ts';
import { describeHeld } from '../source/held/describe.ts';
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
    const reported = new Set();
    for (const held of program.held.in(module).toReversed()) {
      const { engine } = held.resource.driver;
      // A session of MongoDB takes a connection for each command.
      if (engine === 'mongodb' || (program.hasAmbientTransactions && engine === 'any')) continue;
      for (const { node, through } of program.held.borrows.during(held)) {
        if (reported.has(node)) continue;
        reported.add(node);
        yield {
          at: placeOfNode(module, node),
          message: 'nested',
          data: { call: excerpt(module, node), pool: describePool(held.resource, program.values), name: describeHeld(held) },
          related: [
            { at: placeOfNode(module, held.node), message: 'the first is taken here' },
            ...(through ? [{ at: placeOfNode(through.module, through.node), message: 'the second is taken here' }] : []),
          ],
          symbol: functionName(held.fn) ?? '',
        };
      }
    }
  },
});
