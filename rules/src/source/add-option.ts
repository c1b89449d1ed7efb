import type { Fix } from '../finding.ts';
import type { Module, TSESTree } from './module.ts';
import type { PoolSite } from './pools.ts';

/** An option added to the object that a construction is given in place. */
export function addOption({ node, module }: PoolSite, option: string, value: number): readonly Fix[] {
  const [argument] = node.arguments;
  const written = `${option}: ${String(value).replace(/\B(?=(\d{3})+$)/, '_')}`;
  const at = argument ? intoObject(argument, written, module) : { start: node.range[1] - 1, insert: `{ ${written} }` };
  if (!at) return [];
  const edits = [{ text: module.text, range: { start: at.start, end: at.start }, insert: at.insert }];
  return [{ title: `Set ${option}`, safe: false, edits }];
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
