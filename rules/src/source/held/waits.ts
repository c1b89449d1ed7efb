import { bare, enclosingFunction, isFunction, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import { ownReturns, visitBody } from '../functions.ts';
import { isCombinator, isRace } from '../promises.ts';
import { factTexts } from '../leases/facts.ts';
import { factsGiven } from '../leases/given.ts';
import { calledParameters } from '../remaking/calls.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import { reachedBy } from './reach.ts';

/** Answers what code waits for before it goes on or settles: calls, constructions and tagged templates, each with its whole chain. */
export class Waits {
  readonly #values: Values;
  readonly #known = new Map<FunctionNode, readonly Node[]>();
  readonly #ofCalls = new Map<readonly Node[], Map<string, readonly Node[]>>();

  constructor(values: Values) {
    this.#values = values;
  }

  /** What a function waits for, itself and in the callbacks that it waits for, before what it returns settles. */
  ofFunction({ node: fn, module }: Sited<FunctionNode>): readonly Node[] {
    const known = this.#known.get(fn);
    if (known) return known;
    this.#known.set(fn, []);
    const found = [...awaitedIn(fn), ...ownReturns(fn)].flatMap((node) => this.ofExpression(node, module));
    const waits = [...new Set(found)];
    this.#known.set(fn, waits);
    return waits;
  }

  /** What a function waits for when a call runs it, without the ways that the arguments rule out. The same ways give the same list. */
  ofCall(call: TSESTree.CallExpression, module: Module, fn: Sited<FunctionNode>): readonly Node[] {
    const waits = this.ofFunction(fn);
    const facts = factsGiven(call, module, fn, this.#values);
    if (facts.size === 0) return waits;
    const known = this.#ofCalls.get(waits) ?? new Map<string, readonly Node[]>();
    this.#ofCalls.set(waits, known);
    const key = factTexts(facts).join();
    const found = known.get(key) ?? reachedBy(waits, fn, facts);
    known.set(key, found);
    return found;
  }

  /** What is waited for by whoever waits for an expression. */
  ofExpression(node: Node, module: Module): readonly Node[] {
    const inner = bare(node);
    switch (inner.type) {
      case 'ConditionalExpression':
        return [inner.consequent, inner.alternate].flatMap((part) => this.ofExpression(part, module));
      case 'LogicalExpression':
        return [inner.left, inner.right].flatMap((part) => this.ofExpression(part, module));
      case 'Identifier':
        return this.#ofVariable(inner, module);
      case 'NewExpression':
      case 'TaggedTemplateExpression':
        return [inner];
      case 'CallExpression':
        return this.#ofCall(inner, module);
      default:
        return [];
    }
  }

  /** A promise that the same function made before. */
  #ofVariable(node: TSESTree.Identifier, module: Module): readonly Node[] {
    const at = this.#values.follow(node, module);
    const isOwn = at.node !== node && at.module === module && enclosingFunction(at.node) === enclosingFunction(node);
    return isOwn ? this.ofExpression(at.node, module) : [];
  }

  #ofCall(call: TSESTree.CallExpression, module: Module): readonly Node[] {
    const { callee } = call;
    if (isFunction(callee)) return this.ofFunction({ node: callee, module });
    if (callee.type === 'MemberExpression' && /^(then|catch|finally)$/.test(propertyName(callee) ?? '')) {
      return [...this.ofExpression(callee.object, module), ...this.#ofFunctionsIn(call.arguments, module)];
    }
    const [first] = call.arguments;
    if (isRace(call)) return [call];
    if (first && isCombinator(call)) return this.#ofList(first, module);
    const origin = this.#values.exportOf(callee, module);
    if (first && origin?.package === 'rxjs' && /^(first|last)ValueFrom$/.test(origin.path)) return this.ofExpression(first, module);
    return [call, ...this.#ofFunctionsIn(this.#calledBack(call, module), module)];
  }

  /** What each runner of a race waits for. */
  ofRunners({ arguments: [list] }: TSESTree.CallExpression, module: Module): readonly (readonly Node[])[] {
    const runners = list?.type === 'ArrayExpression' ? list.elements : [];
    return runners.map((runner) => (runner ? this.ofExpression(runner, module) : []));
  }

  /** `[a(), b()]`, or `list.map(f)`. */
  #ofList(list: Node, module: Module): readonly Node[] {
    const { node } = this.#values.follow(list, module);
    if (node.type === 'ArrayExpression') return node.elements.flatMap((element) => (element ? this.ofExpression(element, module) : []));
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || propertyName(node.callee) !== 'map') return [];
    return this.#ofFunctionsIn(node.arguments, module);
  }

  #ofFunctionsIn(nodes: readonly Node[], module: Module): readonly Node[] {
    return nodes.flatMap((node) => (isFunction(node) ? this.ofFunction({ node, module }) : []));
  }

  /** The arguments that a function of the root, or a scoped one of a driver, calls. */
  #calledBack(call: TSESTree.CallExpression, module: Module): readonly Node[] {
    if (!call.arguments.some(isFunction)) return [];
    const method = this.#values.methodOf(call, module)?.method;
    const isScoped = method?.does === 'scoped' || (method?.does === 'acquire' && method.orScoped === true);
    const fn = isScoped ? undefined : this.#values.calledFunction(call, module);
    const called = fn && calledParameters(fn, this.#values);
    return call.arguments.filter((_argument, index) => isScoped || called?.has(index));
  }
}

function awaitedIn(fn: FunctionNode): readonly Node[] {
  const awaited: Node[] = [];
  visitBody(fn, (node) => {
    if (node.type === 'AwaitExpression') awaited.push(node.argument);
    if (node.type === 'ForOfStatement' && node.await) awaited.push(node.right);
  });
  return awaited;
}

/** The calls and tags of a chain, the last first: `a().b().c()`, `a().b()`, `a()`. */
export function chainOf(node: Node): readonly Node[] {
  const links: Node[] = [];
  for (let at: Node | undefined = bare(node); at; at = objectOf(at)) links.push(at);
  return links;
}

function objectOf(node: Node): Node | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const object = bare(node.callee.object);
  return object.type === 'CallExpression' || object.type === 'TaggedTemplateExpression' ? object : undefined;
}

/** Whether any of some variables is named inside a node. */
export function mentionsAny(node: Node, names: readonly Variable[]): boolean {
  const isInside = ({ range: [start, end] }: Node) => node.range[0] <= start && end <= node.range[1];
  return names.some(({ references }) => references.some(({ identifier }) => isInside(identifier)));
}
