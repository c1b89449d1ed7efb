import type { Parsed, Problem, Text, Written } from '../text.ts';

/** `pool_size 10`, or `database "shop" { … }`. */
export interface OdysseyEntry {
  readonly name: Written<string>;
  readonly values: readonly OdysseyValue[];
  /** undefined: it has none. */
  readonly block: readonly OdysseyEntry[] | undefined;
}

export interface OdysseyValue extends Written<string> {
  /** `default` is a word, "default" a name. */
  readonly isQuoted: boolean;
}

/** https://github.com/yandex/odyssey/blob/master/docs/configuration/README.md; what a file includes is not in it. */
export interface OdysseyConf {
  readonly entries: readonly OdysseyEntry[];
  readonly complete: boolean;
}

const maxDepth = 20;
const token = /#[^\n]*|\n|[{}]|"(?:[^"\\\n]|\\.)*"|[^\s{}"#]+|"/gy;

export function parseOdyssey(text: Text): Parsed<OdysseyConf> {
  const reader = new Reader(text);
  const entries = reader.block(0);
  return { document: { entries, complete: !entries.some(({ name }) => name.value === 'include') }, problems: reader.problems };
}

class Reader {
  readonly problems: Problem[] = [];
  readonly #tokens: readonly Written<string>[];
  #at = 0;

  constructor({ content }: Text) {
    this.#tokens = Array.from(spaced(content), ({ 0: value, index }) => ({
      value,
      range: { start: index, end: index + value.length },
    })).filter(({ value }) => !value.startsWith('#'));
  }

  /** The entries up to the brace that closes the block, or to the end of the file. */
  block(depth: number): readonly OdysseyEntry[] {
    const entries: OdysseyEntry[] = [];
    for (let next = this.#next(); next; next = this.#next()) {
      if (next.value === '\n') continue;
      if (next.value === '}') {
        if (depth > 0) return entries;
        this.#complain(next, 'a brace that closes nothing');
      } else if (next.value === '{' || next.value.startsWith('"')) this.#complain(next, 'a name is missing before this');
      else entries.push(this.#entry(next, depth));
    }
    const last = this.#tokens.at(-1);
    if (depth > 0 && last) this.#complain(last, 'a brace is never closed');
    return entries;
  }

  #entry(name: Written<string>, depth: number): OdysseyEntry {
    const values: OdysseyValue[] = [];
    for (let next = this.#tokens[this.#at]; next && next.value !== '\n' && next.value !== '}'; next = this.#tokens[this.#at]) {
      this.#at++;
      if (next.value === '{') {
        if (depth < maxDepth) return { name, values, block: this.block(depth + 1) };
        this.#complain(next, 'nested too deeply to be read');
        this.#at = this.#tokens.length;
      } else if (next.value === '"') this.#complain(next, 'a quote is never closed');
      else values.push(valueOf(next));
    }
    return { name, values, block: undefined };
  }

  #next(): Written<string> | undefined {
    return this.#tokens[this.#at++];
  }

  #complain({ range }: Written<string>, message: string): void {
    this.problems.push({ range, message, fatal: true });
  }
}

function* spaced(content: string): Iterable<RegExpExecArray> {
  for (let at = 0; at < content.length;) {
    token.lastIndex = at;
    const match = token.exec(content);
    if (match) yield match;
    at = match ? at + match[0].length : at + 1;
  }
}

function valueOf({ value, range }: Written<string>): OdysseyValue {
  const isQuoted = value.startsWith('"');
  return { value: isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value, range, isQuoted };
}
