import { isFunction, placeOfNode, propertyName } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree } from './module.ts';
import type { Use } from './handlers/origins.ts';
import type { Setting } from './setting.ts';
import { settingOf } from './settings.ts';
import type { Values } from './values.ts';

/** Processes that a module starts from itself, each of which loads what the first one loaded. */
export interface Forks {
  readonly count: Setting;
  /** What must hold besides being the first process; each may be unknown. */
  readonly conditions: readonly Setting[];
}

export interface ForkSources {
  readonly values: Values;
  usesOf(fn: FunctionNode): readonly Use[];
}

/** What starts workers of node:cluster in a module: `cluster.fork()` in a loop, throng. https://nodejs.org/api/cluster.html */
export function forksIn(module: Module, sources: ForkSources): readonly Forks[] {
  if (!/\b(cluster|throng)\b/.test(module.text.content)) return [];
  return module.nodes('CallExpression').flatMap((call): readonly Forks[] => {
    const callee = sources.values.exportOf(call.callee, module);
    if (callee?.package === 'throng') return [ofThrong(call, module, sources.values)];
    const isFork = callee && /^(node:)?cluster$/.test(callee.package) && /^(default\.)?fork$/.test(callee.path);
    return isFork ? forksAt(call, module, sources, 0) : [];
  });
}

/** https://github.com/hunterloftis/throng: the count was named `workers` before version 5. */
function ofThrong(call: TSESTree.CallExpression, module: Module, values: Values): Forks {
  const place = placeOfNode(module, call);
  const unknown: Forks = { count: { kind: 'unknown', place }, conditions: [] };
  const [first] = call.arguments;
  const object = first && values.object(first, module);
  if (!object) return unknown;
  const count = ['count', 'workers'].map((name) => values.property(object, name)).find((found) => found !== undefined);
  return count && count !== 'unknown' ? { count: settingOf(count.node, count.module, values), conditions: [] } : unknown;
}

const deepest = 3;

function forksAt(call: TSESTree.CallExpression, module: Module, sources: ForkSources, depth: number): readonly Forks[] {
  const { values, usesOf } = sources;
  const place = placeOfNode(module, call);
  const conditions: Setting[] = [];
  let count: Setting | undefined;
  let node: Node = call;
  for (let parent: Node | undefined = node.parent; parent; node = parent, parent = parent.parent) {
    if (parent.type === 'IfStatement' && node !== parent.test) {
      const inElse = node === parent.alternate;
      conditions.push(...conditionsOf(parent.test, module, values).map((test) => (inElse ? unknownAt(test) : test)));
    } else if (isLoop(parent)) {
      count = count ? unknownAt(count) : (boundOf(parent, module, values) ?? { kind: 'unknown', place });
    } else if (isFunction(parent)) {
      const around: Node = parent.parent;
      if (around.type === 'CallExpression' && around.callee !== parent) {
        const called = around.callee.type === 'MemberExpression' ? around.callee : undefined;
        const method = called && propertyName(called);
        // A worker that ended is replaced.
        if (method === 'on' || method === 'once') return [];
        if (called && (method === 'forEach' || method === 'map'))
          count = count ? unknownAt(count) : (lengthOf(called, module, values) ?? { kind: 'unknown', place });
        continue;
      }
      const calls = usesOf(parent).filter(({ position }) => position === undefined);
      if (calls.length === 0 || depth === deepest) break;
      const inner = count;
      return calls.flatMap((use) =>
        forksAt(use.call, use.module, sources, depth + 1).map((found) => ({
          count: inner ?? found.count,
          conditions: [...conditions, ...found.conditions],
        })),
      );
    }
  }
  return [{ count: count ?? { kind: 'literal', value: 1, place }, conditions }];
}

function unknownAt({ place }: Setting): Setting {
  return { kind: 'unknown', place };
}

function isLoop(node: Node): node is TSESTree.ForStatement | TSESTree.WhileStatement | TSESTree.ForOfStatement | TSESTree.ForInStatement {
  return ['ForStatement', 'WhileStatement', 'DoWhileStatement', 'ForOfStatement', 'ForInStatement'].includes(node.type);
}

/** `for (let i = 0; i < N; i++)`, `for (let i = 1; i <= N; i++)` */
function boundOf(loop: Node, module: Module, values: Values): Setting | undefined {
  if (loop.type !== 'ForStatement' || loop.test?.type !== 'BinaryExpression' || loop.init?.type !== 'VariableDeclaration') return undefined;
  if (loop.update?.type !== 'UpdateExpression' || loop.update.operator !== '++') return undefined;
  const start = loop.init.declarations[0]?.init;
  const first = start?.type === 'Literal' ? start.value : undefined;
  const { operator, right } = loop.test;
  return (operator === '<' && first === 0) || (operator === '<=' && first === 1) ? settingOf(right, module, values) : undefined;
}

/** `Array.from({ length: N }).forEach(…)`, `Array(N).fill().forEach(…)` */
function lengthOf({ object }: TSESTree.MemberExpression, module: Module, values: Values): Setting | undefined {
  let list: Node = object;
  while (list.type === 'CallExpression' && list.callee.type === 'MemberExpression' && propertyName(list.callee) === 'fill')
    list = list.callee.object;
  if (list.type !== 'CallExpression' && list.type !== 'NewExpression') return undefined;
  const [first] = list.arguments;
  const isArray = (node: Node) => node.type === 'Identifier' && node.name === 'Array' && !module.variableOf(node);
  if (first && isArray(list.callee)) return settingOf(first, module, values);
  if (list.callee.type !== 'MemberExpression' || propertyName(list.callee) !== 'from' || !isArray(list.callee.object)) return undefined;
  const length = first?.type === 'ObjectExpression' ? values.property({ node: first, module }, 'length') : undefined;
  return length && length !== 'unknown' ? settingOf(length.node, length.module, values) : undefined;
}

/** The parts of a test, joined by `&&`, that say more than which process this is. */
function conditionsOf(test: Node, module: Module, values: Values): readonly Setting[] {
  if (test.type === 'LogicalExpression' && test.operator === '&&')
    return [test.left, test.right].flatMap((part) => conditionsOf(part, module, values));
  const asked = test.type === 'UnaryExpression' && test.operator === '!' ? test.argument : test;
  const known = values.exportOf(asked, module);
  if (known && /^(node:)?cluster$/.test(known.package)) return [];
  return [settingOf(test, module, values)];
}
