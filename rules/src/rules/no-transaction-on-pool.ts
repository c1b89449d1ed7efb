import type { SqlEffect } from '../sql/effect.ts';
import { classify } from '../sql/classify.ts';
import { moduleRule } from '../rule.ts';
import { groupBy } from '../group.ts';
import { describePool, excerpt, nameOfHost } from '../source/describe.ts';
import { hostOf } from '../source/leases/sites.ts';
import type { Module } from '../source/module.ts';
import { connectionsBehind } from '../source/pool-behind.ts';
import type { Program } from '../source/program.ts';
import type { Sending } from '../source/statements.ts';

export default moduleRule({
  id: 'no-transaction-on-pool',
  severity: 'error',
  summary: 'BEGIN and COMMIT go through the pool, where each may land on another connection.',
  messages: {
    transaction:
      '{statement} goes through {pool}, which may give every statement another connection: the statements do not share a transaction, ROLLBACK undoes nothing, and a connection goes back with the transaction still open.',
    part: '{statement} goes through {pool}, which may give it another connection than the one whose transaction it is about.',
  },
  *check(module, program) {
    for (const sendings of groupBy(onSharedPool(module, program), ({ call }) => hostOf(call)).values()) {
      const [first, ...others] = startingWithBegin(sendings);
      if (!first) continue;
      yield {
        at: first.place,
        message: opens(first) ? 'transaction' : 'part',
        data: { statement: wordsOf(first), pool: describePool(first.receiver, program.values) },
        related: others.map((other) => ({ at: other.place, message: `${wordsOf(other)} may be sent through another connection` })),
        symbol: nameOfHost(first.call),
      };
    }
  },
});

/** Transaction control sent through a pool that has more than one connection to choose from. */
function onSharedPool(module: Module, program: Program): readonly Sending[] {
  return program.sendingsIn(module).filter((sending) => {
    if (sending.through !== 'pool' || connectionsBehind(sending.receiver, program.values) === 1) return false;
    const control = sending.statements.flatMap((statement) => classify(statement, sending.dialect)).filter(isControl);
    return control.length > 0 && !isWhole(control);
  });
}

const controlKinds = ['begin', 'commit', 'rollback', 'savepoint', 'release-savepoint', 'rollback-to', 'cursor', 'prepare-transaction'];

function isControl(effect: SqlEffect): boolean {
  return controlKinds.includes(effect.kind) && !(effect.kind === 'cursor' && effect.hold);
}

/** One string that begins a transaction and ends it runs on one connection. */
function isWhole(control: readonly SqlEffect[]): boolean {
  const last = control.at(-1)?.kind;
  return control[0]?.kind === 'begin' && (last === 'commit' || last === 'rollback' || last === 'prepare-transaction');
}

/** A transaction is found at its BEGIN, wherever its other statements stand. */
function startingWithBegin(sendings: readonly Sending[]): readonly Sending[] {
  const begin = sendings.find(opens);
  return begin ? [begin, ...sendings.filter((sending) => sending !== begin)] : sendings;
}

function opens({ statements, dialect }: Sending): boolean {
  return statements.some((statement) => classify(statement, dialect).some(({ kind }) => kind === 'begin'));
}

/** What the statement is called: BEGIN, START TRANSACTION, SAVEPOINT. */
function wordsOf({ statements, module, call }: Sending): string {
  const [first, second] = (statements[0]?.tokens ?? []).map(({ kind, value }) => (kind === 'word' ? value?.toUpperCase() : undefined));
  if (first === undefined) return excerpt(module, call);
  return first === 'START' && second !== undefined ? `${first} ${second}` : first;
}
