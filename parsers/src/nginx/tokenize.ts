import type { Problem, Range } from '../text.ts';
import type { Word } from './document.ts';
import { findHoles, formatFieldAt, type Hole } from './holes.ts';
import { endOfLua } from './lua.ts';

/** Words up to what ends them: a simple directive, the head of a block or, without words, the end of a block or of the file. */
export interface Statement {
  readonly words: readonly Word[];
  readonly terminator: Terminator;
  /** From the first word to the terminator. */
  readonly range: Range;
  /** A template hole that may write directives, or make some conditional, stood before it. */
  readonly afterHole: boolean;
}

export type Terminator = ';' | '{' | '}' | 'end of file';

/** nginx reads through a buffer of this many bytes; a word or a comment must fit into it together with the character that ends it. */
const bufferSize = 4096;

const mostProblems = 50;

/** Reads a file statement by statement as nginx does (`ngx_conf_read_token`), and goes on after what nginx refuses. */
export class Tokenizer {
  readonly problems: Problem[] = [];
  /** The holes that were met, comments and Lua left aside. */
  readonly holes: Hole[] = [];

  readonly #content: string;
  readonly #holeAt: ReadonlyMap<number, Hole>;
  #at = 0;

  constructor(content: string) {
    this.#content = content;
    this.#holeAt = findHoles(content);
  }

  next(): Statement {
    const words: Word[] = [];
    let afterHole = false;
    for (;;) {
      afterHole = this.#skipBlank(words.length === 0) || afterHole;
      const char = this.#content[this.#at];
      if (isTerminator(char) && !this.#bareHole()) {
        if (words.length > 0 || char !== ';') return { words, ...this.#end(words, char), afterHole };
        this.refuse(this.#oneChar(), 'unexpected ";"');
        this.#at++;
      } else {
        words.push(this.#word());
      }
    }
  }

  /** Skips the body of a Lua block whose opening brace was just read, and gives the offset of its closing brace. */
  skipLua(): number {
    const opened = this.#at;
    const end = endOfLua(this.#content, opened);
    if (end === undefined)
      this.refuse({ start: opened - 1, end: opened }, 'unexpected end of file: the Lua block opened here is never closed');
    this.#at = end === undefined ? this.#content.length : end + 1;
    return end ?? this.#at;
  }

  /** Notes what nginx would not start with. After a few, more would only say it again. */
  refuse(range: Range, message: string): void {
    if (this.problems.length < mostProblems) this.problems.push({ range, message, fatal: true });
  }

  #end(words: readonly Word[], char: string | undefined): Pick<Statement, 'terminator' | 'range'> {
    const start = words[0]?.range.start ?? this.#at;
    if (words.length > 0 && (char === undefined || char === '}')) {
      this.#refuseUnended(words, char);
      return { terminator: ';', range: { start, end: words.at(-1)?.range.end ?? this.#at } };
    }
    if (words.length === 0 && char === '{') this.refuse(this.#oneChar(), 'unexpected "{"');
    if (char !== undefined) this.#at++;
    return { terminator: terminatorOf(char), range: { start, end: this.#at } };
  }

  #refuseUnended(words: readonly Word[], char: string | undefined): void {
    const last = words.at(-1);
    const range = last ? { start: last.range.end - 1, end: last.range.end } : this.#oneChar();
    if (char === '}') this.refuse(range, 'unexpected "}": the directive before it is not ended by ";"');
    else if (!this.#problemAtEnd()) this.refuse(range, 'unexpected end of file, expecting ";" or "}"');
  }

  /** A quote that is never closed was already said to be. */
  #problemAtEnd(): boolean {
    return this.problems.at(-1)?.range.end === this.#content.length;
  }

  /** Skips white space, comments and the holes that write no word. Says whether there was such a hole. */
  #skipBlank(atStart: boolean): boolean {
    let holed = false;
    for (;;) {
      const hole = this.#bareHole();
      const char = this.#content[this.#at];
      if (hole && (hole.kind === 'control' || (hole.alone && atStart))) {
        this.#enter(hole);
        holed = true;
      } else if (char === '#') {
        this.#comment();
      } else if (isSpace(char)) {
        this.#at++;
      } else {
        return holed;
      }
    }
  }

  #comment(): void {
    const start = this.#at;
    const lineEnd = this.#content.indexOf('\n', start);
    this.#at = lineEnd < 0 ? this.#content.length : lineEnd + 1;
    this.#refuseTooLong(start, this.#at);
  }

  #word(): Word {
    const char = this.#content[this.#at];
    return char === '"' || char === "'" ? this.#quoted(char) : this.#bare();
  }

  #quoted(quote: string): Word {
    const start = this.#at++;
    const hole = this.#advance(
      () => this.#holeAt.get(this.#at),
      (char) => char === quote,
    );
    const closed = this.#at < this.#content.length;
    const value = unescape(this.#content.slice(start + 1, this.#at));
    if (closed) this.#at++;
    else this.refuse({ start, end: this.#at }, 'unexpected end of file: the quote opened here is never closed');
    this.#refuseTooLong(start + 1, this.#at + 1);
    this.#refuseGlued();
    return { value, range: { start, end: this.#at }, hole };
  }

  /** After a closing quote only a separator may follow. */
  #refuseGlued(): void {
    const next = this.#content[this.#at];
    if (next === undefined || isSpace(next) || next === ';' || next === '{' || next === ')' || this.#holeAt.has(this.#at)) return;
    this.refuse(this.#oneChar(), `unexpected "${next}" after a closing quote`);
  }

  #bare(): Word {
    const start = this.#at;
    let dollar = false;
    const hole = this.#advance(
      () => this.#bareHole(),
      (char) => {
        if (char === '{' && dollar) return false;
        dollar = char === '$';
        return isSpace(char) || char === ';' || char === '{';
      },
    );
    this.#refuseTooLong(start, this.#at + 1);
    return { value: unescape(this.#content.slice(start, this.#at)), range: { start, end: this.#at }, hole };
  }

  /** Goes to the first character that is neither escaped nor in a hole and `ends` the word. Says whether there was a hole. */
  #advance(holeHere: () => Hole | undefined, ends: (char: string) => boolean): boolean {
    let holed = false;
    while (this.#at < this.#content.length) {
      const hole = holeHere();
      const char = this.#content.charAt(this.#at);
      if (hole) {
        this.#enter(hole);
        holed = true;
      } else if (ends(char)) {
        break;
      } else {
        this.#at += char === '\\' ? 2 : 1;
      }
    }
    this.#at = Math.min(this.#at, this.#content.length);
    return holed;
  }

  /** Outside of quotes a brace tells more. */
  #bareHole(): Hole | undefined {
    return this.#holeAt.get(this.#at) ?? formatFieldAt(this.#content, this.#at);
  }

  #enter(hole: Hole): void {
    this.holes.push(hole);
    this.#at = hole.end;
  }

  #refuseTooLong(start: number, end: number): void {
    if ((end - start) * 3 <= bufferSize || Buffer.byteLength(this.#content.slice(start, end)) <= bufferSize) return;
    this.refuse({ start, end: Math.min(end, this.#content.length) }, `longer than the ${bufferSize} bytes that nginx reads at once`);
  }

  #oneChar(): Range {
    return { start: this.#at, end: this.#at + 1 };
  }
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

function isTerminator(char: string | undefined): boolean {
  return char === undefined || char === ';' || char === '{' || char === '}';
}

function terminatorOf(char: string | undefined): Terminator {
  return char === ';' || char === '{' || char === '}' ? char : 'end of file';
}

const escapes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '\\': '\\', t: '\t', r: '\r', n: '\n' };

/** Only six escapes mean something; any other backslash stays. */
function unescape(written: string): string {
  return written.replace(/\\(["'\\trn])/g, (_, char: string) => escapes[char] ?? char);
}
