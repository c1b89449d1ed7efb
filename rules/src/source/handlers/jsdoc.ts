import type { FunctionNode, Module, Node } from '../module.ts';
import type { Origin } from './origins.ts';

/** The type that JSDoc gives a function: `@type {import('aws-lambda').Handler}`. */
export function documentedType(fn: FunctionNode, module: Module): Origin | undefined {
  return documented(fn, module).find(({ tag }) => tag === 'type')?.origin;
}

/** The type that JSDoc gives a parameter: `@param {import('fastify').FastifyInstance} app`. */
export function documentedParameter(fn: FunctionNode, index: number, module: Module): Origin | undefined {
  const parameter = fn.params[index];
  if (parameter?.type !== 'Identifier') return undefined;
  return documented(fn, module).find(({ tag, name }) => tag === 'param' && name === parameter.name)?.origin;
}

interface Documented {
  readonly tag: string;
  readonly name: string;
  readonly origin: Origin;
}

const importedType = /@(type|param)\s*\{\s*import\(\s*['"](?:@types\/)?([^'"\n]+)['"]\s*\)\.(\w+)[^}\n]*\}\s*\[?([\w$]*)/g;

function documented(fn: FunctionNode, module: Module): readonly Documented[] {
  return Array.from(commentBefore(fn, module).matchAll(importedType), ([, tag = '', from = '', type = '', name = '']) => ({
    tag,
    name,
    origin: { package: from, path: `:${type}` },
  }));
}

/** Longer comments are not read. */
const longest = 4000;

/** The JSDoc comment right before a function, or before the statement that it is the value of. */
function commentBefore(fn: FunctionNode, { text: { content } }: Module): string {
  const [at] = statementOf(fn).range;
  const end = content.slice(Math.max(0, at - longest), at).trimEnd();
  const start = end.endsWith('*/') ? end.lastIndexOf('/*') : -1;
  return start !== -1 && end.startsWith('/**', start) ? end.slice(start) : '';
}

function statementOf(node: Node): Node {
  switch (node.parent?.type) {
    case 'VariableDeclarator':
    case 'VariableDeclaration':
    case 'AssignmentExpression':
    case 'ExpressionStatement':
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
    case 'MethodDefinition':
    case 'Property':
      return statementOf(node.parent);
    default:
      return node;
  }
}
