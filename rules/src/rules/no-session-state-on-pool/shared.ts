import { groupBy } from '../../group.ts';
import { hostOf } from '../../source/leases/sites.ts';
import { connectionsBehind } from '../../source/pool-behind.ts';
import type { Sending } from '../../source/statements.ts';
import type { Values } from '../../source/values.ts';
import { classify } from '../../sql/classify.ts';
import { statesOf, takesBack, type SessionState } from '../../sql/session-state.ts';

/** Session state of one kind that a function sends through a pool: first where it is set, then what else belongs to it. */
export interface SharedState {
  readonly first: Sending;
  readonly state: SessionState;
  readonly others: readonly Sending[];
}

/** The session state that goes through pools with more than one connection to choose from. */
export function sharedStatesIn(sendings: readonly Sending[], values: Values): readonly SharedState[] {
  const sent = sendings
    .filter(({ through, receiver }) => through === 'pool' && connectionsBehind(receiver, values) !== 1)
    .flatMap(stateSent);
  return [...groupBy(sent, ({ sending }) => hostOf(sending.call)).values()].flatMap((inFunction) =>
    [...groupBy(inFunction, ({ state }) => state.kind).values()].flatMap(faultOf),
  );
}

interface StateSent {
  readonly sending: Sending;
  readonly state: SessionState;
}

/** The state that one string leaves. A string with transaction control is the matter of another rule. */
function stateSent(sending: Sending): readonly StateSent[] {
  if (controlsTransaction(sending)) return [];
  const states = sending.statements.flatMap((statement) => statesOf(statement, sending.dialect));
  const last = states.at(-1);
  const [state] = last && states.some((each) => takesBack(last, each)) ? [] : states;
  return state ? [{ sending, state }] : [];
}

/** Whether SQL begins a transaction or ends one. */
export function controlsTransaction({ statements, dialect }: Sending): boolean {
  return statements.some((statement) => classify(statement, dialect).some(({ kind }) => /^(begin|commit|rollback)$/.test(kind)));
}

/** RESET alone does no harm; unlocking alone unlocks nothing. */
function faultOf(sent: readonly StateSent[]): readonly SharedState[] {
  const first = sent.find(({ state }) => !state.undoes) ?? sent.find(({ state }) => state.kind === 'lock');
  if (!first) return [];
  const others = sent.flatMap(({ sending }) => (sending.call === first.sending.call ? [] : [sending]));
  return [{ first: first.sending, state: first.state, others }];
}
