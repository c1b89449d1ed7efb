import { walk } from '@poolcheck/parsers/javascript/parse';
import { listens } from '../../source/held/describe.ts';
import type { Held } from '../../source/held/held.ts';
import { mentionsAny } from '../../source/held/waits.ts';
import type { Leak } from '../../source/leases/leaks.ts';
import type { LeaseSite } from '../../source/leases/sites.ts';
import { isFunction } from '../../source/module.ts';
import type { FunctionNode, Variable } from '../../source/module.ts';
import type { Program } from '../../source/program.ts';
import { runsInPlace } from '../../source/promises.ts';
import { runsItself } from '../../source/remaking/runs.ts';
import { runsAtStart } from '../../source/uses/startup.ts';

/** What a connection that nothing gives back is kept for: notifications that its session listens for, or functions that use it later. */
export function keptFor({ kind, site }: Leak, program: Program): 'notifications' | 'functions' | undefined {
  const held = kind === 'never' ? program.held.ofLease(site) : undefined;
  if (!held) return undefined;
  if (listens(held, program.sendingsIn(site.module))) return 'notifications';
  return isUsedLater(held, site) ? 'functions' : undefined;
}

/** Whether it is taken once, when the process starts: then it is given back when that ends. A listener has no other life where it is not plain. */
export function isTakenOnce({ node, fn, module }: LeaseSite, purpose: ReturnType<typeof keptFor>, program: Program): boolean {
  if (purpose === 'functions') return runsAtStart(node, module, program);
  return purpose !== undefined && program.wayTo(fn) === undefined && !runsItself({ node: fn, module }, program.values);
}

function isUsedLater({ names }: Held, { fn }: LeaseSite): boolean {
  let found = false;
  walk(fn.body, (node) => {
    found ||= isFunction(node) && !isRunOnTheWay(node, names) && mentionsAny(node, names);
  });
  return found;
}

/** `.then(f)`, `await inTurn(f)`, `client.query(sql, f)` */
function isRunOnTheWay(fn: FunctionNode, names: readonly Variable[]): boolean {
  const { parent: call } = fn;
  if (call.type !== 'CallExpression') return false;
  const isOfLease = call.callee.type === 'MemberExpression' && mentionsAny(call.callee.object, names);
  return runsInPlace(fn) || isOfLease || /^(Await|Yield)Expression$|^ReturnStatement$/.test(call.parent.type);
}
