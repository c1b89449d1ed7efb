import type { Text, Written } from '../text.ts';

/** A pgbouncer.ini and the files it includes, as PgBouncer reads them. */
export interface PgbouncerDocument {
  /** The file itself, then the included ones, in the order they are opened. */
  readonly texts: readonly [Text, ...Text[]];
  /** Everything was read: no include is missing, no template stands where a line should. Otherwise an absent setting may be set. */
  readonly complete: boolean;
  /** The headers and keys in the order they are read. */
  readonly items: readonly PgbouncerItem[];
  /** What holds in `[pgbouncer]` in the end: the last of equal keys, and none from before the section's last header. */
  readonly settings: ReadonlyMap<string, Setting>;
  /** The databases by name, the last of equal names; `*` is the fallback. */
  readonly databases: ReadonlyMap<string, Connection>;
  readonly users: ReadonlyMap<string, Connection>;
  readonly peers: ReadonlyMap<string, Connection>;
}

export type PgbouncerItem = SectionHeader | Setting | Connection;

export type ConnectionSection = 'databases' | 'users' | 'peers';

/** `[name]`; the range covers the brackets. */
export interface SectionHeader {
  readonly kind: 'header';
  readonly text: Text;
  readonly name: Written<string>;
}

/** `key = value` in `[pgbouncer]`. */
export interface Setting extends Entry {
  readonly kind: 'setting';
}

/** `name = key=value …` in one of the other sections. */
export interface Connection extends Entry {
  readonly kind: 'connection';
  readonly section: ConnectionSection;
  /** In the order they are written; of equal keys the last one holds. */
  readonly parameters: readonly Parameter[];
}

interface Entry {
  /** The file it stands in: the document's own, or an included one. */
  readonly text: Text;
  /** Without the quotes it may stand in; `quoted` needs PgBouncer 1.25. */
  readonly key: Written<string> & { readonly quoted: boolean };
  /** To the end of the line, blanks at its end cut off. */
  readonly value: Written<string>;
}

/** One pair of a connection string. */
export interface Parameter {
  readonly key: Written<string>;
  /** Without its quotes, doubled ones halved; the range covers what stands between the quotes. */
  readonly value: Written<string>;
}

/** The value of a parameter that PgBouncer uses. */
export function parameter(connection: Connection, key: string): Written<string> | undefined {
  return connection.parameters.findLast((pair) => pair.key.value === key)?.value;
}
