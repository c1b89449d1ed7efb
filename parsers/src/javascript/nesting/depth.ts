/** What a source is inside of. Angles are type arguments or, unless more shows, a comparison. */
export type Kind = 'block' | 'object' | 'round' | 'square' | 'angle' | 'template' | 'hole' | 'tag' | 'children';

export interface Frame {
  kind: Kind;
  /** What comes after it is not an operator: it is the parenthesis of an `if`, or the body of a statement. */
  readonly leavesStatement: boolean;
  /** How deep the expression at hand stands, brackets aside. */
  chain: number;
  /** How many statements and labels wait for the one at hand. */
  held: number;
  /** How many question marks wait for their colon. */
  questions: number;
  /** The next braces are the body of a function or class that is an operand. */
  expectsBody: boolean;
}

/** How deep the parser stands, at most: the brackets that are open, and what nests without brackets in each. */
export class Depth {
  readonly #outer: Frame[] = [];
  #top = frameOf('block', false);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  get top(): Frame {
    return this.#top;
  }

  open(kind: Kind, leavesStatement = false): void {
    this.#outer.push(this.#top);
    this.#top = frameOf(kind, leavesStatement);
    this.#total += costOf(kind);
  }

  /** Closes the innermost frame if it is of such a kind; says which it was. */
  close(...kinds: readonly Kind[]): Frame | undefined {
    const closed = this.#top;
    const outer = kinds.includes(closed.kind) ? this.#outer.pop() : undefined;
    if (!outer) return undefined;
    this.#total -= costOf(closed.kind) + closed.chain + closed.held;
    this.#top = outer;
    return closed;
  }

  /** The angles at hand were comparisons: what they charged is the expression's. */
  dropAngles(): void {
    for (let angle = this.close('angle'); angle; angle = this.close('angle')) this.charge(angle.chain + 1 / 4);
  }

  charge(units: number): void {
    this.#top.chain += units;
    this.#total += units;
  }

  hold(): void {
    this.#top.held++;
    this.#total++;
  }

  /** After a comma; what a label or an `if` holds goes on behind it. */
  endElement(): void {
    this.#endChain();
    if (this.#top.kind !== 'block') this.#release();
  }

  endExpression(): void {
    this.dropAngles();
    this.#endChain();
  }

  endStatement(): void {
    this.endExpression();
    this.#release();
  }

  #endChain(): void {
    this.#total -= this.#top.chain;
    this.#top.chain = 0;
    this.#top.questions = 0;
    this.#top.expectsBody = false;
  }

  #release(): void {
    this.#total -= this.#top.held;
    this.#top.held = 0;
  }
}

function frameOf(kind: Kind, leavesStatement: boolean): Frame {
  return { kind, leavesStatement, chain: 0, held: 0, questions: 0, expectsBody: false };
}

/** A template nests by its holes only. */
function costOf(kind: Kind): number {
  return kind === 'template' ? 0 : 1;
}
