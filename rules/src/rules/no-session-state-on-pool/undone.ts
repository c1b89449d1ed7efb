import { groupBy } from '../../group.ts';
import type { Visited } from '../../source/leases/exploration.ts';
import { hostOf, type LeaseSite } from '../../source/leases/sites.ts';
import type { Node } from '../../source/module.ts';
import type { Program } from '../../source/program.ts';
import type { Sending } from '../../source/statements.ts';
import { classify } from '../../sql/classify.ts';
import type { SqlEffect } from '../../sql/effect.ts';
import { statesOf, type SessionState } from '../../sql/session-state.ts';

/** Answers where session state is taken back. */
export interface Undoes {
  /** At a state of a lease on its way: by SQL, by the ROLLBACK of the transaction that it was set in, or by a function that does it. */
  at(at: Visited, state: SessionState, setBy: Sending | undefined, site: LeaseSite, set: readonly Visited[]): boolean;
  /** It sets back what the same function has set before. */
  isRestoring(state: SessionState, sending: Sending): boolean;
  /** By another statement of the function that it is sent in. */
  inFunction(state: SessionState, sending: Sending): boolean;
  /** By any statement of the function that has the lease. */
  anywhere(state: SessionState, site: LeaseSite): boolean;
}

export function undoers({ sendings, values }: Program): Undoes {
  const byCall = groupBy(sendings, ({ call }): Node => call);
  const byHost = groupBy(sendings, ({ call }) => hostOf(call));
  return {
    at({ step, transaction }, state, setBy, { module }, set) {
      const node = step.kind === 'evaluate' ? step.node : undefined;
      if (node?.type !== 'CallExpression' && node?.type !== 'TaggedTemplateExpression') return false;
      const sent = (byCall.get(node) ?? []).filter((sending) => sending.call !== setBy?.call);
      if (sent.some((sending) => isUndoneBy(state, sending))) return true;
      const isSameTransaction = transaction !== undefined && set.some((at) => at.transaction === transaction);
      if (isSameTransaction && survivesNoRollback(state) && sent.some(rollsBack)) return true;
      const called = node.type === 'CallExpression' ? values.calledFunction(node, module) : undefined;
      return called !== undefined && (byHost.get(called.node) ?? []).some((sending) => isUndoneBy(state, sending));
    },
    isRestoring: (state, { call }) =>
      (byHost.get(hostOf(call)) ?? []).some(
        (before) => before.call.range[0] < call.range[0] && before.through === 'lease' && setsToo(before, state),
      ),
    inFunction: (state, { call }) =>
      (byHost.get(hostOf(call)) ?? []).some((sending) => sending.call !== call && isUndoneBy(state, sending)),
    anywhere: (state, { fn }) => (byHost.get(fn) ?? []).some((sending) => isUndoneBy(state, sending)),
  };
}

function effectsOf({ statements, dialect }: Sending): readonly SqlEffect[] {
  return statements.flatMap((statement) => classify(statement, dialect));
}

function rollsBack(sending: Sending): boolean {
  return effectsOf(sending).some(({ kind }) => kind === 'rollback');
}

/** Locks and prepared statements outlive the transaction that made them, even when it fails. */
function survivesNoRollback({ kind }: SessionState): boolean {
  return kind !== 'lock' && kind !== 'prepared';
}

/** Taken back, or set to something else: then that is what is left. */
function isUndoneBy(state: SessionState, sending: Sending): boolean {
  if (effectsOf(sending).some((effect) => discards(effect, state))) return true;
  if (state.kind === 'temporary' && sending.statements.some(drops)) return true;
  const others = sending.statements.flatMap((statement) => statesOf(statement, sending.dialect));
  return others.some((other) => isSame(other, state) && (other.undoes || isSetting(state)));
}

function discards(effect: SqlEffect, { kind }: SessionState): boolean {
  if (effect.kind === 'discard') return effect.what === 'all' || kind === 'temporary' || kind === 'prepared';
  if (effect.kind === 'deallocate') return kind === 'prepared';
  return effect.kind === 'reset' && (effect.name === 'all' || (kind === 'role' && effect.name === 'role'));
}

function drops({ tokens: [first] }: Sending['statements'][number]): boolean {
  return first?.kind === 'word' && first.value?.toLowerCase() === 'drop';
}

function setsToo({ statements, dialect }: Sending, state: SessionState): boolean {
  return statements.flatMap((statement) => statesOf(statement, dialect)).some((before) => !before.undoes && isSame(before, state));
}

function isSame(one: SessionState, other: SessionState): boolean {
  return one.kind === other.kind && one.parameter === other.parameter;
}

function isSetting({ kind }: SessionState): boolean {
  return kind === 'parameter' || kind === 'role' || kind === 'characteristics';
}
