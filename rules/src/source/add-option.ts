import type { Fix } from '../finding.ts';
import type { Module, TSESTree } from './module.ts';
import type { Construction } from './pool-options.ts';
import type { PoolSite } from './pools.ts';

/** An option added to the object that a construction is given in place. */
export function addOption({ configured: { node, module }, options }: PoolSite, option: string, value: number): readonly Fix[] {
  const argument = node.arguments[options.argument];
  const written = `${option}: ${String(value).replace(/\B(?=(\d{3})+$)/, '_')}`;
  const at = argument ? intoObject(argument, written, module) : asArgument(node, options.argument, module, written);
  if (!at) return [];
  const edits = [{ text: module.text, range: { start: at.start, end: at.start }, insert: at.insert }];
  return [{ title: `Set ${option}`, safe: false, edits }];
}

function asArgument(node: Construction, position: number, { text }: Module, written: string) {
  const [, end] = node.range;
  const isNext = node.arguments.length === position && !/,\s*\)$/.test(text.content.slice(node.range[0], end));
  return isNext ? { start: end - 1, insert: `${position > 0 ? ', ' : ''}{ ${written} }` } : undefined;
}

function intoObject(
  argument: TSESTree.CallExpressionArgument,
  written: string,
  { text }: Module,
): { start: number; insert: string } | undefined {
  if (argument.type !== 'ObjectExpression') return undefined;
  const [first] = argument.properties;
  if (!first) return { start: argument.range[0] + 1, insert: ` ${written} ` };
  const [start] = first.range;
  const blank = text.content.slice(argument.range[0] + 1, start);
  return { start, insert: `${written},${blank.includes('\n') ? blank : ' '}` };
}
