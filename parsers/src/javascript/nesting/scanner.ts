import { Depth, type Kind } from './depth.ts';
import { after, endOf, endOfBlank, endOfRegex, endOfString, endOfTemplateText, find } from './skip.ts';
import { beginsStatement, expectsOperand, infixCharge, plainName, typeOperators, words, type Position, type Word } from './tokens.ts';

const wordToken = /[^\s!"%&'()*+,\-./:;<=>?@[\]^`{|}~]+/y;
const punctuators = '!"%&\'()*+,-./:;<=>?@[]^`{|}~';
const operatorToken = /\.\.\.|=>|\?\.(?!\d)|(?:\?\?|&&|\|\||\*\*|<<)=?|\+\+|--|>+=?|[=!]==?|[-+*/%&|^<]=?|[^]/y;
const attributeText = /[^\s"'{}<>/=]+/y;

/** A type parameter where a tag can stand as well, by what follows its name. */
const typeParameter = /<\s*(?:const\s+)?[\w$]+(?:\s*[,=]|\s+extends\b(?!\s*[=>/])|>\(\s*(?:\)\s*=>|\.\.\.|[\w$]+\??\s*:))/y;

const closedBy: Readonly<Record<')' | ']' | '}', readonly Kind[]>> = {
  ')': ['round'],
  ']': ['square'],
  '}': ['block', 'object', 'hole'],
};

/** Reads a source token by token and keeps its depth. Where the tokens leave two readings, it takes the deeper one. */
export class Scanner {
  readonly depth = new Depth();
  readonly #content: string;
  readonly #jsx: boolean;
  #at: number;
  #position: Position = 'start';
  /** `if`, or a word like it, waits for its parenthesis. */
  #heading = false;

  constructor(content: string, jsx: boolean) {
    this.#content = content;
    this.#jsx = jsx;
    this.#at = content.startsWith('#!') ? after(content, '\n', 0) : 0;
  }

  /** Reads one token, or the text up to one. False when there is no more. */
  next(): boolean {
    const { kind } = this.depth.top;
    if (kind === 'template') this.#templateText();
    else if (kind === 'tag') this.#tag();
    else if (kind === 'children') this.#children();
    else this.#code();
    return this.#at < this.#content.length;
  }

  #code(): void {
    this.#blank();
    const char = this.#content.charAt(this.#at);
    if (!punctuators.includes(char)) return this.#word(this.#match(wordToken));
    if (char === '"' || char === "'") this.#string();
    else if (char !== '') this.#punctuator(char);
  }

  #blank(): void {
    const start = this.#at;
    this.#at = endOfBlank(this.#content, start);
    if (this.#at === start) return;
    if (this.#position !== 'restricted' && this.#position !== 'angle') return;
    if (!/[\r\n\u2028\u2029]/.test(this.#content.slice(start, this.#at))) return;
    this.#position = this.#position === 'angle' ? 'operator' : 'start';
  }

  #word(name: string): void {
    const word = this.#position === 'member' ? plainName : (words.get(name) ?? plainName);
    this.#settle(word);
    if (word.hasBody && !beginsStatement.has(this.#position)) this.depth.top.expectsBody = true;
    if (word.holds) this.depth.hold();
    this.#heading = word.heads || (this.#heading && name === 'await');
    this.#charge(word.charge, word.leaves);
  }

  #string(): void {
    this.#settle(plainName);
    this.#at = endOfString(this.#content, this.#at);
    this.#position = 'operator';
  }

  /** Ends what the operand or word at hand cannot be part of. */
  #settle({ continues, separates, hasBody }: Word): void {
    const position = this.#position;
    if (separates || (position === 'semicolon' && continues !== 'statement')) this.depth.endStatement();
    if (position !== 'operator' && position !== 'end') return;
    if (continues === 'statement') this.depth.endExpression();
    else if (continues === 'nothing' || (hasBody && position === 'end')) this.depth.endStatement();
  }

  #punctuator(char: string): void {
    if (this.#position === 'semicolon') this.depth.endStatement();
    if (char === '(' || char === '[') this.#openGroup(char);
    else if (char === '{') this.#openBraces();
    else if (char === ')' || char === ']' || char === '}') this.#close(char);
    else if (char === '`') this.#openTemplate();
    else if (char === '<' && this.#isTag()) this.#openTag();
    else if (char !== '/' || !this.#regex()) this.#operator(this.#match(operatorToken));
    this.#heading = false;
  }

  #openGroup(char: '(' | '['): void {
    this.#chargeCall();
    this.depth.open(char === '(' ? 'round' : 'square', this.#heading);
    this.#advance(1, 'operand');
  }

  #openTemplate(): void {
    this.#chargeCall();
    this.depth.open('template');
    this.#at++;
  }

  /** A call, an index and a tagged template nest what stands before them. */
  #chargeCall(): void {
    if (!expectsOperand.has(this.#position) && this.#position !== 'word') this.depth.charge(1 / 4);
  }

  #openBraces(): void {
    const { top } = this.depth;
    if (this.#position === 'operand' || this.#position === 'restricted') {
      this.depth.open('object');
      this.#advance(1, 'operand');
    } else {
      this.depth.open('block', !top.expectsBody);
      top.expectsBody = false;
      this.#advance(1, 'start');
    }
  }

  #close(char: ')' | ']' | '}'): void {
    this.depth.dropAngles();
    const closed = this.depth.close(...closedBy[char]);
    const statement: Position = closed?.kind === 'block' ? 'end' : 'start';
    this.#advance(1, closed?.leavesStatement ? statement : 'operator');
  }

  #regex(): boolean {
    const end = expectsOperand.has(this.#position) ? endOfRegex(this.#content, this.#at) : undefined;
    if (end === undefined) return false;
    this.#at = end;
    this.#position = 'operator';
    return true;
  }

  #operator(token: string): void {
    switch (token) {
      case ';':
        this.depth.endExpression();
        this.#position = 'semicolon';
        break;
      case ',':
        this.depth.endElement();
        this.#position = 'operand';
        break;
      case ':':
        this.#colon();
        break;
      case '?':
        this.depth.top.questions++;
        this.#charge(1, 'operand');
        break;
      case '.':
      case '?.':
        this.#charge(1 / 64, 'member');
        break;
      case '@':
        if (this.#position === 'end') this.depth.endStatement();
        this.#position = 'operand';
        break;
      case '...':
        this.#position = 'operand';
        break;
      case '=>':
        this.#charge(1, 'body');
        break;
      case '<':
        this.depth.open('angle');
        this.#position = 'operand';
        break;
      default:
        if (token.startsWith('>')) this.#greater(token);
        else if (expectsOperand.has(this.#position)) this.#charge(1, 'operand');
        else this.#infix(token);
    }
  }

  #colon(): void {
    if (this.depth.top.questions === 0) this.depth.dropAngles();
    const { top } = this.depth;
    if (top.questions > 0) {
      top.questions--;
      this.#position = 'operand';
    } else if (top.kind === 'block') {
      this.depth.hold();
      this.#position = 'start';
    } else {
      this.#charge(1, 'operand');
    }
  }

  #greater(token: string): void {
    let closed = false;
    for (const char of token) if (char === '>' && this.depth.close('angle')) closed = true;
    this.#charge(1 / 4, closed && !token.endsWith('=') ? 'angle' : 'operand');
  }

  #infix(token: string): void {
    const isPostfix = token === '!' || token === '++' || token === '--';
    if (!typeOperators.has(token)) this.depth.dropAngles();
    this.#charge(infixCharge(token), isPostfix ? 'operator' : 'operand');
  }

  #templateText(): void {
    this.#at = endOfTemplateText(this.#content, this.#at);
    if (this.#content[this.#at] === '$') {
      this.#openHole(2);
    } else {
      this.depth.close('template');
      this.#advance(1, 'operator');
    }
  }

  #isTag(): boolean {
    return (
      this.#jsx &&
      expectsOperand.has(this.#position) &&
      this.depth.top.kind !== 'angle' &&
      endOf(typeParameter, this.#content, this.#at) === this.#at
    );
  }

  #openTag(): void {
    this.depth.open('tag');
    this.#at++;
  }

  #tag(): void {
    this.#at = endOfBlank(this.#content, this.#at);
    const char = this.#content.charAt(this.#at);
    if (char === '"' || char === "'") this.#at = after(this.#content, char, this.#at + 1);
    else if (char === '{') this.#openHole(1);
    else if (char === '=') this.#attributeValue();
    else if (char === '/') this.#endTag();
    else if (char === '<') this.#openTypeArguments();
    else if (char === '>') this.#beginChildren();
    else this.#at = Math.max(endOf(attributeText, this.#content, this.#at), this.#at + 1);
  }

  #attributeValue(): void {
    this.#at = endOfBlank(this.#content, this.#at + 1);
    if (this.#content[this.#at] === '<') this.#openTag();
  }

  #endTag(): void {
    this.#at = endOfBlank(this.#content, this.#at + 1);
    if (this.#content[this.#at] === '>') this.#closeElement(this.#at + 1);
  }

  #openTypeArguments(): void {
    this.depth.open('angle');
    this.#advance(1, 'operand');
  }

  #beginChildren(): void {
    this.depth.top.kind = 'children';
    this.#at++;
  }

  #children(): void {
    this.#at = find(/[{<]/g, this.#content, this.#at);
    const name = endOfBlank(this.#content, this.#at + 1);
    if (this.#content[this.#at] === '{') this.#openHole(1);
    else if (this.#content[name] === '/') this.#closeElement(after(this.#content, '>', name));
    else this.#openTag();
  }

  #closeElement(end: number): void {
    this.depth.close('tag', 'children');
    this.#at = end;
    this.#position = 'operator';
  }

  #openHole(length: number): void {
    this.depth.open('hole');
    this.#advance(length, 'operand');
  }

  #charge(units: number, position: Position): void {
    this.depth.charge(units);
    this.#position = position;
  }

  #advance(length: number, position: Position): void {
    this.#at += length;
    this.#position = position;
  }

  #match(sticky: RegExp): string {
    const start = this.#at;
    this.#at = endOf(sticky, this.#content, start);
    return this.#content.slice(start, this.#at);
  }
}
