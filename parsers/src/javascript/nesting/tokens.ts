/** What may come next, by the token before. */
export type Position =
  /** A statement. */
  | 'start'
  /** After a semicolon: a statement, or an `else`. */
  | 'semicolon'
  /** After the block of a statement or function: a statement, or an `else` and the like. */
  | 'end'
  /** An operand. */
  | 'operand'
  /** After `return` and the like: an operand, on the same line. */
  | 'restricted'
  /** After `=>`: an operand or a block. */
  | 'body'
  /** After an operand: an operator. */
  | 'operator'
  /** After a dot: a name. */
  | 'member'
  /** After type arguments, which may have been two comparisons. */
  | 'angle'
  /** After a word that is a name or stands before one. */
  | 'word';

/** The positions where a slash begins a regular expression, and `<` a tag. */
export const expectsOperand: ReadonlySet<Position> = new Set(['start', 'semicolon', 'end', 'operand', 'restricted', 'body']);

/** The positions where a function or class is a statement. */
export const beginsStatement: ReadonlySet<Position> = new Set(['start', 'semicolon', 'end', 'operator']);

export interface Word {
  readonly leaves: Position;
  /** How much deeper it lets the rest of its expression stand. */
  readonly charge: number;
  /** It begins a statement that holds another. */
  readonly holds: boolean;
  /** After the parenthesis behind it comes a statement. */
  readonly heads: boolean;
  /** It has a body in braces, even where it is an operand. */
  readonly hasBody: boolean;
  /** What it goes on with after an operand, where other words begin a statement. */
  readonly continues: 'expression' | 'statement' | 'nothing';
  /** No statement before it is open. */
  readonly separates: boolean;
}

export const plainName: Word = {
  leaves: 'operator',
  charge: 0,
  holds: false,
  heads: false,
  hasBody: false,
  continues: 'nothing',
  separates: false,
};

const declaration: Word = { ...plainName, leaves: 'word' };
const clause: Word = { ...plainName, leaves: 'start' };
const loop: Word = { ...plainName, leaves: 'word', holds: true, heads: true };
const jump: Word = { ...plainName, leaves: 'restricted' };
const unary: Word = { ...plainName, leaves: 'operand', charge: 1 };
const typeUnary: Word = { ...plainName, leaves: 'word', charge: 1 };
const infix: Word = { ...plainName, leaves: 'word', charge: 1 / 4, continues: 'expression' };

/** The words that are more than names. */
export const words: ReadonlyMap<string, Word> = new Map([
  ...all('switch const let var async get set static accessor public private protected override declare', declaration),
  ...all('type interface enum global export import from out', declaration),
  ...all('if for with', loop),
  ...all('while', { ...loop, continues: 'statement' }),
  ...all('do', { ...clause, holds: true }),
  ...all('try', clause),
  ...all('else finally', { ...clause, continues: 'statement' }),
  ...all('catch', { ...declaration, continues: 'statement' }),
  ...all('return break continue throw', jump),
  ...all('yield', { ...jump, charge: 1 }),
  ...all('case', { ...plainName, leaves: 'operand', separates: true }),
  ...all('default', { ...plainName, leaves: 'operand' }),
  ...all('new typeof void delete await', unary),
  ...all('keyof infer readonly unique asserts abstract namespace module', typeUnary),
  ...all('of as is satisfies extends implements', infix),
  ...all('in instanceof', { ...infix, leaves: 'operand' }),
  ...all('function', { ...declaration, charge: 1, hasBody: true }),
  ...all('class', { ...declaration, charge: 1, hasBody: true, continues: 'expression' }),
]);

function all(names: string, word: Word): [string, Word][] {
  return names.split(' ').map((name) => [name, word]);
}

const assignments = ['=', '+=', '-=', '*=', '/=', '%=', '**=', '&=', '|=', '^=', '&&=', '||=', '??='];

/** What an operator between two operands costs. Those that group to the right nest as brackets do; a union of types is flat. */
const infixCharges: ReadonlyMap<string, number> = new Map([
  ...['**', ...assignments].map((operator): [string, number] => [operator, 1]),
  ['|', 1 / 16],
]);

export function infixCharge(operator: string): number {
  return infixCharges.get(operator) ?? 1 / 4;
}

/** The operators that can stand in type arguments, too. Any other shows that the `<` before it was a comparison. */
export const typeOperators: ReadonlySet<string> = new Set(['=', '|', '&', '!']);

const nestingWords = Array.from(words).flatMap(([name, { charge, holds }]) => (charge > 0 || holds ? [name] : []));

/** What can cost a unit, wherever it stands: in a string or comment it costs nothing. */
export const nestingToken = new RegExp(`\\b(?:${nestingWords.join('|')})\\b|[^\\w\\s.,;)\\]}'"]`, 'g');
