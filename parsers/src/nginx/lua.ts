/**
 * Where the brace that closes a `*_by_lua_block` stands, counted by Lua's rules: braces in strings, long brackets and comments do not
 * count, and a quote without a partner is an ordinary character.
 */
export function endOfLua(content: string, from: number): number | undefined {
  const skip = luaSkipper(content);
  let depth = 1;
  for (let at = from; at < content.length;) {
    const char = content[at];
    if (char === '{') depth++;
    if (char === '}' && --depth === 0) return at;
    at = skip(at);
  }
  return undefined;
}

/** Steps over one character, string, long bracket or comment. */
function luaSkipper(content: string): (at: number) => number {
  const unclosed = new Set<string>();

  const find = (closing: string, from: number): number | undefined => {
    if (unclosed.has(closing)) return undefined;
    const found = content.indexOf(closing, from);
    if (found < 0) unclosed.add(closing);
    return found < 0 ? undefined : found + closing.length;
  };

  const longBracket = (at: number): number | undefined => {
    let level = at + 1;
    while (content[level] === '=') level++;
    return content[level] === '[' ? find(`]${content.slice(at + 1, level)}]`, level + 1) : undefined;
  };

  return (at) => {
    const char = content[at];
    if (char === '"' || char === "'") return endOfString(content, at) ?? at + 1;
    if (char === '[') return longBracket(at) ?? at + 1;
    if (!content.startsWith('--', at)) return at + 1;
    return (content[at + 2] === '[' ? longBracket(at + 2) : undefined) ?? find('\n', at) ?? content.length;
  };
}

function endOfString(content: string, open: number): number | undefined {
  for (let at = open + 1; at < content.length && content[at] !== '\n'; at++) {
    if (content[at] === '\\') at++;
    else if (content[at] === content[open]) return at + 1;
  }
  return undefined;
}
