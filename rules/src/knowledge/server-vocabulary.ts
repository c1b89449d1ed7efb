import type { KnownImage } from './images.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Limit {
  /** Variables that look as if they were the limit of connections. */
  readonly names: RegExp;
  readonly instead: string;
}

/** The official images have no variable for the limit. https://hub.docker.com/_/postgres, https://hub.docker.com/_/mysql */
const limits: Readonly<Partial<Record<KnownImage['software'], Limit>>> = {
  postgresql: { names: /^(POSTGRES_|POSTGRESQL_|PG_?)?MAX_CONNECTIONS$/, instead: ' Start it with -c max_connections=…' },
  mysql: { names: /^(MYSQL_|MARIADB_)?MAX_CONNECTIONS$/, instead: ' Start it with --max-connections=…' },
};

/** The variables of the official image of a database. */
export function serverVocabulary(repository: string, { software, maker }: KnownImage): Vocabulary | undefined {
  const limit = maker === 'official' ? limits[software] : undefined;
  return (
    limit && {
      reader: `The image ${repository}`,
      judge: (name) => (limit.names.test(name) ? { fate: 'ignored', instead: limit.instead } : undefined),
    }
  );
}
