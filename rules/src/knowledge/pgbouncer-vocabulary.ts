import { nearest } from '../nearest.ts';
import { pgbouncerSetting } from './pgbouncer.ts';
import type { PgbouncerImage } from './pgbouncer-images.ts';
import { callIt, type Misnomer, type Vocabulary } from './vocabulary.ts';

/** What the images call the same thing, other than a setting. */
const synonyms: readonly (readonly string[])[] = [
  ['DB_HOST', 'POSTGRESQL_HOST', 'DATABASES_HOST'],
  ['DB_PORT', 'POSTGRESQL_PORT', 'DATABASES_PORT'],
  ['DB_NAME', 'PGBOUNCER_DATABASE', 'DATABASES_DBNAME'],
  ['DB_USER', 'POSTGRESQL_USERNAME', 'DATABASES_USER'],
  ['DB_PASSWORD', 'POSTGRESQL_PASSWORD', 'DATABASES_PASSWORD'],
];

/** The variables of an image of PgBouncer. */
export function imageVocabulary(repository: string, image: PgbouncerImage): Vocabulary {
  const isRead = (name: string) => image.settings.has(name) || image.others.test(name);
  return {
    reader: `The image ${repository}`,
    isForOwnFile: (name) => image.settings.has(name) && !image.others.test(name),
    judge: (name, others) => {
      if (isRead(name)) return undefined;
      if (image.refused.has(name)) return { fate: 'refused', instead: callIt(image.refused.get(name)) };
      const meant = synonymOf(name, isRead) ?? settingMeantBy(name, image);
      // Beside the right name a wrong one changes nothing.
      return meant && !(meant.name !== undefined && others.has(meant.name)) ? ignored(meant.name) : undefined;
    },
  };
}

function ignored(name: string | undefined): Misnomer {
  return { fate: 'ignored', instead: name === undefined ? ' It has no variable for that: mount a pgbouncer.ini instead.' : callIt(name) };
}

interface Meant {
  /** undefined: the image has no variable for it. */
  readonly name: string | undefined;
}

function synonymOf(name: string, isRead: (name: string) => boolean): Meant | undefined {
  const same = synonyms.find((names) => names.includes(name))?.find(isRead);
  return same === undefined ? undefined : { name: same };
}

/** A setting by the name that another image has for it, or one that is misspelt. */
function settingMeantBy(name: string, { settings }: PgbouncerImage): Meant | undefined {
  const setting = name.replace(/^PGBOUNCER_/, '').toLowerCase();
  const isPlain = setting.includes('_') || name.startsWith('PGBOUNCER_');
  if (isPlain && pgbouncerSetting('pgbouncer', setting)) return { name: variableFor(setting, settings) };
  const misspelt = name.length > 8 && name.includes('_') ? nearest(name, settings.keys(), 1) : undefined;
  return misspelt === undefined ? undefined : { name: misspelt };
}

function variableFor(setting: string, settings: PgbouncerImage['settings']): string | undefined {
  return [...settings].find(([, each]) => each === setting)?.[0];
}

/**
 * What CloudNativePG lets through to PgBouncer; it writes the others itself, or not at all.
 * https://github.com/cloudnative-pg/cloudnative-pg/blob/main/internal/webhook/v1/pooler_webhook.go
 */
const allowed: ReadonlySet<string> = new Set(
  `application_name_add_host auth_type autodb_idle_timeout cancel_wait_timeout client_idle_timeout client_login_timeout
  client_tls_sslmode default_pool_size disable_pqexec dns_max_ttl dns_nxdomain_ttl idle_transaction_timeout ignore_startup_parameters
  listen_backlog log_connections log_disconnections log_pooler_errors log_stats max_client_conn max_db_connections max_packet_size
  max_prepared_statements max_user_connections min_pool_size pkt_buf query_timeout query_wait_timeout reserve_pool_size
  reserve_pool_timeout sbuf_loopcnt server_check_delay server_check_query server_connect_timeout server_fast_close
  server_idle_timeout server_lifetime server_login_retry server_reset_query server_reset_query_always server_round_robin
  server_tls_ciphers server_tls_protocols server_tls_sslmode stats_period suspend_timeout tcp_defer_accept tcp_socket_buffer
  tcp_keepalive tcp_keepcnt tcp_keepidle tcp_keepintvl tcp_user_timeout track_extra_parameters verbose`.split(/\s+/),
);

/** The parameters of a CloudNativePG `Pooler`. What PgBouncer does not know at all, another rule tells. */
export const poolerParameters: Vocabulary = {
  reader: 'CloudNativePG',
  judge: (name) => {
    if (allowed.has(name) || !pgbouncerSetting('pgbouncer', name)) return undefined;
    return { fate: 'rejected', instead: name === 'pool_mode' ? ' Here it is spec.pgbouncer.poolMode.' : '' };
  },
};
