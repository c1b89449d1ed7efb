import type { Deployment } from '../deployment/model.ts';
import type { Related, Report } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { describePool, excerpt, nameOfHost, nameOfLease } from '../source/describe.ts';
import { placeOfNode } from '../source/module.ts';
import type { Node } from '../source/module.ts';
import { lostStatesIn } from './no-session-state-in-transaction-mode/lost.ts';
import { fixOnLease, fixOnPool, whatBecomesOf } from './no-session-state-on-pool/advice.ts';
import { leftStatesIn, type LeftState } from './no-session-state-on-pool/left.ts';
import { localSettingsIn } from './no-session-state-on-pool/local.ts';
import { sharedStatesIn } from './no-session-state-on-pool/shared.ts';

export default moduleRule({
  id: 'no-session-state-on-pool',
  severity: 'error',
  summary: 'State of a session is set on whichever connection of a pool is free, or left on one that goes back.',
  messages: {
    pool: '{statement} goes through {pool}, on whichever connection is free: {consequence} {fix}',
    left: '{name} goes back to the pool with {statement} in effect: {consequence} {fix}',
    fails: 'When {cause} fails, {name} goes back to the pool with {statement} in effect: {consequence} {fix}',
    local:
      '{statement} has no effect here: it lasts until the end of the transaction, and outside one that is the end of the statement. {fix}',
  },
  *check(module, program, deployments) {
    if (module.role !== 'production') return;
    const told = callsTold(deployments);
    const sendings = program.sendingsIn(module).filter(({ call }) => !told.has(call));
    for (const { first, state, others } of sharedStatesIn(sendings, program.values)) {
      yield {
        at: first.place,
        message: 'pool',
        data: {
          statement: state.statement,
          pool: describePool(first.receiver, program.values),
          consequence: whatBecomesOf(state, 'pool'),
          fix: fixOnPool(state, first.dialect),
        },
        related: others.map((other): Related => ({ at: other.place, message: 'may reach another connection' })),
        symbol: nameOfHost(first.call),
      };
    }
    for (const left of leftStatesIn(module, program)) if (!told.has(left.sending.call)) yield reportOf(left);
    for (const { sending, setting } of localSettingsIn(module, sendings, program)) {
      yield {
        at: sending.place,
        message: 'local',
        severity: 'warning',
        data: { statement: setting, fix: 'Send BEGIN first, on the same connection, and then what needs it.' },
        symbol: nameOfHost(sending.call),
      };
    }
  },
});

/** What is lost behind a pooler, the rule about poolers tells. */
function callsTold(deployments: readonly Deployment[]): ReadonlySet<Node> {
  const lost = deployments.flatMap(lostStatesIn);
  return new Set(lost.flatMap(({ sending, undone }) => [sending, ...undone]).map(({ call }) => call));
}

function reportOf({ sending, state, site, release, releasedIn, cause }: LeftState): Report<'left' | 'fails'> {
  const { module } = sending;
  return {
    at: sending.place,
    message: cause ? 'fails' : 'left',
    severity: 'warning',
    data: {
      name: nameOfLease(site),
      statement: state.statement,
      cause: cause ? excerpt(releasedIn, cause) : '',
      consequence: whatBecomesOf(state, 'lease'),
      fix: fixOnLease(state, sending.dialect, cause !== undefined),
    },
    related: [
      ...(cause ? [{ at: placeOfNode(releasedIn, cause), message: 'this can fail' }] : []),
      {
        at: placeOfNode(releasedIn, release),
        message: releasedIn === module ? 'given back here' : 'given back here, by who called for it',
      },
    ],
    symbol: nameOfHost(sending.call),
  };
}
