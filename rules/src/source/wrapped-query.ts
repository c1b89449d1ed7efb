import type { Query } from '../knowledge/driver.ts';
import { parameterRead, visitBody } from './functions.ts';
import type { FunctionNode, Module, TSESTree } from './module.ts';
import { isPerhapsOther } from './receiver.ts';
import type { ResourceValue, Sited } from './value.ts';
import type { Values } from './values.ts';

/** A function that sends one of its parameters as SQL through a pool. */
export interface WrappedQuery {
  readonly parameter: number;
  readonly receiver: ResourceValue;
  readonly query: Query;
}

const wrappersOf = new WeakMap<Values, Map<FunctionNode, WrappedQuery | undefined>>();

/** `(text, values) => pool.query(text, values)`, or the same on a connection that it takes for this alone. */
export function wrappedQuery({ node, module }: Sited<FunctionNode>, values: Values): WrappedQuery | undefined {
  const wrappers = wrappersOf.get(values) ?? new Map<FunctionNode, WrappedQuery | undefined>();
  wrappersOf.set(values, wrappers);
  if (wrappers.has(node)) return wrappers.get(node);
  const queries = queriesIn(node, module, values);
  const passing = queries.find(({ parameter }) => parameter !== -1);
  const receiver = passing && receiverOf(passing, queries, values);
  const found = passing && receiver && { parameter: passing.parameter, receiver, query: passed(passing.query) };
  wrappers.set(node, found);
  return found;
}

interface PassingQuery {
  readonly call: TSESTree.CallExpression;
  readonly receiver: ResourceValue;
  readonly query: Query;
  /** The parameter that it sends; -1: something else. */
  readonly parameter: number;
}

function queriesIn(fn: FunctionNode, module: Module, values: Values): readonly PassingQuery[] {
  const queries: PassingQuery[] = [];
  visitBody(fn, (call) => {
    if (call.type !== 'CallExpression') return;
    const called = values.methodOf(call, module);
    if (called?.method.does !== 'query' || isPerhapsOther(call.callee, module, values)) return;
    const sql = call.arguments[called.method.sql];
    const parameter = parameterRead(fn, sql, module);
    queries.push({ call, receiver: called.receiver, query: called.method, parameter });
  });
  return queries;
}

/** The wrapper sends it, whoever waits. */
function passed({ does, sql, text }: Query): Query {
  return { does, sql, ...(text !== undefined && { text }) };
}

/** The pool, or the pool of a connection that sends nothing else. */
function receiverOf({ receiver }: PassingQuery, queries: readonly PassingQuery[], values: Values): ResourceValue | undefined {
  if (receiver.resource.role === 'pool') return receiver;
  const { origin, acquired } = receiver;
  const pool = acquired && origin && queries.length === 1 ? values.resourceOf(origin.node, origin.module) : undefined;
  return pool?.resource.role === 'pool' ? pool : undefined;
}
