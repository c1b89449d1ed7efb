import { lexSql, type SqlStatement } from '@poolcheck/parsers/sql/lexer';
import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import type { Place } from '@poolcheck/parsers/text';
import type { Query } from '../knowledge/driver.ts';
import { enclosingFunction, placeOfNode, propertyName } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { poolSiteOf } from './pools.ts';
import type { PoolSite } from './pools.ts';
import { isPerhapsOther } from './receiver.ts';
import { anyEnvironment, evaluate } from './setting.ts';
import { writtenSql } from './sql-text.ts';
import type { ResourceValue } from './value.ts';
import type { Values } from './values.ts';
import { wrappedQuery } from './wrapped-query.ts';

/** SQL that the source sends by one call or tag: usually one statement, sometimes several in one string. */
export interface Sending {
  readonly module: Module;
  readonly call: SendingNode;
  readonly place: Place;
  readonly statements: readonly SqlStatement[];
  readonly dialect: SqlDialect;
  /** What it is sent through: the pool object itself, a lease taken from a pool, or a connection of its own. */
  readonly through: ResourceValue['resource']['role'];
  readonly receiver: ResourceValue;
  /** The pool or connection behind it, when it is known which. */
  readonly site: PoolSite | undefined;
}

export type SendingNode = TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;

/** Every SQL text that a module sends through a driver, or through a function here that passes it on; by a condition, either text. */
export function sendingsIn(module: Module, values: Values): readonly Sending[] {
  const nodes: readonly SendingNode[] = [...module.nodes('CallExpression'), ...module.nodes('TaggedTemplateExpression')];
  return nodes.flatMap((node) => {
    const sent = sentBy(node, module, values);
    return sent && !isElsewhere(node, sent, module, values) ? sendingsOf(node, module, sent, values) : [];
  });
}

interface Sent {
  readonly receiver: ResourceValue;
  readonly sql: Node;
  readonly query: Query;
}

const tagged: Query = { does: 'query', sql: 0, lazy: true };

function sentBy(node: SendingNode, module: Module, values: Values): Sent | undefined {
  if (node.type === 'TaggedTemplateExpression') return sentByTag(node, module, values);
  const called = values.methodOf(node, module);
  if (called?.method.does === 'query') return sentThrough(node.arguments, called.receiver, called.method);
  const fn = values.calledFunction(node, module);
  const wrapped = fn && wrappedQuery(fn, values);
  const sql = wrapped && node.arguments[wrapped.parameter];
  return sql && { receiver: wrapped.receiver, sql, query: wrapped.query };
}

function sentByTag({ tag, quasi }: TSESTree.TaggedTemplateExpression, module: Module, values: Values): Sent | undefined {
  const receiver = values.resourceOf(tag, module);
  if (receiver?.resource.isTag) return { receiver, sql: quasi, query: tagged };
  const value = values.valueOf(tag, module);
  return value?.kind === 'method' && value.method.does === 'query' ? sentThrough([quasi], value.receiver, value.method) : undefined;
}

function sentThrough(args: readonly Node[], receiver: ResourceValue, query: Query): Sent | undefined {
  const sql = args[query.sql];
  return sql && { receiver, sql, query };
}

/** Whether it is not sent through its receiver for sure: through a transaction that it is given, or not by itself. */
function isElsewhere(node: SendingNode, { receiver, query }: Sent, module: Module, values: Values): boolean {
  if (receiver.resource.role === 'pool' && isPerhapsOther(node.type === 'CallExpression' ? node.callee : node.tag, module, values))
    return true;
  if (query.lazy && !isAwaited(node)) return true;
  if (!query.unless || node.type !== 'CallExpression') return false;
  return (
    isGiven(node.arguments[query.unless.argument], query.unless.key, module, values) || isInScopedCallback(node, receiver, module, values)
  );
}

/** `await sql\`…\``, also with calls between: `.simple()`, `.catch(…)`. */
function isAwaited(node: Node): boolean {
  const { parent } = node;
  if (parent?.type === 'AwaitExpression') return true;
  if (parent?.type === 'CallExpression') return parent.callee === node && isAwaited(parent);
  return parent?.type === 'MemberExpression' && parent.object === node && (propertyName(parent) === 'then' || isAwaited(parent));
}

/** Whether an object of options has a property, or cannot be read; `null` is none. */
export function isGiven(options: Node | undefined, key: string, module: Module, values: Values): boolean {
  if (!options) return false;
  const at = values.follow(options, module);
  if (at.node.type === 'Literal') return false;
  return at.node.type !== 'ObjectExpression' || values.property({ node: at.node, module: at.module }, key) !== undefined;
}

/** In the callback of a managed transaction, what is sent may find it by itself. */
function isInScopedCallback(node: Node, receiver: ResourceValue, module: Module, values: Values): boolean {
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn)) {
    const called = fn.parent.type === 'CallExpression' ? values.methodOf(fn.parent, module) : undefined;
    if (called?.method.does === 'acquire' && called.method.orScoped && called.receiver.driver === receiver.driver) return true;
  }
  return false;
}

function sendingsOf(call: SendingNode, module: Module, { receiver, sql, query }: Sent, values: Values): readonly Sending[] {
  const { origin } = receiver;
  const site = origin && poolSiteOf(origin.node, origin.module, values);
  const dialect = dialectOf(receiver, site);
  if (!dialect) return [];
  return writtenSql(sql, module, query.text, values).map((written) => ({
    module,
    call,
    place: placeOfNode(module, call),
    statements: lexSql({ text: written.module.text, pieces: written.pieces }, dialect),
    dialect,
    through: receiver.resource.role,
    receiver,
    site,
  }));
}

const dialects: ReadonlyMap<unknown, SqlDialect> = new Map(
  Object.entries({
    mysql: 'mysql',
    mysql2: 'mysql',
    mariadb: 'mysql',
    'aurora-mysql': 'mysql',
    postgresql: 'postgresql',
    postgres: 'postgresql',
    pg: 'postgresql',
    'pg-native': 'postgresql',
    'aurora-postgres': 'postgresql',
    cockroachdb: 'postgresql',
  } as const),
);

/** The dialect of the database system; undefined for one whose sessions are not known here. What works with any is taken for PostgreSQL's. */
function dialectOf({ driver, resource }: ResourceValue, site: PoolSite | undefined): SqlDialect | undefined {
  if (driver.engine !== 'any') return dialects.get(driver.engine);
  const system = resource.options?.system ?? site?.options.system;
  const setting = system === undefined ? undefined : site?.given.option([system]);
  const [only, ...others] = (setting && evaluate(setting, anyEnvironment)) ?? [];
  return only && others.length === 0 ? dialects.get(only.value) : 'postgresql';
}
