import { childrenOf } from '@poolcheck/parsers/javascript/parse';
import { enclosingFunction, isFunction } from './module.ts';
import type { Module, Node, Variable } from './module.ts';
import type { Unit } from './units.ts';
import { parameterOf } from './values.ts';

/** What makes expressions differ from one run of a unit to the next. */
export interface Dependence {
  /** The unit's parameters that they are made from. */
  readonly parameters: ReadonlySet<number>;
  /** Something else that changes: what a loop goes through. */
  readonly changes: boolean;
}

/** What some expressions of a unit depend on, through its local variables. */
export function dependenceOf(nodes: readonly Node[], unit: Unit, module: Module): Dependence {
  const parameters = new Set<number>();
  const seen = new Set<Variable>();
  let changes = false;

  function look(node: Node): void {
    if (node.type === 'Identifier') {
      const variable = module.variableOf(node);
      if (variable && !seen.has(variable)) lookInto(variable);
    } else if (node.type === 'MemberExpression' && !node.computed) look(node.object);
    else if (node.type === 'Property' && !node.computed) look(node.value);
    else if (!isFunction(node)) childrenOf(node).forEach(look);
  }

  function lookInto(variable: Variable): void {
    seen.add(variable);
    const [definition] = variable.defs;
    if (!definition || !isLocal(variable)) return;
    if (definition.type === 'Parameter') {
      const index = parameterOf(definition.name)?.index;
      if (index !== undefined) parameters.add(index);
    } else if (definition.type === 'Variable') {
      if (definition.node.parent.parent.type === 'ForOfStatement') changes = true;
      for (const { writeExpr } of variable.references) if (writeExpr) look(writeExpr);
    }
  }

  function isLocal({ identifiers: [declared] }: Variable): boolean {
    return declared !== undefined && enclosingFunction(declared) === unit;
  }

  nodes.forEach(look);
  return { parameters, changes };
}
