import type { KnownImage } from './images.ts';

/** What the entrypoint of a published image makes of the environment. */
export interface PgbouncerImage {
  /** The settings of `[pgbouncer]` that it writes, by the variable it takes them from. */
  readonly settings: ReadonlyMap<string, string>;
  /** Variables that it reads for something else. */
  readonly others: RegExp;
  /** Variables of which it makes a line that PgBouncer refuses, and the one that was meant. */
  readonly refused: ReadonlyMap<string, string | undefined>;
  /** What it writes when it is told nothing, and PgBouncer would not; they all listen everywhere. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The files that it leaves alone when one is there: then it writes none of the settings. */
  readonly files: readonly string[];
}

function variables(names: string, prefix = ''): readonly (readonly [string, string])[] {
  const settings = names.trim().split(/\s+/);
  return settings.map((setting) => [prefix + setting.toUpperCase(), setting] as const);
}

/** https://github.com/edoburu/docker-pgbouncer/blob/master/entrypoint.sh */
const edoburu: PgbouncerImage = {
  settings: new Map(
    variables(`
      listen_addr listen_port unix_socket_dir auth_file auth_hba_file auth_type auth_user auth_query auth_dbname pool_mode
      max_client_conn default_pool_size min_pool_size reserve_pool_size reserve_pool_timeout max_db_connections max_user_connections
      server_round_robin ignore_startup_parameters disable_pqexec application_name_add_host max_prepared_statements log_connections
      log_disconnections log_pooler_errors log_stats stats_period verbose admin_users stats_users logfile server_reset_query
      server_reset_query_always server_check_delay server_check_query server_lifetime server_idle_timeout server_connect_timeout
      server_login_retry client_login_timeout autodb_idle_timeout dns_max_ttl dns_nxdomain_ttl client_tls_sslmode client_tls_key_file
      client_tls_cert_file client_tls_ca_file client_tls_protocols client_tls_ciphers client_tls_ecdhcurve client_tls_dheparams
      server_tls_sslmode server_tls_ca_file server_tls_key_file server_tls_cert_file server_tls_protocols server_tls_ciphers
      query_timeout query_wait_timeout client_idle_timeout idle_transaction_timeout pkt_buf max_packet_size listen_backlog sbuf_loopcnt
      suspend_timeout tcp_defer_accept tcp_keepalive tcp_keepcnt tcp_keepidle tcp_keepintvl tcp_user_timeout`),
  ),
  others: /^(DB_(HOST|PORT|NAME|USER|PASSWORD)|DATABASE_URLS?|AUTH_(FILE|TYPE))$/,
  refused: new Map([
    ['POOL_SIZE', 'DEFAULT_POOL_SIZE'],
    ['TIMEZONE', undefined],
    ['CLIENT_ENCODING', undefined],
  ]),
  defaults: { ignore_startup_parameters: 'extra_float_digits' },
  files: ['/etc/pgbouncer/pgbouncer.ini'],
};

/**
 * https://github.com/bitnami/containers/blob/main/bitnami/pgbouncer/1/debian-12/rootfs/opt/bitnami/scripts/pgbouncer-env.sh,
 * …/libpgbouncer.sh for what it writes
 */
const bitnami: PgbouncerImage = {
  settings: new Map([
    ...variables(
      `auth_type auth_user auth_query auth_hba_file auth_ident_file stats_users pool_mode max_client_conn default_pool_size min_pool_size
      reserve_pool_size reserve_pool_timeout max_db_connections max_prepared_statements ignore_startup_parameters query_wait_timeout
      query_timeout client_idle_timeout idle_transaction_timeout server_idle_timeout server_lifetime server_connect_timeout
      server_login_retry server_fast_close server_round_robin server_reset_query client_login_timeout autodb_idle_timeout stats_period
      log_connections log_disconnections log_pooler_errors log_stats application_name_add_host client_tls_sslmode client_tls_ca_file
      client_tls_cert_file client_tls_key_file client_tls_ciphers server_tls_sslmode server_tls_ca_file server_tls_cert_file
      server_tls_key_file server_tls_protocols server_tls_ciphers`,
      'PGBOUNCER_',
    ),
    ['PGBOUNCER_PORT', 'listen_port'],
    ['PGBOUNCER_LISTEN_ADDRESS', 'listen_addr'],
    ['PGBOUNCER_SOCKET_DIR', 'unix_socket_dir'],
    ['PGBOUNCER_SOCKET_MODE', 'unix_socket_mode'],
    ['PGBOUNCER_SOCKET_GROUP', 'unix_socket_group'],
    ['PGBOUNCER_LOG_FILE', 'logfile'],
  ]),
  others:
    /^(POSTGRESQL_(USERNAME|PASSWORD|DATABASE|HOST|PORT)|PGBOUNCER_(DATABASE|DSN_\d+|SET_DATABASE_(USER|PASSWORD)|USERLIST|CONNECT_QUERY|INIT_SLEEP_TIME|INIT_MAX_RETRIES|EXTRA_FLAGS|FORCE_INITSCRIPTS|FAIL_ON_INVALID_DSN_FILE|DAEMON_(USER|GROUP))|(PGBOUNCER|POSTGRESQL)_\w+_FILE|BITNAMI_DEBUG)$/,
  refused: new Map(),
  defaults: { ignore_startup_parameters: 'extra_float_digits' },
  files: ['/bitnami/pgbouncer/conf/pgbouncer.ini', '/opt/bitnami/pgbouncer/conf/pgbouncer.ini'],
};

/** Every setting, as `PGBOUNCER_…`, but for those that came after PgBouncer 1.15. https://hub.docker.com/r/pgbouncer/pgbouncer */
const pgbouncer: PgbouncerImage = {
  settings: new Map(
    variables(
      `logfile pidfile listen_addr listen_port unix_socket_dir unix_socket_mode unix_socket_group user auth_file auth_hba_file auth_type
      auth_user auth_query pool_mode max_client_conn default_pool_size min_pool_size reserve_pool_size reserve_pool_timeout
      max_db_connections max_user_connections server_round_robin ignore_startup_parameters disable_pqexec application_name_add_host
      conffile job_name syslog syslog_ident syslog_facility log_connections log_disconnections log_pooler_errors stats_period verbose
      admin_users stats_users server_reset_query server_reset_query_always server_check_delay server_check_query server_lifetime
      server_idle_timeout server_connect_timeout server_login_retry client_login_timeout autodb_idle_timeout dns_max_ttl
      dns_nxdomain_ttl client_tls_sslmode client_tls_key_file client_tls_cert_file client_tls_ca_file client_tls_protocols
      client_tls_ciphers client_tls_ecdhcurve client_tls_dheparams server_tls_sslmode server_tls_ca_file server_tls_key_file
      server_tls_cert_file server_tls_protocols server_tls_ciphers query_timeout query_wait_timeout client_idle_timeout
      idle_transaction_timeout pkt_buf max_packet_size listen_backlog sbuf_loopcnt suspend_timeout tcp_defer_accept tcp_keepalive
      tcp_keepcnt tcp_keepidle tcp_keepintvl`,
      'PGBOUNCER_',
    ),
  ),
  others: /^(DATABASES_\w+|QUIET)$/,
  refused: new Map(),
  defaults: { auth_type: 'any', ignore_startup_parameters: 'extra_float_digits' },
  files: [],
};

const byMaker: Readonly<Partial<Record<KnownImage['maker'], PgbouncerImage>>> = { edoburu, bitnami, pgbouncer };

/** What an image of PgBouncer reads; undefined for one that only reads a file, or of which that is not written down. */
export function pgbouncerImage({ software, maker }: KnownImage): PgbouncerImage | undefined {
  return software === 'pgbouncer' ? byMaker[maker] : undefined;
}
