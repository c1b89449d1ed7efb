import type { Parsed, Problem, Range, Text, Written } from '../text.ts';

/** A schema.prisma, or one file of a schema folder: its blocks in the order they stand in it. */
export interface PrismaSchema {
  readonly blocks: readonly PrismaBlock[];
}

/** `datasource db { … }`, `generator client { … }`, `model User { … }`; only the first two have properties. */
export interface PrismaBlock {
  readonly kind: Written<string>;
  readonly name: Written<string>;
  readonly properties: ReadonlyMap<string, PrismaValue>;
}

/** The value of a property; `other` is a list, a number or whatever else. The range covers the value as written. */
export type PrismaValue =
  | { readonly kind: 'text'; readonly value: string; readonly range: Range }
  /** `env("NAME")` */
  | { readonly kind: 'env'; readonly name: string; readonly range: Range }
  | { readonly kind: 'other'; readonly range: Range };

const blank = /(?:\s|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))*/y;
const head = /(\w+)[ \t]+([\w-]+)[ \t]*\{/dy;
const assignment = /(\w+)[ \t]*=[ \t]*/y;
const text = /"((?:\\.|[^"\\\n])*)"/dy;
const variable = /env\(\s*"([^"\n]*)"\s*\)/y;
const restOfLine = /[^\n]*/y;
/** What may have a brace in it that counts for nothing. */
const skipped = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[{}]/g;

/** Reads a Prisma schema. https://www.prisma.io/docs/orm/prisma-schema/overview */
export function parsePrisma({ content }: Text): Parsed<PrismaSchema> {
  const blocks: PrismaBlock[] = [];
  const problems: Problem[] = [];
  for (let at = afterBlank(content, 0); at < content.length; at = afterBlank(content, at)) {
    const opened = match(head, content, at);
    if (!opened) {
      at = nextLine(content, at);
      continue;
    }
    const [kind, name] = [written(opened, 1), written(opened, 2)];
    const inside = at + opened[0].length;
    const hasProperties = kind.value === 'datasource' || kind.value === 'generator';
    const body = hasProperties
      ? propertiesAt(content, inside)
      : { properties: new Map<string, PrismaValue>(), end: endOfBody(content, inside) };
    blocks.push({ kind, name, properties: body.properties });
    if (body.end === undefined) problems.push({ range: kind.range, message: `${kind.value} ${name.value} has no closing brace` });
    at = body.end ?? content.length;
  }
  return { document: { blocks }, problems };
}

interface Body {
  readonly properties: ReadonlyMap<string, PrismaValue>;
  /** After the closing brace; undefined when there is none. */
  readonly end: number | undefined;
}

/** A line that is no assignment is passed over. */
function propertiesAt(content: string, inside: number): Body {
  const properties = new Map<string, PrismaValue>();
  for (let at = afterBlank(content, inside); at < content.length; at = afterBlank(content, at)) {
    if (content[at] === '}') return { properties, end: at + 1 };
    const assigned = match(assignment, content, at);
    if (assigned) {
      const value = valueAt(content, at + assigned[0].length);
      properties.set(assigned[1] ?? '', value);
      at = value.range.end;
    } else at = nextLine(content, at);
  }
  return { properties, end: undefined };
}

function valueAt(content: string, at: number): PrismaValue {
  const quoted = match(text, content, at);
  if (quoted) return { kind: 'text', value: (quoted[1] ?? '').replace(/\\(.)/g, '$1'), range: { start: at, end: at + quoted[0].length } };
  const read = match(variable, content, at);
  if (read) return { kind: 'env', name: read[1] ?? '', range: { start: at, end: at + read[0].length } };
  return { kind: 'other', range: { start: at, end: at + (match(restOfLine, content, at)?.[0].trimEnd().length ?? 0) } };
}

/** After the brace that closes a body. */
function endOfBody(content: string, inside: number): number | undefined {
  let depth = 1;
  skipped.lastIndex = inside;
  for (let found = skipped.exec(content); found; found = skipped.exec(content)) {
    if (found[0] === '{') depth++;
    if (found[0] === '}') depth--;
    if (depth === 0) return skipped.lastIndex;
  }
  return undefined;
}

function match(pattern: RegExp, content: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(content);
}

function written({ indices, ...groups }: RegExpExecArray, group: number): Written<string> {
  const [start, finish] = indices?.[group] ?? [0, 0];
  return { value: groups[group] ?? '', range: { start, end: finish } };
}

function afterBlank(content: string, at: number): number {
  return at + (match(blank, content, at)?.[0].length ?? 0);
}

function nextLine(content: string, at: number): number {
  const newline = content.indexOf('\n', at);
  return newline < 0 ? content.length : newline + 1;
}
