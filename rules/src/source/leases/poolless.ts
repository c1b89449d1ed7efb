import { isReassigned } from '../bindings.ts';
import type { Module, Node } from '../module.ts';
import { givenOptions, type GivenOptions } from '../pool-options.ts';
import { anyEnvironment, evaluate } from '../setting.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Values } from '../values.ts';

/** Answers whether the source of a root names one of some database systems as the type of a database. */
export type NamesSystem = (systems: readonly string[]) => boolean;

/** Whether some modules write such a type somewhere. */
export function systemsNamedIn(modules: readonly Module[]): NamesSystem {
  const known = new Map<readonly string[], boolean>();
  return (systems) => {
    const found = known.get(systems) ?? modules.some(({ text }) => namesSystem(text.content, systems));
    known.set(systems, found);
    return found;
  };
}

function namesSystem(source: string, systems: readonly string[]): boolean {
  return [...source.matchAll(/\btype:\s*['"]([\w-]+)['"]/g)].some(([, name = '']) => systems.includes(name));
}

/** Whether a lease comes from a database that has no pool, or may do so: one in a file, in memory, behind HTTP. */
export function isPoolless({ resource: { poolless }, origin }: ResourceValue, values: Values, isNamed: NamesSystem): boolean {
  const pool = origin && poolless && values.resourceOf(origin.node, origin.module);
  const system = pool?.resource.options?.system;
  const isMade = origin?.node.type === 'NewExpression' || origin?.node.type === 'CallExpression';
  if (!pool?.resource.options || !poolless || system === undefined || !isMade || isOneOfSeveral(origin)) return false;
  const given = givenOptions(origin.node, origin.module, pool.resource.options, values);
  const written = given.option([system]);
  if (!written) return false;
  const outcomes = evaluate(written, anyEnvironment);
  if (outcomes) return outcomes.every(({ value }) => poolless.includes(String(value)));
  return isWritten(given, system, poolless) || (written.kind === 'unknown' && isNamed(poolless));
}

/** Whether the options name such a system, though what is spread over them may name another one. */
function isWritten(given: GivenOptions, option: string, systems: readonly string[]): boolean {
  return given.writtenIn('').some(({ name, key: { parent } }) => {
    const value = parent.type === 'Property' ? parent.value : undefined;
    return name === option && value?.type === 'Literal' && systems.includes(String(value.value));
  });
}

/** Whether what is made goes into a variable that may hold another one: a `case` for each database. */
function isOneOfSeveral({ node, module }: Sited): boolean {
  const { parent } = node;
  const keeper: Node | undefined = parent?.type === 'AssignmentExpression' ? parent.left : undefined;
  const variable = keeper?.type === 'Identifier' ? module.variableOf(keeper) : undefined;
  return variable !== undefined && isReassigned(variable);
}
