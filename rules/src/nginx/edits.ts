import type { Directive, Word } from '@poolcheck/parsers/nginx/document';
import type { Edit } from '../finding.ts';

/** Statements behind a directive: on lines of their own when the directive has one. */
export function addAfter({ text, range }: Directive, statements: readonly string[]): Edit {
  const indent = indentBefore(text.content, range.start);
  const separator = indent === undefined ? ' ' : `\n${indent}`;
  return { text, range: { start: range.end, end: range.end }, insert: statements.map((statement) => separator + statement).join('') };
}

/** Statements, a line each, before a directive. */
export function addBefore({ text, range }: Directive, statements: readonly string[]): Edit {
  const indent = indentBefore(text.content, range.start);
  const insert = indent === undefined ? `${statements.join(' ')} ` : statements.map((line) => `${line}\n${indent}`).join('');
  return { text, range: { start: range.start, end: range.start }, insert };
}

export function replaceWord({ text }: Directive, { range }: Word, insert: string): Edit {
  return { text, range, insert };
}

/** Takes a directive away, with its line when it has one. */
export function remove({ text, range }: Directive): Edit {
  const indent = indentBefore(text.content, range.start);
  const endsLine = /^[ \t]*\r?\n/.exec(text.content.slice(range.end))?.[0];
  if (indent === undefined || endsLine === undefined) return { text, range, insert: '' };
  return { text, range: { start: range.start - indent.length, end: range.end + endsLine.length }, insert: '' };
}

/** Each edit once: several fixes may want the same. */
export function distinct(edits: readonly Edit[]): readonly Edit[] {
  return [...new Map(edits.map((edit) => [`${edit.text.path}:${edit.range.start}:${edit.range.end}:${edit.insert}`, edit])).values()];
}

/** The white space that a line begins with; undefined when something else stands before. */
function indentBefore(content: string, start: number): string | undefined {
  const before = content.slice(content.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t]*$/.test(before) ? before : undefined;
}
