import { type Connection, parameter, type PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import { hasHole } from '@poolcheck/parsers/pgbouncer/holes';
import { placeOf, type Place, type Written } from '@poolcheck/parsers/text';
import type { Said } from '../databases/options.ts';

/** What a pooler is told, whether by a file or by variables. */
export interface PoolerConfig {
  /** A setting for the whole pooler; undefined: not set. */
  setting(name: string): Said | undefined;
  readonly databases: readonly ConfiguredDatabase[];
  /** What is said of single users. */
  readonly users: ReadonlyMap<string, ConfiguredUser>;
}

/** One line of `[users]`. */
export interface ConfiguredUser {
  parameter(name: string): Said | undefined;
}

/** One line of `[databases]`. */
export interface ConfiguredDatabase {
  readonly name: string;
  readonly at: Place;
  parameter(name: string): Said | undefined;
}

/** What a pgbouncer.ini tells, or what stands for one. */
export function configOf(document: PgbouncerDocument): PoolerConfig {
  return {
    setting: (name) => settingIn(document, name),
    databases: Array.from(document.databases.values(), (database) => ({
      name: database.key.value,
      at: placeOf(database.text, { start: database.key.range.start, end: database.value.range.end }),
      parameter: (name) => saidIn(database, parameter(database, name)),
    })),
    users: new Map(Array.from(document.users, ([name, user]) => [name, { parameter: (key) => saidIn(user, parameter(user, key)) }])),
  };
}

function settingIn({ settings, complete, texts }: PgbouncerDocument, name: string): Said | undefined {
  const setting = settings.get(name);
  if (setting) return saidIn(setting, setting.value);
  return complete ? undefined : { value: undefined, place: placeOf(texts[0], { start: 0, end: 0 }) };
}

function saidIn({ text }: Pick<Connection, 'text'>, written: Written<string> | undefined): Said | undefined {
  return written && { value: hasHole(written.value) ? undefined : written.value, place: placeOf(text, written.range) };
}
