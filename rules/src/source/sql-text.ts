import type { SqlPiece } from '@poolcheck/parsers/sql/source';
import type { Range } from '@poolcheck/parsers/text';
import { writesSql } from '../knowledge/sql-text.ts';
import { bare } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

/** SQL as one module writes it down. */
export interface WrittenSql {
  readonly module: Module;
  readonly pieces: readonly SqlPiece[];
}

/** What an expression says in SQL: one text, or one for each way that its conditions can turn out. Empty when nothing of it is known. */
export function writtenSql(argument: Node, module: Module, textKey: string | undefined, values: Values): readonly WrittenSql[] {
  return alternatives(argument, module, textKey, values).flatMap((at) => {
    const pieces = piecesOf(at.node, at.module, values);
    return pieces.some(({ kind }) => kind === 'sql') ? [{ module: at.module, pieces }] : [];
  });
}

/** The expressions that may hold the SQL: what the argument stands for, or the text property of a query object. */
function alternatives(argument: Node, module: Module, textKey: string | undefined, values: Values, depth = 0): readonly Sited[] {
  const at = values.follow(argument, module);
  const either = (...nodes: readonly Node[]) => nodes.flatMap((node) => alternatives(node, at.module, textKey, values, depth + 1));
  if (depth > 3) return [];
  switch (at.node.type) {
    case 'ConditionalExpression':
      return either(at.node.consequent, at.node.alternate);
    case 'LogicalExpression':
      return at.node.operator === '&&' ? either(at.node.right) : either(at.node.left, at.node.right);
    case 'ObjectExpression': {
      const text = textKey === undefined ? undefined : values.property({ node: at.node, module: at.module }, textKey);
      return text === 'unknown' || !text ? [] : alternatives(text.node, text.module, undefined, values, depth + 1);
    }
    default:
      return [at];
  }
}

function piecesOf(node: Node, module: Module, values: Values): readonly SqlPiece[] {
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
      return piecesOf(inner.quasi, module, values);
    case 'CallExpression': {
      const text = textGivenTo(inner, module, values);
      return text ? inlined(text, module, values) : [holeAt(inner)];
    }
    default:
      return [holeAt(inner)];
  }
}

/** `sql.raw(text)` */
function textGivenTo(call: TSESTree.CallExpression, module: Module, values: Values): Node | undefined {
  const made = values.exportOf(call.callee, module);
  return made && writesSql(made.package, made.path) ? call.arguments[0] : undefined;
}

/** An expression inside SQL: more SQL when it is a constant, else a hole. */
function inlined(node: Node, module: Module, values: Values): readonly SqlPiece[] {
  const at = values.follow(node, module);
  if (!isText(at.node)) return [holeAt(node)];
  const pieces = piecesOf(at.node, at.module, values);
  return at.module === module ? pieces : pieces.map((piece) => ({ ...piece, range: rangeOf(node) }));
}

function isText({ type }: Node): boolean {
  return type === 'Literal' || type === 'TemplateLiteral' || type === 'BinaryExpression';
}

function holeAt(node: Node): SqlPiece {
  return { kind: 'hole', range: rangeOf(node) };
}

function rangeOf({ range }: Node): Range {
  return { start: range[0], end: range[1] };
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
