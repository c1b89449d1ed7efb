import type { Report } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { describePool, excerpt, nameOfLease } from '../source/describe.ts';
import { BusyLeases, type UnsoundRelease } from '../source/leases/busy.ts';
import type { LeaseSite } from '../source/leases/sites.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { Module, Node } from '../source/module.ts';
import type { Program } from '../source/program.ts';
import { classify } from '../sql/classify.ts';

export default moduleRule({
  id: 'release-broken-client',
  severity: 'warning',
  summary: 'A connection goes back to the pool as healthy though it may still be busy, or broken.',
  messages: {
    busy: 'When {cause} takes too long, the wait ends and the statement does not: {name} goes back to {pool} while the server still works on it, and the next caller waits behind it.',
    unknown: 'When {cause} fails, nobody knows how {name} is, and it goes back to {pool} as healthy; {destroy} would end it instead.',
  },
  *check(module, program) {
    const busy = new BusyLeases(program.values, rollbacksIn(module, program));
    for (const site of program.leases.in(module)) {
      const exploration = program.leases.exploration(site);
      const destroy = destroyingCall(site);
      if (!exploration || exploration === 'dropped' || destroy === undefined) continue;
      const cutShort = busy.cutShort(site, exploration);
      const unsound = cutShort.length > 0 ? cutShort : busy.afterSilencedRollback(site, exploration);
      for (const each of unsound) yield reportOf(each, site, destroy, program);
    }
  },
});

function reportOf(
  { release, cause, limit }: UnsoundRelease,
  site: LeaseSite,
  destroy: string,
  program: Program,
): Report<'busy' | 'unknown'> {
  const { module } = site;
  return {
    at: placeOfNode(module, release),
    message: limit ? 'busy' : 'unknown',
    ...(limit ? {} : { severity: 'info' as const }),
    data: { cause: excerpt(module, cause), name: nameOfLease(site), pool: describePool(site.lease, program.values), destroy },
    related: [
      { at: placeOfNode(module, site.node), message: 'taken here' },
      {
        at: placeOfNode(module, cause),
        message: limit ? 'the wait for this can end before it does' : 'this can fail, and nothing is done about it',
      },
    ],
    symbol: functionName(site.fn) ?? '',
  };
}

/** How the driver is told that a connection is not to be used again; undefined: it cannot be told. */
function destroyingCall({ lease: { resource } }: LeaseSite): string | undefined {
  const [name, method] = Object.entries(resource.methods).find(([, { does, ...rest }]) => does === 'release' && 'destroys' in rest) ?? [];
  if (method?.does !== 'release') return undefined;
  return method.destroys === 'always' ? `${name}()` : `${name}(error)`;
}

function rollbacksIn(module: Module, { sendingsIn, values }: Program): (call: Node) => boolean {
  const sent = new Set<Node>(
    sendingsIn(module)
      .filter(({ statements, dialect }) => statements.some((each) => classify(each, dialect).some(({ kind }) => kind === 'rollback')))
      .map(({ call }) => call),
  );
  return (call) => {
    const called = call.type === 'CallExpression' ? values.methodOf(call, module) : undefined;
    return sent.has(call) || (called?.method.does === 'transaction' && called.method.step === 'rolls back');
  };
}
