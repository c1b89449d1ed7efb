import type { Range, Text, Written } from '../text.ts';

/** An `auth_file` as PgBouncer reads it; the secrets themselves are not kept. */
export interface Userlist {
  /** In the order they stand; of equal names the last one holds. */
  readonly users: readonly ListedUser[];
  /** Where PgBouncer gives up: nothing below is read. */
  readonly broken: Range | undefined;
}

export interface ListedUser {
  /** Doubled quotes halved; the range covers what stands between the quotes. */
  readonly name: Written<string>;
  readonly secret: Range;
}

/** Reads `"user" "secret"`, the rest of the line ignored; a line that starts with `;` is a comment. */
export function parseUserlist({ content }: Text): Userlist {
  const users: ListedUser[] = [];
  let at = skip(content, 0, isSpace);
  while (at < content.length) {
    if (content[at] !== ';') {
      const user = readUser(content, at);
      if (!user) return { users, broken: { start: at, end: endOfLine(content, at) } };
      users.push(user);
      at = user.secret.end;
    }
    at = skip(content, endOfLine(content, at), isSpace);
  }
  return { users, broken: undefined };
}

function readUser(content: string, at: number): ListedUser | undefined {
  const name = content[at] === '"' ? quotedAt(content, at) : undefined;
  // Whatever stands in between is skipped, line breaks too.
  const opening = name ? content.indexOf('"', name.end + 1) : -1;
  const secret = opening < 0 ? undefined : quotedAt(content, opening);
  return name && secret && { name: { value: content.slice(name.start, name.end).replaceAll('""', '"'), range: name }, secret };
}

/** What stands between the quote at an offset and the one that closes it; a doubled quote does not. */
function quotedAt(content: string, opening: number): Range | undefined {
  let end = content.indexOf('"', opening + 1);
  while (end >= 0 && content[end + 1] === '"') end = content.indexOf('"', end + 2);
  return end < 0 ? undefined : { start: opening + 1, end };
}

function isSpace(char: string): boolean {
  return /[ \t-\r]/.test(char);
}

function skip(content: string, at: number, skips: (char: string) => boolean): number {
  while (at < content.length && skips(content.charAt(at))) at++;
  return at;
}

function endOfLine(content: string, at: number): number {
  const end = content.indexOf('\n', at);
  return end < 0 ? content.length : end;
}
