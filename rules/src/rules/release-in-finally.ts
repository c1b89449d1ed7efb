import type { Related } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { callbackOf } from '../source/functions.ts';
import { fixesOf } from '../source/leases/fixes.ts';
import type { Leak } from '../source/leases/leaks.ts';
import type { LeaseSite } from '../source/leases/sites.ts';
import { functionName, isFunction, placeOfNode } from '../source/module.ts';
import type { Node } from '../source/module.ts';
import { isTakenOnce, keptFor } from './release-in-finally/for-good.ts';
import { describePool, excerpt, nameOfLease } from '../source/describe.ts';

export default moduleRule({
  id: 'release-in-finally',
  severity: 'error',
  summary: 'A borrowed connection is not given back on every path, so the pool runs dry.',
  messages: {
    dropped: '{call} takes a {lease} that nothing keeps, so it can never be given back: {pool} has one {lease} less from then on.',
    uncalled:
      '{call} gives its {lease} by a promise and does not call that function, so nothing keeps the {lease}, and it can never be given back: {pool} has one {lease} less from then on.',
    never: '{name} is taken here and never given back: {pool} has one {lease} less each time {where} runs.',
    leaves: '{name} is not given back on every way out of {where}: each such call takes a {lease} from {pool} for good.',
    overwritten:
      '{name} is not given back before the next turn of the loop takes another one: each turn takes a {lease} from {pool} for good.',
    raises: '{name} is not given back when {cause} fails: each failure takes a {lease} from {pool} for good.',
    throws: '{name} is not given back when {cause} is thrown: each time takes a {lease} from {pool} for good.',
    setup:
      '{name} is not given back when {cause} fails, because that stands before the try that gives it back: {pool} has one {lease} less each time.',
    unfinished:
      "{name} is given back only on 'finish', which a response whose caller goes away never emits: each such request takes a connection from {pool} for good.",
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const leak = program.leases.leak(site);
      if (!leak || isMeantToFail(leak)) continue;
      const purpose = keptFor(leak, program);
      if (isTakenOnce(site, purpose, program)) continue;
      yield {
        at: placeOfNode(module, site.node),
        message: messageOf(leak),
        data: {
          name: nameOfLease(site),
          lease: site.lease.resource.noun ?? 'connection',
          call: excerpt(module, site.node),
          pool: describePool(site.lease, program.values),
          where: functionName(site.fn) ?? 'this function',
          cause: 'cause' in leak ? excerpt(module, failing(leak.cause)) : '',
        },
        ...(isRare(leak) ? { severity: 'warning' as const } : {}),
        related: pathOf(leak),
        // What is used later is not to be given back where the function ends.
        fixes: purpose ? [] : fixesOf(leak),
        symbol: functionName(site.fn) ?? '',
      };
    }
  },
});

/** A test that keeps nothing of what it takes sees that taking it fails. */
function isMeantToFail({ kind, site }: Leak): boolean {
  return kind === 'dropped' && site.module.role === 'test';
}

function messageOf(leak: Leak): Leak['kind'] | 'throws' | 'uncalled' {
  if (leak.kind === 'dropped' && callbackOf(leak.site.node)) return 'uncalled';
  return leak.kind === 'raises' && leak.cause.type === 'ThrowStatement' ? 'throws' : leak.kind;
}

/** Whether it seldom happens, or costs little when it does. */
function isRare({ kind, site }: Leak): boolean {
  return kind === 'setup' || kind === 'unfinished' || site.lease.resource.cheap === true;
}

/** What fails is the call, not the waiting for it; what is thrown, not the throwing of it. */
function failing(cause: Node): Node {
  return cause.type === 'AwaitExpression' || cause.type === 'ThrowStatement' ? cause.argument : cause;
}

/** Taken here → this can fail → leaves here. */
function pathOf(leak: Leak): readonly Related[] {
  const { site } = leak;
  const at = (node: Node, message: string): Related => ({ at: placeOfNode(site.module, node), message });
  const taken = at(site.node, 'taken here');
  switch (leak.kind) {
    case 'dropped':
    case 'never':
      return [];
    case 'overwritten':
      return [taken, at(site.node, 'taken again here, while the first is still out')];
    case 'leaves':
      return [taken, isFunction(leak.exit) ? endOf(leak.exit, site) : at(leak.exit, 'leaves here without giving it back')];
    case 'setup':
      return [taken, at(leak.cause, 'this can fail'), at(leak.guard, 'only from here on is it given back')];
    case 'unfinished':
      return [taken, at(leak.listener, "given back here, but not when 'close' comes without 'finish'")];
    case 'raises':
      return [
        taken,
        at(leak.cause, leak.cause.type === 'ThrowStatement' ? 'this leaves without giving it back' : 'this can fail'),
        ...(leak.exit ? [at(leak.exit, 'leaves here without giving it back')] : []),
      ];
  }
}

/** The closing brace of the function. */
function endOf(fn: Node, { module }: LeaseSite): Related {
  const end = fn.range[1];
  return { at: { text: module.text, range: { start: end - 1, end } }, message: 'ends here without giving it back' };
}
