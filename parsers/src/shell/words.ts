import type { Place, Text } from '../text.ts';

/** A word of a command line, its quotes taken off and its escapes undone; the place covers it as written. */
export interface Word extends Place {
  readonly value: string;
  /** It has an expansion (`$X`, `${X:-y}`, `$(…)`) in it, which stands in the value as written. */
  readonly expands: boolean;
}

/** Splits a command line as a program does that starts another without a shell: `;` and `&&` are ordinary characters. */
export function wordsOf(text: Text): readonly Word[] {
  return new ShellReader(text, false).commands().flat();
}

/** The simple commands of a script, in the order they stand in it; redirections and comments are left out. */
export function commandsOf(text: Text): readonly (readonly Word[])[] {
  return new ShellReader(text, true).commands();
}

class ShellReader {
  private at = 0;
  private expands = false;
  private readonly text: Text;
  private readonly content: string;
  private readonly script: boolean;

  constructor(text: Text, script: boolean) {
    this.text = text;
    this.content = text.content;
    this.script = script;
  }

  commands(): readonly (readonly Word[])[] {
    const commands: Word[][] = [[]];
    let redirected = false;
    for (;;) {
      this.skipBlanks();
      const char = this.content[this.at];
      if (char === undefined) return commands.filter((command) => command.length > 0);
      if (this.endsCommand(char)) {
        this.at++;
        commands.push([]);
      } else if (this.script && (char === '<' || char === '>')) {
        this.at++;
        redirected = true;
      } else {
        const word = this.word();
        const isDescriptor = this.script && /^\d+$/.test(word.value) && /[<>]/.test(this.content[this.at] ?? '');
        if (!redirected && !isDescriptor) commands.at(-1)?.push(word);
        redirected = false;
      }
    }
  }

  private endsCommand(char: string): boolean {
    return this.script && ';|&()\n'.includes(char);
  }

  private skipBlanks(): void {
    const blank = this.script ? /(?:[ \t\r]|\\\r?\n|#[^\n]*)*/y : /(?:\s|\\\r?\n)*/y;
    blank.lastIndex = this.at;
    blank.exec(this.content);
    this.at = blank.lastIndex;
  }

  private word(): Word {
    const start = this.at;
    this.expands = false;
    let value = '';
    for (let char = this.content[this.at]; char !== undefined && !this.endsWord(char); char = this.content[this.at]) {
      if (char === "'") value += this.singleQuoted();
      else if (char === '"') value += this.doubleQuoted();
      else value += this.piece(/^[^]$/);
    }
    return { text: this.text, range: { start, end: this.at }, value, expands: this.expands };
  }

  private endsWord(char: string): boolean {
    return /\s/.test(char) || (this.script && ';|&()<>'.includes(char));
  }

  private singleQuoted(): string {
    const close = this.content.indexOf("'", this.at + 1);
    const end = close === -1 ? this.content.length : close;
    const inside = this.content.slice(this.at + 1, end);
    this.at = Math.min(end + 1, this.content.length);
    return inside;
  }

  private doubleQuoted(): string {
    let value = '';
    this.at++;
    while (this.at < this.content.length && this.content[this.at] !== '"') value += this.piece(/^["\\$`]$/);
    this.at = Math.min(this.at + 1, this.content.length);
    return value;
  }

  /** One character, one escape of what `escapable` matches, or one whole expansion. */
  private piece(escapable: RegExp): string {
    const start = this.at;
    const char = this.content[this.at++] ?? '';
    const next = this.content[this.at] ?? '';
    if (char === '\\') return this.escape(next, escapable);
    if (char === '`') this.skipTo('`');
    else if (char === '$' && next === '{') this.skipNested('{', '}');
    else if (char === '$' && next === '(') this.skipNested('(', ')');
    this.expands ||= char === '`' || (char === '$' && /[\w{(@*#?]/.test(next));
    return this.content.slice(start, this.at);
  }

  private escape(next: string, escapable: RegExp): string {
    const lineBreak = /\r?\n/y;
    lineBreak.lastIndex = this.at;
    if (lineBreak.test(this.content)) {
      this.at = lineBreak.lastIndex;
      return '';
    }
    if (!escapable.test(next)) return '\\';
    this.at++;
    return next;
  }

  private skipTo(close: string): void {
    const found = this.content.indexOf(close, this.at);
    this.at = found === -1 ? this.content.length : found + 1;
  }

  private skipNested(open: string, close: string): void {
    let depth = 0;
    while (this.at < this.content.length) {
      const char = this.content[this.at++];
      if (char === open) depth++;
      if (char === close && --depth === 0) return;
    }
  }
}
