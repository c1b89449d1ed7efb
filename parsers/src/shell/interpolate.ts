/**
 * Fills `$NAME`, `${NAME}` and the forms with a default (`:-`, `-`), an alternative (`:+`, `+`) or an error (`:?`, `?`), as compose
 * and .env files have them; `$$` is a dollar. `lookup` gives undefined for what is not set as far as the files say; where the value depends
 * on that and no default is given, `unknown` stands in the result, or else the result is undefined.
 */
export function interpolate(value: string, lookup: Lookup, unknown?: string): string | undefined {
  return fill(value, lookup, unknown, 0);
}

type Lookup = (name: string) => string | undefined;

const maxDepth = 10;
const reference = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(:?[-+?])?)/y;

function fill(value: string, lookup: Lookup, unknown: string | undefined, depth: number): string | undefined {
  let filled = '';
  let at = 0;
  while (at < value.length) {
    reference.lastIndex = at;
    const match = value[at] === '$' ? reference.exec(value) : null;
    if (!match) {
      filled += value.charAt(at++);
      continue;
    }
    at += match[0].length;
    const [, dollar, plain, braced, operator] = match;
    if (dollar) {
      filled += '$';
      continue;
    }
    const end = braced === undefined ? at : closingBrace(value, at);
    if (end === -1 || depth > maxDepth) return unknown;
    const word = value.slice(at, end);
    const found = choose(lookup(plain ?? braced ?? ''), operator, () => fill(word, lookup, unknown, depth + 1)) ?? unknown;
    if (found === undefined) return undefined;
    filled += found;
    at = braced === undefined ? end : end + 1;
  }
  return filled;
}

function choose(value: string | undefined, operator: string | undefined, word: () => string | undefined): string | undefined {
  const missing = operator?.startsWith(':') ? !value : value === undefined;
  if (operator?.endsWith('-')) return missing ? word() : value;
  if (operator?.endsWith('+')) return missing ? '' : word();
  return operator?.endsWith('?') && missing ? undefined : value;
}

function closingBrace(value: string, from: number): number {
  let depth = 1;
  for (let at = from; at < value.length; at++) {
    if (value[at] === '{' && value[at - 1] === '$') depth++;
    if (value[at] === '}' && --depth === 0) return at;
  }
  return -1;
}
