/**
 * A path pattern as git, nginx and workspaces write them: `*`, `?` and `[a-z]` inside a name, `**` across folders, `\` before a literal.
 * Patterns come from checked files, so none becomes a regular expression: matching takes at most pattern × path steps.
 */
export type Glob = readonly Segment[];

type Segment = typeof anyFolders | NamePattern;

interface NamePattern {
  readonly tokens: readonly Token[];
  /** What every name that matches ends with: most names are turned down by it. */
  readonly ending: string;
  /** The ending is all of it. */
  readonly isLiteral: boolean;
}

type Token =
  | { readonly kind: 'character'; readonly is: string }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly CharacterRange[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' };

type CharacterRange = readonly [first: string, last: string];

const anyFolders = '**';
const anyName: NamePattern = { tokens: [{ kind: 'star' }], ending: '', isLiteral: false };

/** Reads a pattern; undefined when it is malformed (an open `[`, a `\` before nothing) and so matches no path. */
export function parseGlob(pattern: string): Glob | undefined {
  const segments: Segment[] = [];
  for (const name of pattern.split('/')) {
    const segment = name === anyFolders ? anyFolders : namePatternOf(name);
    if (!segment) return undefined;
    segments.push(segment);
  }
  // `a/**` is what lies in `a`, not `a` itself.
  return segments.at(-1) === anyFolders ? [...segments, anyName] : segments;
}

/** Whether the whole path matches. */
export function matchesGlob(glob: Glob, path: string): boolean {
  return matchesInOrder(glob, path.split('/'), isAnyFolders, matchesName);
}

function isAnyFolders(segment: Segment): boolean {
  return segment === anyFolders;
}

function matchesName(segment: Segment, name: string): boolean {
  if (segment === anyFolders || !name.endsWith(segment.ending)) return false;
  return segment.isLiteral ? name.length === segment.ending.length : matchesInOrder(segment.tokens, [...name], isStar, matchesCharacter);
}

function isStar(token: Token): boolean {
  return token.kind === 'star';
}

function matchesCharacter(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'character':
      return token.is === character;
    case 'set':
      return token.negated !== token.ranges.some(([first, last]) => first <= character && character <= last);
    case 'any':
      return true;
    case 'star':
      return false;
  }
}

/** When a part does not fit, only the last wildcard may take one item more: whatever an earlier one took too little of, this one can take. */
function matchesInOrder<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isWildcard: (part: Part) => boolean,
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let next = 0;
  let wildcard: { readonly after: number; taken: number } | undefined;
  for (let at = 0; at < items.length;) {
    const part = parts[next];
    const item = items[at];
    if (part !== undefined && isWildcard(part)) {
      wildcard = { after: ++next, taken: at };
    } else if (part !== undefined && item !== undefined && fits(part, item)) {
      next++;
      at++;
    } else if (wildcard) {
      next = wildcard.after;
      at = ++wildcard.taken;
    } else {
      return false;
    }
  }
  return parts.slice(next).every(isWildcard);
}

function namePatternOf(name: string): NamePattern | undefined {
  const tokens = tokensOf(name);
  if (!tokens) return undefined;
  const ending = tokens.slice(tokens.findLastIndex(({ kind }) => kind !== 'character') + 1);
  return { tokens, ending: ending.map(characterOf).join(''), isLiteral: ending.length === tokens.length };
}

function characterOf(token: Token): string {
  return token.kind === 'character' ? token.is : '';
}

function tokensOf(name: string): readonly Token[] | undefined {
  const characters = [...name];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '[') {
      const set = setAt(characters, at + 1);
      if (!set) return undefined;
      tokens.push(set.token);
      at = set.end;
    } else if (character === '\\') {
      const escaped = characters[++at];
      if (escaped === undefined) return undefined;
      tokens.push({ kind: 'character', is: escaped });
    } else {
      tokens.push(plainToken(character));
    }
  }
  return tokens;
}

function plainToken(character: string): Token {
  if (character === '*') return { kind: 'star' };
  return character === '?' ? { kind: 'any' } : { kind: 'character', is: character };
}

/** The set whose first character is at `start`, just behind its `[`. */
function setAt(characters: readonly string[], start: number): { readonly token: Token; readonly end: number } | undefined {
  const negated = characters[start] === '!' || characters[start] === '^';
  const first = negated ? start + 1 : start;
  const ranges: CharacterRange[] = [];
  for (let at = first; at < characters.length; at++) {
    // A `]` in the first place is a member.
    if (characters[at] === ']' && at > first) return { token: { kind: 'set', negated, ranges }, end: at };
    const from = memberAt(characters, at);
    at = from.at;
    if (characters[at + 1] !== '-' || [']', undefined].includes(characters[at + 2])) {
      ranges.push([from.is, from.is]);
      continue;
    }
    const to = memberAt(characters, at + 2);
    at = to.at;
    ranges.push([from.is, to.is]);
  }
  return undefined;
}

function memberAt(characters: readonly string[], at: number): { readonly is: string; readonly at: number } {
  const place = characters[at] === '\\' ? at + 1 : at;
  return { is: characters[place] ?? '', at: place };
}
