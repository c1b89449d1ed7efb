import type { Context, Directive } from './document.ts';

const ofMain: ReadonlySet<string> = new Set([
  'http',
  'events',
  'stream',
  'mail',
  'user',
  'pid',
  'worker_processes',
  'worker_rlimit_nofile',
  'worker_shutdown_timeout',
  'load_module',
  'daemon',
  'env',
  'thread_pool',
]);

const ofServer: ReadonlySet<string> = new Set(['location', 'listen', 'server_name']);

const passes: ReadonlySet<string> = new Set(['proxy_pass', 'fastcgi_pass', 'uwsgi_pass', 'scgi_pass', 'grpc_pass', 'memcached_pass']);

/** The block that these directives can only stand in, told by their names. */
export function contextOf(directives: readonly Directive[]): Context {
  const named = (names: ReadonlySet<string>) => directives.some(({ name }) => names.has(name.value));
  const blocks = (name: string) => directives.filter((directive) => directive.name.value === name && directive.block);
  if (named(ofMain)) return 'main';
  if (blocks('server').some(isStreamServer)) return 'stream';
  if (blocks('server').length > 0 || blocks('upstream').length > 0 || blocks('map').length > 0) return 'http';
  if (directives.some(({ name, block }) => name.value === 'server' && !block)) return 'upstream';
  if (named(ofServer)) return 'server';
  return named(passes) ? 'location' : 'unknown';
}

/** In `http`, only locations pass requests on. */
function isStreamServer({ block }: Directive): boolean {
  return block?.directives.some(({ name }) => name.value === 'proxy_pass') ?? false;
}
