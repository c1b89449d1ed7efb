/** `registry/repository:tag@digest`. */
export interface ImageReference {
  /** Without the registry; `library/` left out. */
  readonly repository: string;
  /** undefined: none given, or not known. */
  readonly tag: string | undefined;
}

/** Reads an image reference; a tag with a hole in it is not known. */
export function parseImage(reference: string): ImageReference {
  const [name = ''] = reference.split('@');
  const slash = name.lastIndexOf('/');
  const colon = name.indexOf(':', slash + 1);
  const path = colon < 0 ? name : name.slice(0, colon);
  const tag = colon < 0 ? undefined : name.slice(colon + 1);
  return { repository: withoutRegistry(path), tag: tag === undefined || !/^\w[\w.-]*$/.test(tag) ? undefined : tag };
}

/** The first part is a registry when it looks like a host. */
function withoutRegistry(path: string): string {
  const [first = '', ...rest] = path.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return (isHost ? rest : [first, ...rest]).join('/').replace(/^library\//, '');
}

export type Software = 'postgresql' | 'mysql' | 'pgbouncer' | 'pgcat' | 'pgdog' | 'odyssey' | 'pgpool' | 'nginx' | 'other';

/** A published image that is not an application of the repository. */
export interface KnownImage {
  readonly software: Software;
  /** Whose entrypoint it is: which variables and files it reads. */
  readonly maker: 'official' | 'bitnami' | 'edoburu' | 'pgbouncer' | 'other';
  readonly port?: number;
  /** Its entrypoint hands the process over, and it names no signal of its own: what ends the container ends the server. */
  readonly signals?: 'handed on';
  /** Its tags do not say the version of the software. */
  readonly tags?: 'of its own';
}

/**
 * By the end of the repository, the longest first. `maker: other` means that the image sets its own defaults or none that is written down.
 *
 * https://hub.docker.com/_/postgres, https://github.com/bitnami/containers, https://github.com/edoburu/docker-pgbouncer,
 * https://hub.docker.com/r/pgbouncer/pgbouncer, https://github.com/icoretech/pgbouncer-docker, https://hub.docker.com/_/nginx
 */
const servers: readonly (readonly [repositories: readonly string[], image: KnownImage])[] = [
  [
    ['postgres', 'postgis/postgis', 'pgvector/pgvector', 'ankane/pgvector', 'imresamu/postgis'],
    { software: 'postgresql', maker: 'official', port: 5432 },
  ],
  [
    ['bitnami/postgresql', 'bitnamilegacy/postgresql', 'bitnamisecure/postgresql'],
    { software: 'postgresql', maker: 'bitnami', port: 5432 },
  ],
  [
    [
      'timescale/timescaledb',
      'timescale/timescaledb-ha',
      'supabase/postgres',
      'citusdata/citus',
      'cloudnative-pg/postgresql',
      'zalando/spilo',
    ],
    { software: 'postgresql', maker: 'other', port: 5432 },
  ],
  [['mysql', 'mariadb', 'mysql/mysql-server', 'percona'], { software: 'mysql', maker: 'official', port: 3306 }],
  [['bitnami/mysql', 'bitnami/mariadb', 'bitnamilegacy/mysql', 'bitnamilegacy/mariadb'], { software: 'mysql', maker: 'other', port: 3306 }],
  [['edoburu/pgbouncer'], { software: 'pgbouncer', maker: 'edoburu', port: 5432, signals: 'handed on' }],
  [
    ['bitnami/pgbouncer', 'bitnamilegacy/pgbouncer', 'bitnamisecure/pgbouncer'],
    { software: 'pgbouncer', maker: 'bitnami', port: 6432, signals: 'handed on' },
  ],
  [['pgbouncer/pgbouncer'], { software: 'pgbouncer', maker: 'pgbouncer', port: 6432 }],
  [['icoretech/pgbouncer-docker', 'cloudnative-pg/pgbouncer'], { software: 'pgbouncer', maker: 'other', port: 6432 }],
  [['zalando/pgbouncer', 'crunchydata/crunchy-pgbouncer'], { software: 'pgbouncer', maker: 'other', port: 5432, tags: 'of its own' }],
  [['postgresml/pgcat', 'levkk/pgcat'], { software: 'pgcat', maker: 'other', port: 6432 }],
  [['pgdogdev/pgdog'], { software: 'pgdog', maker: 'other', port: 6432 }],
  [['yandex/odyssey'], { software: 'odyssey', maker: 'other', port: 6432 }],
  [['pgpool/pgpool'], { software: 'pgpool', maker: 'other', port: 9999 }],
  [['bitnami/pgpool', 'bitnamilegacy/pgpool', 'bitnamisecure/pgpool'], { software: 'pgpool', maker: 'bitnami', port: 5432 }],
  [
    ['nginx', 'nginxinc/nginx-unprivileged', 'bitnami/nginx', 'bitnamilegacy/nginx', 'openresty/openresty'],
    { software: 'nginx', maker: 'official' },
  ],
];

/** Published images whose containers never run code of the repository that is checked. */
const others: readonly string[] = [
  'redis',
  'valkey/valkey',
  'bitnami/redis',
  'memcached',
  'mongo',
  'rabbitmq',
  'nats',
  'confluentinc/cp-kafka',
  'apache/kafka',
  'bitnami/kafka',
  'zookeeper',
  'elasticsearch',
  'elasticsearch/elasticsearch',
  'opensearchproject/opensearch',
  'clickhouse/clickhouse-server',
  'minio/minio',
  'minio/mc',
  'traefik',
  'caddy',
  'haproxy',
  'envoyproxy/envoy',
  'grafana/grafana',
  'prom/prometheus',
  'jaegertracing/all-in-one',
  'otel/opentelemetry-collector',
  'otel/opentelemetry-collector-contrib',
  'adminer',
  'dpage/pgadmin4',
  'phpmyadmin',
  'postgrest/postgrest',
  'hasura/graphql-engine',
  'keycloak/keycloak',
  'localstack/localstack',
  'axllent/mailpit',
  'mailhog/mailhog',
  'prometheuscommunity/postgres-exporter',
  'wrouesnel/postgres_exporter',
];

const byRepository: ReadonlyMap<string, KnownImage> = new Map([
  ...servers.flatMap(([repositories, image]) => repositories.map((repository) => [repository, image] as const)),
  ...others.map((repository) => [repository, { software: 'other', maker: 'other' }] as const),
]);

/** An image of one's own that is named after a server runs that server, in a way of its own. */
const byLastName: ReadonlyMap<string, KnownImage> = new Map([
  ['pgbouncer', { software: 'pgbouncer', maker: 'other', port: 6432, tags: 'of its own' }],
  ['pgcat', { software: 'pgcat', maker: 'other', port: 6432, tags: 'of its own' }],
  ['pgdog', { software: 'pgdog', maker: 'other', port: 6432, tags: 'of its own' }],
  ['pgpool', { software: 'pgpool', maker: 'other', port: 9999, tags: 'of its own' }],
  ['postgres', { software: 'postgresql', maker: 'other', port: 5432, tags: 'of its own' }],
  ['postgresql', { software: 'postgresql', maker: 'other', port: 5432, tags: 'of its own' }],
]);

/** What an image runs; undefined for one that may be an application of the repository. Mirrors keep the end of the name. */
export function knownImage({ repository }: ImageReference): KnownImage | undefined {
  const names = repository.split('/');
  const end = names
    .slice(-2)
    .join('/')
    .replace(/^library\//, '');
  return byRepository.get(repository) ?? byRepository.get(end) ?? byLastName.get(names.at(-1) ?? '');
}

/** Images of a bare runtime: what they run is in the command, and the code is mounted or copied in. */
export function isRuntimeImage({ repository }: ImageReference): boolean {
  return /^(node|oven\/bun|denoland\/deno|bitnami\/node|cimg\/node|circleci\/node)$/.test(repository);
}
