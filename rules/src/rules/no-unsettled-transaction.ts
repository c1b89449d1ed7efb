import type { Place } from '@poolcheck/parsers/text';
import { moduleRule } from '../rule.ts';
import { describePool, excerpt } from '../source/describe.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { Node } from '../source/module.ts';
import type { Sited } from '../source/value.ts';
import { unsettledCallbacks } from '../source/leases/unsettled.ts';

export default moduleRule({
  id: 'no-unsettled-transaction',
  severity: 'error',
  summary: 'The callback of a transaction can end without a promise, a commit or a rollback, so the transaction never ends.',
  messages: {
    unsettled:
      '{call} never settles when its callback returns nothing and calls neither commit nor rollback: whoever awaits it waits for ever, and {pool} has one connection less.',
  },
  *check(module, program) {
    for (const { call, pool, exit, callback } of unsettledCallbacks(module, program)) {
      const fn = callback.node;
      yield {
        at: placeOfNode(module, call),
        message: 'unsettled',
        data: { call: excerpt(module, call.callee), pool: describePool(pool, program.values) },
        related: [{ at: exitPlace(exit, callback), message: 'the callback ends here without a promise' }],
        symbol: functionName(fn) ?? '',
      };
    }
  },
});

/** The `return`, or the closing brace of the callback. */
function exitPlace(exit: Node, { node, module }: Sited): Place {
  if (exit !== node) return placeOfNode(module, exit);
  const end = node.range[1];
  return { text: module.text, range: { start: end - 1, end } };
}
