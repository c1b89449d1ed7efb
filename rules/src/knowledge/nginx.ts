import { exactly, rowsIn, type Version } from '../version.ts';

/** What nginx does for connections to the servers behind it when nothing is said. */
export interface NginxUpstreamDefaults {
  /** The first version it holds for. */
  readonly since: Version;
  /** Idle connections that a declared `upstream` keeps per worker. */
  readonly keepalive: number;
  readonly httpVersion: '1.0' | '1.1';
  /** The Connection header that is sent; undefined: none. */
  readonly connection: 'close' | undefined;
  /** How long an idle connection is kept, ms. */
  readonly keepaliveTimeout: number;
  /** A balancing method that is written after `keepalive` turns it off. */
  readonly methodCancelsKeepalive: boolean;
}

/**
 * Ascending.
 *
 * https://nginx.org/en/CHANGES (1.15.3, 1.29.7), https://nginx.org/en/docs/http/ngx_http_upstream_module.html#keepalive,
 * https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_http_version
 */
const upstreamDefaults: readonly NginxUpstreamDefaults[] = [
  { since: [0, 0, 0], keepalive: 0, httpVersion: '1.0', connection: 'close', keepaliveTimeout: Infinity, methodCancelsKeepalive: true },
  { since: [1, 15, 3], keepalive: 0, httpVersion: '1.0', connection: 'close', keepaliveTimeout: 60_000, methodCancelsKeepalive: true },
  { since: [1, 29, 7], keepalive: 32, httpVersion: '1.1', connection: undefined, keepaliveTimeout: 60_000, methodCancelsKeepalive: false },
];

/** The defaults of a version; those of every version when it is not known. */
export function upstreamDefaultsOf(version: Version | undefined): readonly NginxUpstreamDefaults[] {
  return rowsIn(upstreamDefaults, version && exactly(version));
}

/** https://nginx.org/en/docs/ngx_core_module.html#worker_processes */
export const workerDefaults = { processes: 1, connections: 512 } as const;

/** https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_read_timeout, ms */
export const readTimeoutByDefault = 60_000;

/** https://nginx.org/en/docs/stream/ngx_stream_proxy_module.html#proxy_timeout, ms */
export const streamTimeoutByDefault = 600_000;

/**
 * For how long nginx keeps connections of its clients, ms; the main files of the official image and of packages say 65 s.
 *
 * https://nginx.org/en/docs/http/ngx_http_core_module.html#keepalive_timeout
 */
export const clientKeepalive = { byDefault: 75_000, ofPackages: 65_000 } as const;

/** Since then a POST is only sent again with `non_idempotent`: https://nginx.org/en/CHANGES (1.9.13) */
export const retriesPostsByDefault: Version = [1, 9, 13];

/** The directives that choose among the servers of an `upstream`. */
export const balancingMethods: readonly string[] = ['least_conn', 'ip_hash', 'hash', 'random', 'least_time'];

/**
 * The version that an image tag stands for. `1.29` moves on with its patches: it is not known when some of them differ in what is told
 * here, no more than `latest` or `stable`.
 */
export function nginxVersionOf(tag: string | undefined): Version | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(tag ?? '') ?? [];
  if (major === undefined || minor === undefined) return undefined;
  const version: Version = [Number(major), Number(minor), Number(patch ?? 0)];
  const changes = upstreamDefaults.some(({ since }) => since[0] === version[0] && since[1] === version[1]);
  return patch === undefined && changes ? undefined : version;
}

/** Where the official, the OpenResty and the Bitnami image have their main file. */
export const nginxMainFiles: readonly string[] = [
  '/etc/nginx/nginx.conf',
  '/usr/local/openresty/nginx/conf/nginx.conf',
  '/opt/bitnami/nginx/conf/nginx.conf',
];

/** What the main files of these images and of Alpine's package include into `http`. */
export const nginxSiteFiles: readonly string[] = [
  '/etc/nginx/conf.d/*.conf',
  '/etc/nginx/http.d/*.conf',
  '/opt/bitnami/nginx/conf/server_blocks/*.conf',
];

/** The folders whose files main files include into `http`, all of them. */
export function isSiteFolder(name: string): boolean {
  return name === 'conf.d' || name === 'http.d' || name === 'sites-enabled';
}

/** Folders that are there before anything is copied into them. */
export const nginxFolders: ReadonlySet<string> = new Set([
  '/etc/nginx',
  '/etc/nginx/conf.d',
  '/etc/nginx/http.d',
  '/etc/nginx/templates',
  '/opt/bitnami/nginx/conf/server_blocks',
]);

/** https://github.com/nginx/docker-nginx/blob/master/entrypoint/20-envsubst-on-templates.sh */
export const nginxTemplates = { folder: '/etc/nginx/templates/', suffix: '.template', target: '/etc/nginx/conf.d/' } as const;

const stockFiles: readonly RegExp[] = [
  /(^|\/)(mime\.types|fastcgi_params|fastcgi\.conf|scgi_params|uwsgi_params|koi-utf|koi-win|win-utf)$/,
  /\/(modules|modules-enabled)\/[^/]*\.conf$/,
  /(^|\/)options-ssl-nginx\.conf$/,
];

/** What comes with nginx, its packages or certbot, and says nothing of connections. */
export function isStockFile(path: string): boolean {
  return stockFiles.some((pattern) => pattern.test(path));
}
