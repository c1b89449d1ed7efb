import type { Connection, ConnectionSection, PgbouncerDocument, Setting } from '@poolcheck/parsers/pgbouncer/document';
import type { Place, Range, Text, Written } from '@poolcheck/parsers/text';
import type { Said } from '../databases/options.ts';

/** A line of a pgbouncer.ini that is made of something else: a variable, a field of a manifest. */
export interface Line extends Said {
  readonly name: string;
  /** Where the name stands, when that is not where the value does. */
  readonly key?: Range;
}

/** An entry of `[databases]` or `[users]`. */
export interface EntryLines {
  readonly name: string;
  readonly at: Place;
  readonly parameters: readonly Line[];
}

export interface Lines {
  readonly text: Text;
  readonly settings: readonly Line[];
  readonly databases: readonly EntryLines[];
  readonly users?: readonly EntryLines[];
  /** Nothing else is said that cannot be read. */
  readonly complete: boolean;
}

/** The pgbouncer.ini that PgBouncer gets, each of its values at the place where it is written. */
export function documentOf({ text, complete, ...lines }: Lines): PgbouncerDocument {
  const settings = lines.settings.map(settingOf);
  const databases = lines.databases.map((entry) => connectionOf(entry, 'databases'));
  const users = (lines.users ?? []).map((entry) => connectionOf(entry, 'users'));
  return {
    texts: [text],
    complete,
    items: [...settings, ...databases, ...users],
    settings: new Map(settings.map((setting) => [setting.key.value, setting])),
    databases: byName(databases),
    users: byName(users),
    peers: new Map(),
  };
}

function byName(connections: readonly Connection[]): ReadonlyMap<string, Connection> {
  return new Map(connections.map((connection) => [connection.key.value, connection]));
}

function settingOf(line: Line): Setting {
  const { text, range } = line.place;
  const key = { value: line.name, range: line.key ?? range, quoted: false };
  return { kind: 'setting', text, key, value: { value: valueOf(line), range } };
}

function connectionOf({ name, at: { text, range }, parameters }: EntryLines, section: ConnectionSection): Connection {
  const written = (value: string, at: Range): Written<string> => ({ value, range: at });
  return {
    kind: 'connection',
    section,
    text,
    key: { value: name, range, quoted: false },
    value: { value: '', range },
    parameters: parameters.map((line) => {
      // A parameter from another file is shown where the entry is.
      const at = line.place.text === text ? line.place.range : range;
      return { key: written(line.name, line.key ?? at), value: written(valueOf(line), at) };
    }),
  };
}

/** What is not known is filled in before PgBouncer reads it, like the hole of a template. */
function valueOf({ name, value }: Line): string {
  return value ?? `\${${name}}`;
}
