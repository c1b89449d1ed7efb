import type { Parsed, Problem, Range, Text } from '../text.ts';
import { contextOf } from './context.ts';
import type { Block, Directive, Include, Level, NginxDocument } from './document.ts';
import { isEntryBlock, isLuaBlock, needsBlock } from './grammar.ts';
import { Tokenizer, type Statement } from './tokenize.ts';

/** The files that an include's pattern, given as written, names, in nginx's order; undefined when that cannot be said. */
export type IncludeFiles = (pattern: string) => readonly Text[] | undefined;

/** Reads a configuration, or a piece of one, together with the files that it includes. */
export function parseNginx(text: Text, include: IncludeFiles = () => undefined): Parsed<NginxDocument> {
  const run: Run = { include, includes: [], problems: [], budget: mostIncluded };
  const { level, problems } = new FileParser(text, run, []).parse('directives');
  const document = { ...level, text, context: contextOf(level.directives), includes: run.includes };
  return { document, problems: [...problems, ...run.problems] };
}

const deepest = 64;
const longestChain = 16;
/** Characters of all included files together; each counts at least `smallestFile`. */
const mostIncluded = 10_000_000;
const smallestFile = 1_000;

/** What the files of one configuration share. */
interface Run {
  readonly include: IncludeFiles;
  readonly includes: Include[];
  /** Those of the included files. */
  readonly problems: Problem[];
  budget: number;
}

type Kind = Block['kind'];

class FileParser {
  readonly #text: Text;
  readonly #run: Run;
  /** The files that include this one, the outermost first. */
  readonly #chain: readonly Text[];
  readonly #tokens: Tokenizer;

  constructor(text: Text, run: Run, chain: readonly Text[]) {
    this.#text = text;
    this.#run = run;
    this.#chain = chain;
    this.#tokens = new Tokenizer(text.content);
  }

  parse(kind: Kind): { readonly level: Level; readonly problems: readonly Problem[] } {
    const { level } = this.#level(kind, undefined, 0);
    return { level, problems: problemsOf(this.#tokens) };
  }

  /** The directives up to the end of the block that `head` opens, or of the file, and where that end stands. */
  #level(kind: Kind, head: Statement | undefined, depth: number): { readonly level: Level; readonly end: number } {
    const directives: Directive[] = [];
    let complete = true;
    for (;;) {
      const statement = this.#tokens.next();
      complete &&= !statement.afterHole;
      if (this.#isEnd(statement, head)) return { level: { directives, complete }, end: statement.range.start };
      const directive = this.#directive(statement, kind, depth);
      if (!directive) continue;
      directives.push(directive);
      if (directive.name.value !== 'include' || directive.block) continue;
      const included = this.#include(directive, kind);
      for (const each of included.directives) directives.push(each);
      complete &&= included.complete;
    }
  }

  #isEnd({ terminator, range }: Statement, head: Statement | undefined): boolean {
    if (terminator === '}' && !head) this.#tokens.refuse(range, 'unexpected "}"');
    if (terminator === 'end of file' && head) {
      this.#tokens.refuse(headRange(head), 'unexpected end of file: the block opened here is never closed');
    }
    return terminator === 'end of file' || (terminator === '}' && head !== undefined);
  }

  #directive(statement: Statement, kind: Kind, depth: number): Directive | undefined {
    const [name, ...args] = statement.words;
    const opens = statement.terminator === '{';
    if (opens && kind === 'entries') this.#tokens.refuse(lastCharacter(statement.range), 'unexpected "{"');
    const block = opens ? this.#block(statement, depth + 1) : undefined;
    if (!name) return undefined;
    if (!opens && kind === 'directives' && needsBlock(name.value)) {
      this.#tokens.refuse(name.range, `directive "${name.value}" has no opening "{"`);
    }
    const range = { start: statement.range.start, end: block ? block.range.end + 1 : statement.range.end };
    return { text: this.#text, name, args, range: withinText(range, this.#text), ...(block && { block }) };
  }

  #block(head: Statement, depth: number): Block {
    const start = head.range.end;
    const name = head.words[0]?.value ?? '';
    if (isLuaBlock(name)) return { kind: 'raw', range: { start, end: this.#tokens.skipLua() }, directives: [], complete: true };
    if (depth > deepest) return { kind: 'directives', range: { start, end: this.#skipBlock(head) }, directives: [], complete: false };
    const kind = isEntryBlock(name) ? 'entries' : 'directives';
    const { level, end } = this.#level(kind, head, depth);
    return { ...level, kind, range: { start, end } };
  }

  /** Goes to the end of a block that is nested too deeply to be read. */
  #skipBlock(head: Statement): number {
    this.#tokens.problems.push({ range: headRange(head), message: `blocks nested deeper than ${deepest} levels are not read` });
    for (let depth = 1; ;) {
      const { terminator, range } = this.#tokens.next();
      if (terminator === '{') depth++;
      if (terminator === '}') depth--;
      if (depth === 0 || terminator === 'end of file') return range.start;
    }
  }

  #include(directive: Directive, kind: Kind): Level {
    const [pattern] = directive.args;
    if (!pattern || pattern.hole) return { directives: [], complete: false };
    const files = this.#run.include(pattern.value);
    if (!files) {
      this.#tokens.problems.push({ range: directive.range, message: `include "${pattern.value}": no such file in this project` });
      return { directives: [], complete: false };
    }
    const levels = files.map((file) => this.#file(file, directive, kind));
    return { directives: levels.flatMap((level) => level.directives), complete: levels.every((level) => level.complete) };
  }

  #file(file: Text, directive: Directive, kind: Kind): Level {
    const chain = [...this.#chain, this.#text];
    this.#run.budget -= Math.max(file.content.length, smallestFile);
    if (chain.length > longestChain || this.#run.budget < 0 || chain.some((outer) => isSame(outer, file))) {
      this.#tokens.problems.push({ range: directive.range, message: `include of ${file.path}: it includes itself, or includes too much` });
      return { directives: [], complete: false };
    }
    this.#run.includes.push({ directive, text: file });
    const { level, problems } = new FileParser(file, this.#run, chain).parse(kind);
    for (const problem of problems) this.#run.problems.push({ ...problem, text: file });
    return level;
  }
}

/** Around the holes of a template engine nothing can be said of the syntax; a variable leaves it as it is. */
function problemsOf({ problems, holes }: Tokenizer): readonly Problem[] {
  const [hole] = holes;
  if (!hole) return problems;
  const unrendered = {
    range: { start: hole.start, end: hole.end },
    message: 'template left unrendered: what stands in its holes is unknown',
  };
  return holes.every(({ kind }) => kind === 'variable') ? [...problems, unrendered] : [unrendered];
}

function isSame(a: Text, b: Text): boolean {
  return a.path === b.path && a.content === b.content;
}

function headRange({ words, range }: Statement): Range {
  return words[0]?.range ?? range;
}

function lastCharacter({ end }: Range): Range {
  return { start: end - 1, end };
}

/** A block that is never closed ends where the text ends. */
function withinText({ start, end }: Range, { content }: Text): Range {
  return { start, end: Math.min(end, content.length) };
}
