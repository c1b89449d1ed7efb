import { lexSql, type SqlStatement } from '@poolcheck/parsers/sql/lexer';
import type { SqlPiece } from '@poolcheck/parsers/sql/source';
import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import type { Place, Range } from '@poolcheck/parsers/text';
import type { Method } from '../knowledge/driver.ts';
import { visitBody } from './functions.ts';
import { bare, placeOfNode } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree } from './module.ts';
import { poolSiteOf } from './pools.ts';
import type { PoolSite } from './pools.ts';
import type { ResourceValue, Sited, Values } from './values.ts';

/** SQL that the source sends by one call: usually one statement, sometimes several in one string. */
export interface Sending {
  readonly module: Module;
  readonly call: TSESTree.CallExpression;
  readonly place: Place;
  readonly statements: readonly SqlStatement[];
  readonly dialect: SqlDialect;
  /** What it is sent through: the pool object itself, a lease taken from a pool, or a connection of its own. */
  readonly through: ResourceValue['resource']['role'];
  readonly receiver: ResourceValue;
  /** The pool or connection behind it, when it is known which. */
  readonly site: PoolSite | undefined;
}

/** Every SQL text that a module sends through a driver, or through a function here that passes it on. */
export function sendingsIn(module: Module, values: Values): readonly Sending[] {
  return module.nodes('CallExpression').flatMap((call) => {
    const sent = sentBy(call, module, values);
    return (sent && sendingOf(call, module, sent, values)) ?? [];
  });
}

interface Sent {
  readonly receiver: ResourceValue;
  readonly sql: Node;
  readonly textKey: string | undefined;
}

function sentBy(call: TSESTree.CallExpression, module: Module, values: Values): Sent | undefined {
  const called = values.methodOf(call, module);
  if (called?.method.does === 'query') return sentThrough(call, called.receiver, called.method);
  const fn = values.calledFunction(call, module);
  const wrapped = fn && wrappedQuery(fn, values);
  const sql = wrapped && call.arguments[wrapped.parameter];
  return sql && { receiver: wrapped.receiver, sql, textKey: wrapped.textKey };
}

function sentThrough(call: TSESTree.CallExpression, receiver: ResourceValue, method: Extract<Method, { does: 'query' }>): Sent | undefined {
  const sql = call.arguments[method.sql];
  return sql && { receiver, sql, textKey: method.text };
}

interface WrappedQuery {
  readonly parameter: number;
  readonly receiver: ResourceValue;
  readonly textKey: string | undefined;
}

const wrappersOf = new WeakMap<Values, Map<FunctionNode, WrappedQuery | undefined>>();

/** `(text, values) => pool.query(text, values)`: which parameter is the SQL, and what it goes through. */
function wrappedQuery({ node, module }: Sited<FunctionNode>, values: Values): WrappedQuery | undefined {
  const wrappers = wrappersOf.get(values) ?? new Map<FunctionNode, WrappedQuery | undefined>();
  wrappersOf.set(values, wrappers);
  if (wrappers.has(node)) return wrappers.get(node);
  let found: WrappedQuery | undefined;
  visitBody(node, (inner) => {
    if (found || inner.type !== 'CallExpression') return;
    const called = values.methodOf(inner, module);
    if (called?.method.does !== 'query' || called.receiver.resource.role !== 'pool') return;
    const sql = inner.arguments[called.method.sql];
    const parameter = sql ? node.params.findIndex((candidate) => isSameVariable(candidate, sql, module)) : -1;
    if (parameter !== -1) found = { parameter, receiver: called.receiver, textKey: called.method.text };
  });
  wrappers.set(node, found);
  return found;
}

function isSameVariable(parameter: Node, use: Node, module: Module): boolean {
  if (parameter.type !== 'Identifier' || use.type !== 'Identifier') return false;
  const variable = module.variableOf(use);
  return variable !== undefined && variable === module.variableOf(parameter);
}

function sendingOf(call: TSESTree.CallExpression, module: Module, { receiver, sql, textKey }: Sent, values: Values): Sending | undefined {
  const written = writtenSql(sql, module, textKey, values);
  const pieces = written && piecesOf(written, written.module, values);
  if (!written || !pieces?.some(({ kind }) => kind === 'sql')) return undefined;
  const dialect: SqlDialect = receiver.driver.engine === 'mysql' ? 'mysql' : 'postgresql';
  const { origin } = receiver;
  return {
    module,
    call,
    place: placeOfNode(module, call),
    statements: lexSql({ text: written.module.text, pieces }, dialect),
    dialect,
    through: receiver.resource.role,
    receiver,
    site: origin && poolSiteOf(origin.node, origin.module, values),
  };
}

/** The expression that holds the SQL: the argument, or the text property of a query object. */
function writtenSql(argument: Node, module: Module, textKey: string | undefined, values: Values): Sited | undefined {
  const at = values.follow(argument, module);
  if (at.node.type !== 'ObjectExpression') return at;
  const text = textKey === undefined ? undefined : values.property({ node: at.node, module: at.module }, textKey);
  return text === 'unknown' || !text ? undefined : values.follow(text.node, text.module);
}

function piecesOf({ node }: Sited, module: Module, values: Values): readonly SqlPiece[] {
  const inner = bare(node);
  switch (inner.type) {
    case 'Literal':
      return [typeof inner.value === 'string' ? { kind: 'sql', value: inner.value, range: insideQuotes(inner) } : holeAt(inner)];
    case 'TemplateLiteral':
      return inner.quasis.flatMap((quasi, index) => {
        const text: SqlPiece = { kind: 'sql', value: quasi.value.cooked ?? '', range: rangeOfQuasi(quasi, module) };
        const hole = inner.expressions[index];
        return hole ? [text, ...inlined(hole, module, values)] : [text];
      });
    case 'BinaryExpression':
      if (inner.operator !== '+') return [holeAt(inner)];
      return [...inlined(inner.left, module, values), ...inlined(inner.right, module, values)];
    case 'TaggedTemplateExpression':
      return piecesOf({ node: inner.quasi, module }, module, values);
    default:
      return [holeAt(inner)];
  }
}

/** An expression inside SQL: more SQL when it is a constant of the same file, else a hole. */
function inlined(node: Node, module: Module, values: Values): readonly SqlPiece[] {
  const at = values.follow(node, module);
  const isText = /^(Literal|TemplateLiteral|BinaryExpression)$/.test(at.node.type);
  return at.module === module && isText ? piecesOf(at, module, values) : [holeAt(node)];
}

function holeAt(node: Node): SqlPiece {
  return { kind: 'hole', range: { start: node.range[0], end: node.range[1] } };
}

function insideQuotes(node: Node): Range {
  return { start: node.range[0] + 1, end: node.range[1] - 1 };
}

/** The text of a template element without its backquote, `${` and `}`, whichever parser's ranges include them. */
function rangeOfQuasi(quasi: TSESTree.TemplateElement, { text }: Module): Range {
  const [start, end] = quasi.range;
  const from = text.content.indexOf(quasi.value.raw, start);
  return from === -1 || from > start + 1 ? { start, end } : { start: from, end: from + quasi.value.raw.length };
}
