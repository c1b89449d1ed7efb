import { opossumTimeout } from '../../knowledge/time-limits.ts';
import { placeOfNode, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import { anyEnvironment } from '../setting.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { limitAt, type TimeLimit } from './time-limit.ts';

/** Something that stops waiting for a function after a while, and does not end what it does. */
export interface Breaker {
  readonly limit: TimeLimit;
  readonly work: Sited<FunctionNode>;
}

/** The breakers and timeouts that a module puts around functions. */
export function breakersIn(module: Module, values: Values): readonly Breaker[] {
  const made = module.nodes('NewExpression').flatMap((node) => opossum(node, module, values) ?? []);
  const executed = module.nodes('CallExpression').flatMap((node) => cockatiel(node, module, values));
  return [...made, ...executed];
}

/** `new CircuitBreaker(work, { timeout: 3_000 })` */
function opossum(node: TSESTree.NewExpression, module: Module, values: Values): Breaker | undefined {
  const [first, second] = node.arguments;
  if (!first || values.exportOf(node.callee, module)?.package !== 'opossum') return undefined;
  const work = functionOf(first, module, values);
  const limit = opossumLimit(node, second, module, values);
  return work && limit && { work, limit };
}

function opossumLimit(node: TSESTree.NewExpression, options: Node | undefined, module: Module, values: Values): TimeLimit | undefined {
  const byDefault: TimeLimit = { milliseconds: opossumTimeout, of: 'the breaker', place: placeOfNode(module, node) };
  if (!options) return byDefault;
  const at = values.follow(options, module);
  if (at.node.type !== 'ObjectExpression') return undefined;
  const object = { node: at.node, module: at.module };
  // It is aborted.
  if (values.property(object, 'abortController') !== undefined) return undefined;
  const timeout = values.property(object, 'timeout');
  if (timeout === undefined) return byDefault;
  return timeout === 'unknown' ? undefined : limitAt(timeout, 'the breaker', values, anyEnvironment);
}

/** `timeout(3_000, TimeoutStrategy.Aggressive).execute(work)`, also in a `wrap`. */
function cockatiel(call: TSESTree.CallExpression, module: Module, values: Values): readonly Breaker[] {
  const { callee } = call;
  const [first] = call.arguments;
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'execute' || !first) return [];
  const work = functionOf(first, module, values);
  // It takes the signal that aborts it.
  if (!work || work.node.params.length > 0) return [];
  return timeoutsOf(callee.object, module, values).map((limit) => ({ work, limit }));
}

function timeoutsOf(policy: Node, module: Module, values: Values): readonly TimeLimit[] {
  const { node, module: home } = values.follow(policy, module);
  const from = node.type === 'CallExpression' ? values.exportOf(node.callee, home) : undefined;
  if (node.type !== 'CallExpression' || from?.package !== 'cockatiel') return [];
  if (from.path === 'wrap') return node.arguments.flatMap((argument) => timeoutsOf(argument, home, values));
  const [time, strategy] = node.arguments;
  if (from.path !== 'timeout' || !time || !strategy || !isAggressive(strategy)) return [];
  const limit = limitAt({ node: time, module: home }, 'the timeout', values, anyEnvironment);
  return limit ? [limit] : [];
}

/** Any other waits until the function has heard of it. */
function isAggressive(strategy: Node): boolean {
  if (strategy.type === 'MemberExpression') return propertyName(strategy) === 'Aggressive';
  return strategy.type === 'Literal' && strategy.value === 'aggressive';
}

function functionOf(node: Node, module: Module, values: Values): Sited<FunctionNode> | undefined {
  const value = values.valueOf(node, module);
  return value?.kind === 'function' ? value.at : undefined;
}
