import { parameter, type Connection, type PgbouncerDocument, type Setting } from '@poolcheck/parsers/pgbouncer/document';
import { hasHole } from '@poolcheck/parsers/pgbouncer/holes';
import { readAtoi, readInt, readSeconds } from '@poolcheck/parsers/pgbouncer/values';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import type { Deployment, Pooler } from '../deployment/model.ts';
import { pgbouncerDefault } from '../knowledge/pgbouncer.ts';
import type { Version } from '../version.ts';
import type { Versions } from '../versions.ts';

/** A number that a pgbouncer.ini says, or that PgBouncer takes by default; then it has no place. */
export interface Amount {
  readonly value: number;
  readonly place: Place | undefined;
}

/** Reads the settings of a file as PgBouncer does; what is not known is undefined. */
export class PgbouncerReader {
  readonly document: PgbouncerDocument;
  readonly version: Version | undefined;

  constructor(document: PgbouncerDocument, version: Version | undefined) {
    this.document = document;
    this.version = version;
  }

  /** A setting of `[pgbouncer]` that is written. */
  written(name: string): Setting | undefined {
    return this.document.settings.get(name);
  }

  /** The text of a setting, or its default. */
  text(name: string): string | undefined {
    const setting = this.written(name);
    if (setting) return hasHole(setting.value.value) ? undefined : setting.value.value;
    return this.document.complete ? (pgbouncerDefault(name, this.version) ?? '') : undefined;
  }

  number(name: string): Amount | undefined {
    return this.#amount(name, readInt);
  }

  seconds(name: string): Amount | undefined {
    return this.#amount(name, readSeconds);
  }

  /** A number that an entry of another section says itself. */
  own(connection: Connection, name: string): Amount | undefined {
    const said = parameter(connection, name);
    const value = said && readAtoi(said.value);
    return value === undefined || !said ? undefined : { value, place: placeOf(connection.text, said.range) };
  }

  #amount(name: string, read: (value: string) => number | undefined): Amount | undefined {
    const text = this.text(name);
    const value = text === undefined || text === '' ? undefined : read(text);
    const setting = this.written(name);
    return value === undefined ? undefined : { value, place: setting && placeOfValue(setting) };
  }
}

export function placeOfValue({ text, value }: Setting): Place {
  return placeOf(text, value.range);
}

/** The version of the poolers that are seen to run a file, or else the declared one; undefined when they are not the same. */
export function versionThatReads(document: PgbouncerDocument, deployments: readonly Deployment[], versions: Versions): Version | undefined {
  const poolers = deployments.flatMap((deployment) => deployment.poolers).filter((pooler) => configures(document, pooler));
  const [first] = poolers;
  if (!first) return versions.get('pgbouncer');
  return poolers.every(({ version }) => version?.join() === first.version?.join()) ? first.version : undefined;
}

/** Whether a pooler is told what a document says: it is made for it, or is the file that it reads. */
export function configures(document: PgbouncerDocument, pooler: Pooler): boolean {
  if (pooler.document) return pooler.document === document;
  const paths = new Set(document.texts.map(({ path }) => path));
  return pooler.entries.some(({ at }) => paths.has(at.text.path));
}
