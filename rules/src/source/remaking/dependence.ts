import { childrenOf } from '@poolcheck/parsers/javascript/parse';
import type { Call } from './calls.ts';
import { enclosingFunction, isFunction, propertyName } from '../module.ts';
import type { Module, Node, TSESTree, Variable } from '../module.ts';
import type { Unit } from '../units.ts';
import { parameterOf } from '../bindings.ts';

/** What makes some expressions differ from one run of a unit to the next. */
export interface Dependence {
  /** The unit's parameters that they are made from. */
  readonly parameters: ReadonlySet<number>;
  /** Something else that differs: what a loop goes through, what a function around was given. */
  readonly changes: boolean;
}

/** What some expressions of a unit depend on. What a function call gives is taken to be the same each time. */
export function dependenceOf(nodes: readonly Node[], unit: Unit, module: Module): Dependence {
  const reader = new Reader(unit, module);
  for (const node of nodes) reader.look(node);
  return reader;
}

/** What the arguments of a call depend on that a dependence of its callee comes from. What a function call gives may differ here. */
export function dependenceAt({ from, node, asCallback }: Call, { parameters, changes }: Dependence): Dependence {
  if (!node || parameters.size === 0 || changes) return { parameters: new Set(), changes };
  const given = asCallback ? elementsGiven(node, parameters) : argumentsGiven(node, parameters);
  if (!given) return { parameters: new Set(), changes: true };
  const reader = new Reader(from.node, from.module);
  for (const argument of given) reader.look(argument);
  return { parameters: reader.parameters, changes: reader.changes || reader.computed };
}

function argumentsGiven({ arguments: given }: NonNullable<Call['node']>, parameters: ReadonlySet<number>): readonly Node[] | undefined {
  if (given.some(({ type }) => type === 'SpreadElement')) return undefined;
  return [...parameters].flatMap((index) => given[index] ?? []);
}

/** What `list.map((element) => …)` gives its callback: elements of the list. */
function elementsGiven({ callee }: NonNullable<Call['node']>, parameters: ReadonlySet<number>): readonly Node[] | undefined {
  const goesThrough = callee.type === 'MemberExpression' && /^(map|forEach|filter|flatMap)$/.test(propertyName(callee) ?? '');
  return goesThrough && [...parameters].every((index) => index === 0) ? [callee.object] : undefined;
}

/** Methods of texts and lists that give the same for the same. */
const pure =
  /^(split|map|filter|flatMap|trim|slice|concat|replace|replaceAll|toLowerCase|toUpperCase|toString|join|sort|flat|keys|values|entries)$/;

class Reader implements Dependence {
  readonly parameters = new Set<number>();
  changes = false;
  /** A part comes from a function call, or is put together later. */
  computed = false;
  readonly #seen = new Set<Variable>();
  readonly #unit: Unit;
  readonly #module: Module;

  constructor(unit: Unit, module: Module) {
    this.#unit = unit;
    this.#module = module;
  }

  look(node: Node): void {
    switch (node.type) {
      case 'Identifier': {
        const variable = this.#module.variableOf(node);
        if (variable && !this.#seen.has(variable)) this.#lookInto(variable);
        return;
      }
      case 'MemberExpression':
        this.look(node.object);
        if (node.computed) this.look(node.property);
        return;
      case 'Property':
        if (node.computed) this.look(node.key);
        this.look(node.value);
        return;
      case 'CallExpression':
      case 'NewExpression':
      case 'AwaitExpression':
        if (!isPure(node)) this.computed = true;
        break;
      case 'ArrayExpression':
        // An empty list is filled later.
        if (node.elements.length === 0) this.computed = true;
        break;
      default:
    }
    if (!isFunction(node)) for (const child of childrenOf(node)) this.look(child);
  }

  #lookInto(variable: Variable): void {
    this.#seen.add(variable);
    const [definition] = variable.defs;
    const [declared] = variable.identifiers;
    const home = declared && enclosingFunction(declared);
    if (!definition || !home) return;
    if (definition.type === 'Parameter') {
      const index = parameterOf(definition.name)?.index;
      if (home === this.#unit && index !== undefined) this.parameters.add(index);
      else this.changes = true;
    } else if (definition.type === 'Variable') {
      const loop = definition.node.parent.parent;
      if (loop.type === 'ForOfStatement' || loop.type === 'ForInStatement') this.#lookThrough(loop.right);
      for (const { writeExpr } of variable.references) if (writeExpr) this.look(writeExpr);
    }
  }

  /** Elements of a list that a function call gives differ. */
  #lookThrough(list: Node): void {
    const reader = new Reader(this.#unit, this.#module);
    reader.look(list);
    for (const index of reader.parameters) this.parameters.add(index);
    this.changes ||= reader.changes || reader.computed;
  }
}

function isPure(node: TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.AwaitExpression): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && pure.test(propertyName(node.callee) ?? '');
}
