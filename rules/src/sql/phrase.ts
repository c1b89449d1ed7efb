import type { SqlToken } from '@poolcheck/parsers/sql/lexer';

/** The tokens of a statement or a part of it. */
export type Tokens = readonly SqlToken[];

/** The keyword or bare name at an index. */
export function wordAt(tokens: Tokens, index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === 'word' ? token.value : undefined;
}

/** Whether the words stand one after the other from an index on. */
export function saysAt(tokens: Tokens, index: number, ...words: readonly string[]): boolean {
  return words.every((word, offset) => wordAt(tokens, index + offset) === word);
}

/** Whether the words stand one after the other anywhere. */
export function says(tokens: Tokens, ...words: readonly string[]): boolean {
  return tokens.some((_, index) => saysAt(tokens, index, ...words));
}

export function isOperator(token: SqlToken | undefined, operator: string): boolean {
  return token?.kind === 'operator' && token.value === operator;
}

/** The name at an index, bare or quoted, in lower case; undefined when it is none, or has a hole in it. */
export function nameAt(tokens: Tokens, index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === 'word' || token?.kind === 'quoted-name' ? token.value?.toLowerCase() : undefined;
}

/** The tokens outside of parentheses. */
export function outermost(tokens: Tokens): Tokens {
  let depth = 0;
  return tokens.filter((token) => {
    if (isOperator(token, ')') && depth > 0) depth--;
    const outside = depth === 0;
    if (isOperator(token, '(')) depth++;
    return outside;
  });
}

/** The parts between the commas outside of parentheses. */
export function listed(tokens: Tokens): readonly Tokens[] {
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isOperator(token, '(')) depth++;
    else if (isOperator(token, ')')) depth--;
    if (depth === 0 && isOperator(token, ',')) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** What stands in the parentheses that open at an index. */
export function insideParentheses(tokens: Tokens, open: number): Tokens {
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    if (isOperator(tokens[index], '(')) depth++;
    else if (isOperator(tokens[index], ')') && --depth === 0) return tokens.slice(open + 1, index);
  }
  return tokens.slice(open + 1);
}
