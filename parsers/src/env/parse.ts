import type { Parsed, Problem, Range, Text, Written } from '../text.ts';

/** A .env file: its assignments in the order they stand in it; of equal names the last one holds. */
export interface EnvDocument {
  readonly variables: readonly EnvVariable[];
}

export interface EnvVariable {
  readonly name: Written<string>;
  /** Without its quotes; the range covers what stands between them. */
  readonly value: Written<string>;
  /** `${NAME}` in it stands for another variable; in single quotes it does not. */
  readonly interpolated: boolean;
}

const blank = /(?:\s|#[^\n]*)*/y;
const assignment = /(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*/dy;
const quoted = /'((?:\\'|[^'])*)'|"((?:\\"|[^"])*)"|`((?:\\`|[^`])*)`/dy;
const unquoted = /[^#\r\n]*/y;
const restOfLine = /[^\n]*/y;

/** Reads a .env file by dotenv's rules: `export`, quotes that may span lines, comments. */
export function parseEnv(text: Text): Parsed<EnvDocument> {
  const variables: EnvVariable[] = [];
  const problems: Problem[] = [];
  const { content } = text;
  for (let at = endOf(blank, content, 0); at < content.length; at = endOf(blank, content, at)) {
    const end = endOf(restOfLine, content, at);
    const named = match(assignment, content, at);
    if (!named) {
      problems.push({ range: { start: at, end: at + content.slice(at, end).trimEnd().length }, message: 'not NAME=value' });
      at = end;
      continue;
    }
    const value = valueAt(content, at + named[0].length);
    variables.push({ name: { value: named[1] ?? '', range: rangeOf(named, 1) }, value: value.written, interpolated: value.interpolated });
    at = endOf(restOfLine, content, value.end);
  }
  return { document: { variables }, problems };
}

interface Value {
  readonly written: Written<string>;
  readonly interpolated: boolean;
  readonly end: number;
}

function valueAt(content: string, at: number): Value {
  const found = match(quoted, content, at);
  if (!found) {
    const value = content.slice(at, endOf(unquoted, content, at)).trimEnd();
    const range = { start: at, end: at + value.length };
    return { written: { value, range }, interpolated: true, end: range.end };
  }
  const index = [1, 2, 3].find((group) => found[group] !== undefined) ?? 0;
  const inside = found[index] ?? '';
  const isDouble = index === 2;
  const value = isDouble ? inside.replace(/\\([nr])/g, (_, letter) => (letter === 'n' ? '\n' : '\r')) : inside;
  return { written: { value, range: rangeOf(found, index) }, interpolated: isDouble, end: at + found[0].length };
}

function match(pattern: RegExp, content: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(content);
}

function endOf(pattern: RegExp, content: string, at: number): number {
  return at + (match(pattern, content, at)?.[0].length ?? 0);
}

function rangeOf({ indices, index }: RegExpExecArray, group: number): Range {
  const [start, end] = indices?.[group] ?? [index, index];
  return { start, end };
}
