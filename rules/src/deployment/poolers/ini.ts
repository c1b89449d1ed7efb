import type { PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import { parsePgbouncer } from '@poolcheck/parsers/pgbouncer/parse';
import { looksLikePgbouncer } from '@poolcheck/parsers/pgbouncer/recognise';
import type { Text } from '@poolcheck/parsers/text';
import { posix } from 'node:path';
import type { ContainerFiles } from '../container-files.ts';
import type { Container } from '../stack.ts';

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
export function iniDocument(text: Text, files: ContainerFiles): PgbouncerDocument {
  const { document } = parsePgbouncer(text, (path) => {
    const found = [path, posix.resolve('/etc/pgbouncer', path), posix.resolve('/', path)].map((each) => files.read(each));
    return found.find((file): file is Text => typeof file === 'object');
  });
  return document;
}
