import { named } from '@poolcheck/parsers/nginx/resolve';
import { upstreamsOf, type Upstream } from '@poolcheck/parsers/nginx/upstreams';
import { placeOf } from '@poolcheck/parsers/text';
import type { Nginx } from '../deployment/model.ts';
import { headOf } from '../deployment/proxies/reuse.ts';
import type { Related, Report } from '../finding.ts';
import type { Known } from '../known.ts';
import { addBefore } from '../nginx/edits.ts';
import { numberIn, workerConnectionsOf, workersOf } from '../nginx/workers.ts';
import { nginxRule } from '../rule.ts';

type MessageId = 'files' | 'idle' | 'multiplied' | 'multipliedByCores';

export default nginxRule({
  id: 'nginx-connection-limits',
  severity: 'warning',
  summary: 'Limits of nginx contradict each other, so that connections are refused, or a limit is a multiple of what is written.',
  messages: {
    files:
      'Each of {connections} worker_connections takes a descriptor, but worker_rlimit_nofile allows {files}: beyond them nginx fails with "Too many open files".',
    idle: 'Idle connections to {upstreams} upstreams, up to {idle}, leave nothing of the {connections} worker_connections, of which each request takes two: nginx fails with "worker_connections are not enough".',
    multiplied:
      'max_conns={limit} counts in each of {workers} workers for itself: {upstream} gets up to {total} connections. Only with a zone do the workers count together.',
    multipliedByCores:
      'max_conns={limit} counts in each worker for itself, and there is one for each core: {upstream} gets a multiple. Only with a zone do the workers count together.',
  },
  *check(nginx) {
    const connections = workerConnectionsOf(nginx.config);
    yield* aboutFiles(nginx, connections);
    yield* aboutIdle(nginx, connections);
    for (const [, upstream] of upstreamsOf(nginx.config)) yield* aboutMaxConns(upstream, nginx);
  },
});

function* aboutFiles({ config }: Nginx, connections: Known | undefined): Iterable<Report<MessageId>> {
  const [limit] = config.context === 'main' ? named(config, 'worker_rlimit_nofile') : [];
  const files = numberIn(limit?.args[0]);
  if (!limit || files === undefined || !connections || connections.source !== 'written' || connections.low <= files) return;
  yield {
    at: placeOf(limit.text, limit.range),
    message: 'files',
    data: { connections: connections.low, files },
    related: relatedTo(connections),
  };
}

/** One upstream alone keeps no more than it has had in use, which leaves as many for the clients. */
function* aboutIdle({ routes }: Nginx, connections: Known | undefined): Iterable<Report<MessageId>> {
  const kept = new Set(
    routes.flatMap(({ reached, reuse }) => (reached.kind === 'upstream' && reuse.kind === 'kept' ? [reached.upstream.directive] : [])),
  );
  const caches = [...kept].flatMap(({ block }) => (block ? named(block, 'keepalive') : []));
  const idle = caches.reduce((sum, { args }) => sum + (numberIn(args[0]) ?? 0), 0);
  const [at] = connections?.evidence ?? [];
  const [first] = caches;
  if (!connections || !first || caches.length < 2 || idle < connections.high) return;
  yield {
    at: at?.place ?? placeOf(first.text, first.range),
    message: 'idle',
    data: { upstreams: caches.length, idle, connections: connections.high },
    related: caches.map(({ text, range }) => ({ at: placeOf(text, range), message: 'kept idle by each worker' })),
  };
}

function* aboutMaxConns(upstream: Upstream, { config }: Nginx): Iterable<Report<MessageId>> {
  const { name, block, servers } = upstream;
  const limited = servers.filter(({ maxConns }) => maxConns && maxConns.value > 0);
  const [first] = limited;
  const workers = workersOf(config);
  const isByCores = config.context === 'main' && workers.evidence.some(({ place }) => place) && workers.high === Infinity;
  if (!first?.maxConns || !block.complete || named(block, 'zone').length > 0 || (workers.low < 2 && !isByCores)) return;
  const limit = first.maxConns.value;
  const limits = limited.reduce((sum, { maxConns }) => sum + (maxConns?.value ?? 0), 0);
  const [line] = block.directives;
  yield {
    at: placeOf(first.directive.text, first.maxConns.range),
    message: isByCores ? 'multipliedByCores' : 'multiplied',
    data: { limit, workers: workers.low, upstream: name, total: limits * workers.low },
    related: [...relatedTo(workers), { at: headOf(upstream), message: 'there is no zone in it' }],
    fixes: line ? [{ title: 'Let the workers count together', safe: false, edits: [addBefore(line, [`zone ${name} 64k;`])] }] : [],
    symbol: name,
  };
}

function relatedTo({ evidence }: Known): readonly Related[] {
  return evidence.flatMap(({ place, says }) => (place ? [{ at: place, message: says }] : []));
}
