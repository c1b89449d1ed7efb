import type { Parsed, Problem, Range, Text, Written } from '../text.ts';
import { parseConnectionString } from './connection-string.ts';
import type { Connection, ConnectionSection, Parameter, PgbouncerDocument, PgbouncerItem } from './document.ts';
import { effectiveConnections, effectiveSettings } from './effective.ts';
import { hasHole } from './holes.ts';

/** Gives the file that an `%include` names, as it is written there: PgBouncer looks for it from the folder it is started in. */
export type ReadInclude = (path: string) => Text | undefined;

const deepestInclude = 10;
const mostFiles = 100;

/** Reads a pgbouncer.ini as PgBouncer does, but goes on after what makes PgBouncer give up. */
export function parsePgbouncer(text: Text, readInclude: ReadInclude = () => undefined): Parsed<PgbouncerDocument> {
  const reading: Reading = { readInclude, texts: [text], items: [], problems: [], section: undefined, complete: true };
  readFile({ text, source: upToNul(text.content), includedBy: undefined, depth: 0 }, reading);
  const { texts, items, problems, complete } = reading;
  if (complete && !items.some((item) => item.kind === 'header' && item.name.value === 'pgbouncer')) {
    problems.push({ range: { start: 0, end: 0 }, message: 'There is no [pgbouncer] section: PgBouncer refuses to start.', fatal: true });
  }
  const document = {
    texts,
    complete,
    items,
    settings: effectiveSettings(items),
    databases: effectiveConnections(items, 'databases'),
    users: effectiveConnections(items, 'users'),
    peers: effectiveConnections(items, 'peers'),
  };
  return { document, problems };
}

interface Reading {
  readonly readInclude: ReadInclude;
  readonly texts: [Text, ...Text[]];
  readonly items: PgbouncerItem[];
  readonly problems: Problem[];
  /** It stays open at the end of an included file. */
  section: string | undefined;
  complete: boolean;
}

interface File {
  readonly text: Text;
  readonly source: string;
  readonly includedBy: File | undefined;
  readonly depth: number;
}

/** A C string ends at a NUL, and so does the file for PgBouncer. */
function upToNul(content: string): string {
  const nul = content.indexOf('\0');
  return nul < 0 ? content : content.slice(0, nul);
}

function readFile(file: File, reading: Reading): void {
  let at = skipSpace(file.source, 0);
  while (at < file.source.length) at = skipSpace(file.source, readItem(file, at, reading));
}

const comment = /[;#][^\n]*/y;
const header = /\[([^\]\n]*)\]/y;
const include = /%include[ \t]+([^\n]*)/dy;
const assignment = /(?:'([^']+)'|([\w.*-]*))[ \t]*=[ \t]*([^\n]*)/dy;

/** Reads what starts at an offset, and says where it ends: not always with its line, for an item may follow a header. */
function readItem(file: File, at: number, reading: Reading): number {
  const match = matcher(file.source, at);
  const skipped = match(comment);
  if (skipped) return at + skipped[0].length;
  const opened = match(header);
  if (opened) return openSection(file, opened, reading);
  const included = match(include);
  if (included) return readIncluded(file, included, reading);
  const assigned = match(assignment);
  if (assigned) return assign(file, assigned, reading);
  return skipLine(file, at, reading);
}

function matcher(source: string, at: number): (pattern: RegExp) => RegExpExecArray | null {
  return (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
}

function openSection(file: File, match: RegExpExecArray, reading: Reading): number {
  const end = match.index + match[0].length;
  const name = { value: match[1] ?? '', range: { start: match.index, end } };
  reading.section = name.value;
  reading.items.push({ kind: 'header', text: file.text, name });
  if (name.value !== 'pgbouncer' && !isConnectionSection(name.value)) {
    refuse(reading, file, name, `PgBouncer knows no section [${name.value}] and refuses to start.`);
  }
  return end;
}

function isConnectionSection(name: string): name is ConnectionSection {
  return name === 'databases' || name === 'users' || name === 'peers';
}

function assign(file: File, match: RegExpExecArray, reading: Reading): number {
  const quoted = match[1] !== undefined;
  const entry = { text: file.text, key: { ...group(match, quoted ? 1 : 2), quoted }, value: withoutEndSpace(group(match, 3)) };
  const { section } = reading;
  if (section === undefined) refuse(reading, file, entry.key, 'A key before the first section: PgBouncer refuses to start.');
  else if (section === 'pgbouncer') reading.items.push({ kind: 'setting', ...entry });
  else if (isConnectionSection(section)) addConnection(file, section, entry, reading);
  return match.index + match[0].length;
}

type Entry = Pick<Connection, 'text' | 'key' | 'value'>;

function addConnection(file: File, section: ConnectionSection, entry: Entry, reading: Reading): void {
  const { parameters, rest } = parseConnectionString(entry.value);
  reading.items.push({ kind: 'connection', section, ...entry, parameters });
  if (section === 'peers') checkPeer(file, entry, parameters, reading);
  const name = section === 'databases' ? entry.key.value : undefined;
  if (name === 'pgbouncer') {
    refuse(reading, file, entry.key, 'The database name pgbouncer is reserved for the console: PgBouncer refuses to start.');
  }
  if (!rest) return;
  const message = 'This is not key=value, separated by spaces: PgBouncer';
  if (name === '*' && !hasHole(rest.value))
    note(reading, file, rest, `${message} starts, but refuses the clients that need this fallback.`);
  else refuse(reading, file, rest, `${message} refuses to start.`);
}

/** https://github.com/pgbouncer/pgbouncer/blob/master/src/loader.c (parse_peer) */
function checkPeer(file: File, { key, value }: Entry, parameters: readonly Parameter[], reading: Reading): void {
  const id = Number(/^\d+$/.exec(key.value)?.[0]);
  if (!(id >= 1 && id <= 65_535)) {
    refuse(reading, file, key, 'The id of a peer is a number from 1 to 65535: PgBouncer refuses to start.');
  } else if (!hasHole(value.value) && !parameters.some((pair) => pair.key.value === 'host')) {
    refuse(reading, file, key, 'A peer needs a host: PgBouncer refuses to start.');
  }
}

function readIncluded(file: File, match: RegExpExecArray, reading: Reading): number {
  const path = withoutEndSpace(group(match, 1));
  const text = path.value === '' ? undefined : reading.readInclude(path.value);
  if (file.depth >= deepestInclude || isOpen(file, text)) {
    refuse(reading, file, path, `Includes are nested more than ${deepestInclude} deep: PgBouncer refuses to start.`);
  } else if (path.value === '') {
    refuse(reading, file, path, '%include without a file: PgBouncer refuses to start.');
  } else if (!text || reading.texts.length >= mostFiles) {
    leaveOut(reading, file, path, `The included file ${path.value} was not read: what it sets is not known.`);
  } else {
    reading.texts.push(text);
    readFile({ text, source: upToNul(text.content), includedBy: file, depth: file.depth + 1 }, reading);
  }
  return match.index + match[0].length;
}

/** A file that includes itself, directly or not, ends at the nesting limit. */
function isOpen(file: File, text: Text | undefined): boolean {
  for (let open: File | undefined = file; open && text; open = open.includedBy) {
    if (open.text.path === text.path && open.text.content === text.content) return true;
  }
  return false;
}

function skipLine(file: File, start: number, reading: Reading): number {
  const newline = file.source.indexOf('\n', start);
  const end = newline < 0 ? file.source.length : newline;
  const line = withoutEndSpace({ value: file.source.slice(start, end), range: { start, end } });
  refuse(reading, file, line, 'Neither a [section] nor key = value: PgBouncer refuses to start.');
  return end;
}

/** PgBouncer refuses what is written; when a template is still to fill it, nobody knows. */
function refuse(reading: Reading, file: File, written: Written<string>, message: string): void {
  if (hasHole(written.value)) leaveOut(reading, file, written, 'A template stands here: what it makes is not known.');
  else reading.problems.push({ ...at(file, written), message, fatal: true });
}

function leaveOut(reading: Reading, file: File, written: Written<string>, message: string): void {
  reading.complete = false;
  note(reading, file, written, message);
}

function note(reading: Reading, file: File, written: Written<string>, message: string): void {
  reading.problems.push({ ...at(file, written), message });
}

function at({ text, includedBy }: File, { range }: Written<string>): { readonly range: Range; readonly text?: Text } {
  return includedBy ? { range, text } : { range };
}

function group(match: RegExpExecArray, index: number): Written<string> {
  const [start, end] = match.indices?.[index] ?? [match.index, match.index];
  return { value: match[index] ?? '', range: { start, end } };
}

const space = ' \t\n\v\f\r';

function skipSpace(source: string, at: number): number {
  while (at < source.length && space.includes(source.charAt(at))) at++;
  return at;
}

function withoutEndSpace({ value, range }: Written<string>): Written<string> {
  let length = value.length;
  while (length > 0 && space.includes(value.charAt(length - 1))) length--;
  return { value: value.slice(0, length), range: { start: range.start, end: range.start + length } };
}
