import { groupBy } from '../group.ts';
import type { Version } from '../version.ts';

/** Where a directive may stand: the block around it, of HTTP unless it says otherwise. */
export type NginxBlock =
  | 'main'
  | 'events'
  | 'http'
  | 'server'
  | 'location'
  | 'if in server'
  | 'if in location'
  | 'limit_except'
  | 'upstream'
  | 'stream'
  | 'stream server'
  | 'stream upstream';

/** What nginx accepts as the first argument. */
export type NginxValue = 'time' | 'number' | 'flag' | readonly string[] | 'anything';

export interface NginxDirective {
  readonly name: string;
  readonly blocks: readonly NginxBlock[];
  readonly args: readonly [least: number, most: number];
  readonly value: NginxValue;
  /** And as the others; left out: the same. */
  readonly second?: NginxValue;
  /** The first version that has it in these blocks; undefined: older than what anybody runs. */
  readonly since: Version | undefined;
  /** A second one in the same block is refused. */
  readonly once: boolean;
}

type Row = readonly [name: string, value: NginxValue, options?: Partial<Pick<NginxDirective, 'args' | 'second' | 'since' | 'once'>>];

const any = Infinity;

function directives(blocks: readonly NginxBlock[], rows: readonly Row[]): readonly NginxDirective[] {
  return rows.map(([name, value, options]) => ({ name, blocks, value, args: [1, 1], since: undefined, once: true, ...options }));
}

const everywhere: readonly NginxBlock[] = ['http', 'server', 'location'];
const conditions = ['error', 'timeout', 'denied', 'invalid_header', 'non_idempotent', 'off'];
const statuses = ['http_500', 'http_502', 'http_503', 'http_504', 'http_403', 'http_404', 'http_429'];

/** What `proxy_`, `fastcgi_` and their like have in common. */
function family(prefix: string, words: readonly string[], since?: Version): readonly NginxDirective[] {
  return directives(everywhere, [
    [`${prefix}_connect_timeout`, 'time', { since }],
    [`${prefix}_read_timeout`, 'time', { since }],
    [`${prefix}_send_timeout`, 'time', { since }],
    [`${prefix}_next_upstream`, [...conditions, ...words], { args: [1, any], once: false, since }],
    [`${prefix}_next_upstream_tries`, 'number', { since: since ?? [1, 7, 5] }],
    [`${prefix}_next_upstream_timeout`, 'time', { since: since ?? [1, 7, 5] }],
    [`${prefix}_socket_keepalive`, 'flag', { since: [1, 15, 6] }],
    [`${prefix}_bind`, 'anything', { args: [1, 2], since }],
  ]);
}

/**
 * The directives that decide on connections, timeouts and capacity, each as often as it means different things in different blocks.
 *
 * https://nginx.org/en/docs/dirindex.html, https://nginx.org/en/CHANGES
 */
const all: readonly NginxDirective[] = [
  ...directives(
    ['upstream'],
    [
      ['keepalive', 'number', { args: [1, 2], second: ['local'] }],
      ['keepalive_requests', 'number', { since: [1, 15, 3] }],
      ['keepalive_time', 'time', { since: [1, 19, 10] }],
      ['keepalive_timeout', 'time', { since: [1, 15, 3] }],
      ['resolver_timeout', 'time', { since: [1, 27, 3] }],
      ['zone', 'anything', { args: [1, 2], once: false }],
      ['least_conn', 'anything', { args: [0, 0], once: false }],
      ['ip_hash', 'anything', { args: [0, 0], once: false }],
      ['hash', 'anything', { args: [1, 2], once: false }],
      ['random', 'anything', { args: [0, 2], once: false, since: [1, 15, 1] }],
    ],
  ),
  ...directives(['location', 'if in location', 'limit_except'], [['proxy_pass', 'anything']]),
  ...directives(
    ['location', 'if in location'],
    [
      ['fastcgi_pass', 'anything'],
      ['uwsgi_pass', 'anything'],
      ['scgi_pass', 'anything'],
      ['memcached_pass', 'anything'],
      ['grpc_pass', 'anything', { since: [1, 13, 10] }],
    ],
  ),
  ...family('proxy', statuses),
  ...family('fastcgi', statuses),
  ...family('uwsgi', statuses),
  ...family('scgi', statuses),
  ...family('grpc', statuses, [1, 13, 10]),
  ...family('memcached', ['invalid_response', 'not_found']),
  ...directives(everywhere, [
    ['proxy_http_version', ['1.0', '1.1', '2']],
    ['proxy_set_header', 'anything', { args: [2, 2], once: false }],
    ['grpc_set_header', 'anything', { args: [2, 2], once: false, since: [1, 13, 10] }],
    ['proxy_buffering', 'flag'],
    ['proxy_request_buffering', 'flag', { since: [1, 7, 11] }],
    ['proxy_ignore_client_abort', 'flag'],
    ['proxy_intercept_errors', 'flag'],
    ['proxy_ssl_session_reuse', 'flag'],
    ['proxy_cache_lock_timeout', 'time'],
    ['fastcgi_keep_conn', 'flag'],
    ['fastcgi_buffering', 'flag'],
    ['uwsgi_buffering', 'flag'],
    ['scgi_buffering', 'flag'],
    ['keepalive_timeout', 'time', { args: [1, 2] }],
    ['keepalive_requests', 'number'],
    ['keepalive_time', 'time', { since: [1, 19, 10] }],
    ['keepalive_min_timeout', 'time', { since: [1, 27, 4] }],
    ['client_body_timeout', 'time'],
    ['send_timeout', 'time'],
    ['lingering_timeout', 'time'],
    ['lingering_time', 'time'],
    ['reset_timedout_connection', 'flag'],
    ['resolver_timeout', 'time'],
  ]),
  ...directives(['http', 'server'], [['client_header_timeout', 'time']]),
  ...directives(
    ['main'],
    [
      ['worker_processes', 'anything'],
      ['worker_rlimit_nofile', 'number'],
      ['worker_shutdown_timeout', 'time', { since: [1, 11, 11] }],
    ],
  ),
  ...directives(
    ['events'],
    [
      ['worker_connections', 'number'],
      ['multi_accept', 'flag'],
      ['accept_mutex', 'flag'],
    ],
  ),
  ...directives(['stream server'], [['proxy_pass', 'anything']]),
  ...directives(
    ['stream', 'stream server'],
    [
      ['proxy_timeout', 'time'],
      ['proxy_connect_timeout', 'time'],
      ['proxy_next_upstream', 'flag'],
      ['proxy_next_upstream_tries', 'number'],
      ['proxy_next_upstream_timeout', 'time'],
      ['proxy_socket_keepalive', 'flag', { since: [1, 15, 6] }],
      ['preread_timeout', 'time', { since: [1, 11, 5] }],
      ['proxy_bind', 'anything', { args: [1, 2] }],
      ['resolver_timeout', 'time'],
    ],
  ),
  ...directives(
    ['stream upstream'],
    [
      ['zone', 'anything', { args: [1, 2], once: false }],
      ['least_conn', 'anything', { args: [0, 0], once: false }],
      ['hash', 'anything', { args: [1, 2], once: false }],
      ['random', 'anything', { args: [0, 2], once: false }],
    ],
  ),
];

const byName = groupBy(all, ({ name }) => name);

/** What is known of a directive, once for each kind of block; nothing for one that is not in the table. */
export function nginxDirectives(name: string): readonly NginxDirective[] {
  return byName.get(name) ?? [];
}

export const nginxDirectiveNames: readonly string[] = [...byName.keys()];

/** An argument that came later than its directive. */
export interface NewerArgument {
  readonly name: string;
  readonly at: number;
  readonly value: string;
  readonly since: Version;
}

/** https://nginx.org/en/CHANGES (1.29.4, 1.29.7) */
export const newerArguments: readonly NewerArgument[] = [
  { name: 'keepalive', at: 0, value: '0', since: [1, 29, 7] },
  { name: 'keepalive', at: 1, value: 'local', since: [1, 29, 7] },
  { name: 'proxy_http_version', at: 0, value: '2', since: [1, 29, 4] },
];
