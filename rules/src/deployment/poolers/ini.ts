import { type Connection, parameter, type PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import { hasHole } from '@poolcheck/parsers/pgbouncer/holes';
import { parsePgbouncer } from '@poolcheck/parsers/pgbouncer/parse';
import { looksLikePgbouncer } from '@poolcheck/parsers/pgbouncer/recognise';
import { placeOf, type Text, type Written } from '@poolcheck/parsers/text';
import { posix } from 'node:path';
import type { Said } from '../databases/options.ts';
import type { ContainerFiles } from '../container-files.ts';
import type { Container } from '../stack.ts';
import type { PoolerConfig } from './config.ts';

/** The file of a PgBouncer in a container; `unknown` when something stands in its place that cannot be read. */
export function pgbouncerFile(container: Container, files: ContainerFiles): Text | 'unknown' | undefined {
  const words = [...(container.entrypoint ?? []), ...(container.command ?? [])].map(({ value }) => value);
  const started = words.filter((word) => word.endsWith('.ini'));
  const found = [...started, ...usualPaths].map((path) => files.read(path)).find((file) => file !== undefined);
  return (
    found ??
    files
      .list()
      .filter((path) => /pgbouncer[^/]*\.ini$/.test(path))
      .map((path) => files.read(path))
      .find(isPgbouncer)
  );
}

/** Where the published images look for it: edoburu, bitnami. */
const usualPaths = ['/etc/pgbouncer/pgbouncer.ini', '/bitnami/pgbouncer/conf/pgbouncer.ini', '/opt/bitnami/pgbouncer/conf/pgbouncer.ini'];

function isPgbouncer(file: Text | 'unknown' | undefined): boolean {
  return typeof file === 'object' && looksLikePgbouncer('pgbouncer.ini', file.content);
}

/** Reads a pgbouncer.ini; what it includes is looked for where the container has it. */
export function iniConfig(text: Text, files: ContainerFiles): PoolerConfig {
  const { document } = parsePgbouncer(text, (path) => {
    const found = [path, posix.resolve('/etc/pgbouncer', path), posix.resolve('/', path)].map((each) => files.read(each));
    return found.find((file): file is Text => typeof file === 'object');
  });
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
