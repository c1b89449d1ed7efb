import { visitorKeys } from '@typescript-eslint/visitor-keys';
import type { TSESTree } from '@typescript-eslint/types';
import { parseSync } from 'oxc-parser';
import type { Parsed, Problem, Text } from '../text.ts';
import { nestsTooDeeply } from './nesting.ts';

export type Node = TSESTree.Node;

const language: Readonly<Record<string, 'jsx' | 'ts' | 'tsx' | 'dts'>> = {
  js: 'jsx',
  mjs: 'jsx',
  cjs: 'jsx',
  jsx: 'jsx',
  ts: 'ts',
  mts: 'ts',
  cts: 'ts',
  tsx: 'tsx',
};

const tooDeep = 'This file is nested too deeply to be analysed.';

/** Whether a path names a TypeScript or JavaScript module. */
export function isJavaScript(path: string): boolean {
  return Object.hasOwn(language, extensionOf(path));
}

/** A TS-ESTree program with parents set; an empty one, and a problem, when the file does not parse. */
export function parseJavaScript(text: Text): Parsed<TSESTree.Program> {
  const lang = /\.d\.[cm]?ts$/.test(text.path) ? 'dts' : (language[extensionOf(text.path)] ?? 'ts');
  if (nestsTooDeeply(text.content, { jsx: lang === 'jsx' || lang === 'tsx' })) return unreadable(tooDeep);
  const result = parseSync(text.path, text.content, {
    lang,
    range: true,
    preserveParens: false,
    astType: 'ts',
  });
  const program = result.program as unknown as TSESTree.Program;
  const error = result.errors.find(({ severity }) => severity === 'Error');
  if (error) return unreadable(`This file does not parse: ${error.message}`, error.labels[0]);
  return setParents(program) ? { document: program, problems: [] } : unreadable(tooDeep);
}

function unreadable(message: string, at: { start: number; end: number } = { start: 0, end: 0 }): Parsed<TSESTree.Program> {
  const { program } = parseSync('empty.ts', '', { range: true, astType: 'ts' });
  const problem: Problem = { range: { start: at.start, end: at.end }, message };
  return { document: program as unknown as TSESTree.Program, problems: [problem] };
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** The nodes directly below a node, in source order. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const key of visitorKeys[node.type] ?? []) {
    const value: unknown = node[key as keyof Node];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Deeper trees could exhaust the stack of what walks them. */
const deepest = 1500;

/** Answers whether the tree is shallow enough to be walked. */
function setParents(root: Node): boolean {
  let level: Node[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return false;
    level = level.flatMap((node) => {
      const children = childrenOf(node);
      for (const child of children) child.parent = node;
      return children;
    });
  }
  return true;
}

/** Every node of a tree, parents first; `enter` returning false leaves a subtree out. */
export function walk(root: Node, enter: (node: Node) => unknown): void {
  if (enter(root) === false) return;
  for (const child of childrenOf(root)) walk(child, enter);
}
