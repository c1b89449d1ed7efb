import { lexSql } from '@poolcheck/parsers/sql/lexer';
import { walk } from '@poolcheck/parsers/javascript/parse';
import { classify } from '../../sql/classify.ts';
import { bare } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import { writtenSql } from '../sql-text.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Edge, Exploration } from './exploration.ts';
import type { Explorer } from './explore.ts';
import { passingOf, type Passing } from './passing.ts';
import { isWithin, type LeaseSite } from './sites.ts';

/** The `try` whose `finally` gives the lease back, when all that can fail ahead of it sets the lease up. */
export function setupGuard(
  causes: readonly Edge[],
  exploration: Exploration,
  { node, fn, lease, module }: LeaseSite,
  explorer: Explorer,
): TSESTree.TryStatement | undefined {
  const endings = endingsIn(exploration);
  const guard = triesAfter(node, fn).find(({ finalizer }) => finalizer && endings.some((ending) => isWithin(ending, finalizer)));
  const isAhead = ({ raisedBy }: Edge) => guard && raisedBy && raisedBy.range[1] <= guard.range[0];
  return causes.every((cause) => isAhead(cause) && isSetup(cause, exploration, { lease, module }, explorer)) ? guard : undefined;
}

/** Where the lease is given back or handed on. */
function endingsIn({ edges, states }: Exploration): readonly Node[] {
  return edges.flatMap(({ from, to }) => {
    const before = states[from];
    const isEnding = before?.holding === 'held' && states[to]?.holding !== 'held' && before.step.kind === 'evaluate';
    return isEnding ? [before.step.node] : [];
  });
}

function triesAfter(node: Node, fn: FunctionNode): readonly TSESTree.TryStatement[] {
  const tries: TSESTree.TryStatement[] = [];
  walk(fn, (inner) => {
    if (inner.type === 'TryStatement' && inner.range[0] >= node.range[1]) tries.push(inner);
  });
  return tries;
}

interface Context {
  readonly lease: ResourceValue;
  readonly module: Module;
}

/** Whether what fails is a call on the lease, sends the BEGIN of a transaction, or is a function of the root in which nothing else fails. */
function isSetup({ from, raisedBy }: Edge, { states }: Exploration, context: Context, explorer: Explorer, depth = 0): boolean {
  const call = raisedBy && bare(raisedBy.type === 'AwaitExpression' ? raisedBy.argument : raisedBy);
  const names = states[from]?.names ?? [];
  if (call?.type === 'TaggedTemplateExpression') return isOn(call.tag, names, context.module);
  if (call?.type !== 'CallExpression') return false;
  if (isOn(call.callee, names, context.module) || call.arguments.some((argument) => isBegin(argument, context, explorer))) return true;
  const called = explorer.values.calledFunction(call, context.module);
  const passing = passingOf(call, context.module, (node) => isOn(node, names, context.module));
  return called !== undefined && passing !== undefined && depth < 8 && onlySetsUp(called, passing, context.lease, explorer, depth + 1);
}

/** `client`, `client.query` */
function isOn(node: Node, names: readonly Variable[], module: Module): boolean {
  const inner = bare(node);
  if (inner.type === 'MemberExpression') return isOn(inner.object, names, module);
  const variable = inner.type === 'Identifier' ? module.variableOf(inner) : undefined;
  return variable !== undefined && names.includes(variable);
}

/** `` sql`begin isolation level ${level}` ``, whatever it is given to. */
function isBegin(argument: Node, { lease, module }: Context, { values }: Explorer): boolean {
  const dialect = lease.driver.engine === 'mysql' ? 'mysql' : 'postgresql';
  return writtenSql(argument, module, undefined, values).some(({ module: at, pieces }) =>
    lexSql({ text: at.text, pieces }, dialect).some((statement) => classify(statement, dialect).some(({ kind }) => kind === 'begin')),
  );
}

function onlySetsUp(fn: Sited<FunctionNode>, passing: Passing, lease: ResourceValue, explorer: Explorer, depth: number): boolean {
  const { module } = fn;
  const exploration = explorer.passed(passing, fn, lease);
  if (!exploration) return false;
  const failures = exploration.edges.filter(({ from, raisedBy }) => raisedBy && exploration.states[from]?.holding === 'held');
  return failures.every((failure) => isSetup(failure, exploration, { lease, module }, explorer, depth));
}
