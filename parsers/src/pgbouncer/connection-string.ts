import type { Range, Written } from '../text.ts';
import type { Parameter } from './document.ts';
import { fillHoles } from './holes.ts';

export interface ConnectionString {
  readonly parameters: readonly Parameter[];
  /** From where on it cannot be read. */
  readonly rest: Written<string> | undefined;
}

/** Reads `key=value key='va''lue'` up to the first pair that is none. Only spaces separate; a quote in quotes is doubled. */
export function parseConnectionString({ value, range }: Written<string>): ConnectionString {
  const filled = fillHoles(value);
  const parameters: Parameter[] = [];
  let at = skipSpaces(filled, 0);
  while (at < filled.length) {
    const pair = readPair(filled, at);
    if (!pair) return { parameters, rest: written(value, range, { start: at, end: value.length }) };
    parameters.push({ key: written(value, range, pair.key), value: unquoted(written(value, range, pair.value), pair.quoted) });
    at = skipSpaces(filled, pair.end);
  }
  return { parameters, rest: undefined };
}

interface Pair {
  readonly key: Range;
  readonly value: Range;
  readonly quoted: boolean;
  readonly end: number;
}

function readPair(text: string, start: number): Pair | undefined {
  const key = { start, end: endOf(text, start, (char) => char === '=' || char === ' ') };
  const equals = skipSpaces(text, key.end);
  if (key.start === key.end || text[equals] !== '=') return undefined;
  const at = skipSpaces(text, equals + 1);
  const quoted = text[at] === "'";
  const value = quoted ? { start: at + 1, end: closingQuote(text, at + 1) } : { start: at, end: endOf(text, at, (char) => char === ' ') };
  if (value.end <= value.start) return undefined;
  // The character after a closing quote is dropped, whatever it is.
  return { key, value, quoted, end: quoted ? value.end + 2 : value.end };
}

/** Where the quote stands that ends the value, or -1. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf("'", start);
  while (at >= 0 && text[at + 1] === "'") at = text.indexOf("'", at + 2);
  return at;
}

function endOf(text: string, at: number, ends: (char: string) => boolean): number {
  while (at < text.length && !ends(text.charAt(at))) at++;
  return at;
}

function skipSpaces(text: string, at: number): number {
  return endOf(text, at, (char) => char !== ' ');
}

function written(text: string, within: Range, { start, end }: Range): Written<string> {
  return { value: text.slice(start, end), range: { start: within.start + start, end: within.start + end } };
}

function unquoted(value: Written<string>, quoted: boolean): Written<string> {
  return quoted ? { ...value, value: value.value.replaceAll("''", "'") } : value;
}
