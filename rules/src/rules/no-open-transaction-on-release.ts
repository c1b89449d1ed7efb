import type { Related } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { excerpt, nameOfLease } from '../source/describe.ts';
import type { Exploration, Misuse } from '../source/leases/exploration.ts';
import { lastFailure, pathSince } from '../source/leases/paths.ts';
import { mayReset } from '../source/leases/resets.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { Module, Node } from '../source/module.ts';

export default moduleRule({
  id: 'no-open-transaction-on-release',
  severity: 'error',
  summary: 'A connection goes back to the pool with its transaction still open.',
  messages: {
    fails:
      'When {cause} fails, {name} goes back to the pool inside the transaction that starts here: the next caller works in it, and its locks stay.',
    leaves:
      '{name} goes back to the pool inside the transaction that starts here, on a path without COMMIT or ROLLBACK: the next caller works in it, and its locks stay.',
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const exploration = program.leases.exploration(site);
      if (!exploration || exploration === 'dropped' || site.lease.resource.rollsBackOnRelease || mayReset(site, program.values)) continue;
      for (const [begin, misuse] of firstByTransaction(program.leases.misuses(site))) {
        const path = pathSince(misuse.at, exploration, ({ transaction }) => transaction === begin);
        const cause = lastFailure(path);
        yield {
          at: placeOfNode(module, begin),
          message: cause ? 'fails' : 'leaves',
          data: { name: nameOfLease(site), cause: cause ? excerpt(module, callOf(cause)) : '' },
          related: story(module, begin, cause, leavingBy(path, exploration), misuse.node),
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});

/** One fault for each transaction, however many releases it can reach. */
function firstByTransaction(misuses: readonly Misuse[]): ReadonlyMap<Node, Misuse> {
  const first = new Map<Node, Misuse>();
  for (const misuse of misuses) {
    const begin = misuse.at.transaction;
    if (misuse.kind === 'released-in-transaction' && begin && !first.has(begin)) first.set(begin, misuse);
  }
  return first;
}

function story(module: Module, begin: Node, cause: Node | undefined, exit: Node | undefined, release: Node): readonly Related[] {
  const at = (node: Node, message: string): Related => ({ at: placeOfNode(module, node), message });
  return [
    at(begin, 'the transaction starts here'),
    ...(cause ? [at(cause, 'this can fail')] : exit ? [at(exit, 'leaves here with it open')] : []),
    at(release, 'given back here, still in the transaction'),
  ];
}

/** The `return` on the way, when nothing fails. */
function leavingBy(path: readonly { readonly from: number }[], { states }: Exploration): Node | undefined {
  const nodes = path.flatMap(({ from }) => {
    const step = states[from]?.step;
    return step && 'node' in step ? [step.node] : [];
  });
  return nodes.findLast(({ type }) => type === 'ReturnStatement');
}

function callOf(cause: Node): Node {
  return cause.type === 'AwaitExpression' ? cause.argument : cause;
}
