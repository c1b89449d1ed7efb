import { Scanner } from './nesting/scanner.ts';
import { nestingToken } from './nesting/tokens.ts';

/**
 * The native parser recurses, and takes the process with it when its stack ends. A unit of depth costs 2 KB of it at most (measured for
 * each construct), so this is half of a worker's stack and a quarter of the main thread's.
 */
const deepest = 1000;

/** Whether a source could nest deeper than the native parser bears. Reads it from left to right, without recursion. */
export function nestsTooDeeply(content: string, { jsx }: { readonly jsx: boolean }): boolean {
  if (hasFewTokens(content)) return false;
  const scanner = new Scanner(content, jsx);
  while (scanner.next()) if (scanner.depth.total > deepest) return true;
  return scanner.depth.total > deepest;
}

/** Clears most files in a fraction of the time: a token costs 1¼ units at most, and all that is not counted 1/128 a character. */
function hasFewTokens(content: string): boolean {
  const few = (deepest - content.length / 128) / 1.25;
  nestingToken.lastIndex = 0;
  let tokens = 0;
  while (tokens <= few && nestingToken.test(content)) tokens++;
  return tokens <= few;
}
