import { parameterVariable } from '../functions.ts';
import { propertyName } from '../module.ts';
import type { FunctionNode, Node } from '../module.ts';
import { isPromiseChain } from '../promises.ts';
import type { Sited } from '../value.ts';
import { mentionsAny } from './waits.ts';

/** Whether a function comes to a wait only on a condition: a hook for tests, a limit on how often it runs. A condition on how long it is given to wait is none. */
export function isOccasional(wait: Node, { node: fn, module }: Sited<FunctionNode>): boolean {
  const given = fn.params
    .flatMap((_, index) => parameterVariable(fn, index, module) ?? [])
    .filter((parameter) => mentionsAny(wait, [parameter]));
  return around(wait, fn).some(({ at, inner }) => conditionsOn(at, inner).some((test) => !mentionsAny(test, given)));
}

/** Whether code of a function runs again, or after something failed. */
export function isRetry(node: Node, fn: FunctionNode): boolean {
  return around(node, fn).some(({ at, inner }) => isLoop(at) || at.type === 'CatchClause' || isCatch(at, inner));
}

/** What a node of a function stands in, from the inside out, each with the part of it that it stands in. */
function around(node: Node, fn: FunctionNode): readonly { readonly at: Node; readonly inner: Node }[] {
  const outer: { at: Node; inner: Node }[] = [];
  for (let inner = node; inner.parent && inner !== fn; inner = inner.parent) outer.push({ at: inner.parent, inner });
  return outer;
}

function isLoop({ type }: Node): boolean {
  return /^(For|ForOf|ForIn|While|DoWhile)Statement$/.test(type);
}

/** `.catch(f)` around f */
function isCatch(node: Node, inner: Node): boolean {
  return isPromiseChain(node) && propertyName(node.callee) === 'catch' && node.callee !== inner;
}

/** The tests that decide whether a part is run. */
function conditionsOn(at: Node, inner: Node): readonly Node[] {
  switch (at.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return at.test === inner ? [] : [at.test];
    case 'LogicalExpression':
      return at.right === inner ? [at.left] : [];
    case 'SwitchCase':
      return [at.parent.discriminant];
    case 'BlockStatement':
      return at.body.flatMap((statement) => earlyReturn(statement, inner) ?? []);
    default:
      return [];
  }
}

/** The test of `if (…) return;` before a statement. */
function earlyReturn(statement: Node, before: Node): Node | undefined {
  if (statement.type !== 'IfStatement' || statement.range[1] > before.range[0]) return undefined;
  const { consequent, test } = statement;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  return last?.type === 'ReturnStatement' ? test : undefined;
}
