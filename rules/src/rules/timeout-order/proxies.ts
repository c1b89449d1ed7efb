import type { Proxy, ProxyRoute, RoutedServer } from '../../deployment/model.ts';
import type { Report } from '../../finding.ts';
import { excerpt } from '../../source/describe.ts';
import { handlersIn } from '../../source/handlers/handlers.ts';
import { Limits, type LimitedCall } from '../../source/limits/limits.ts';
import type { TimeLimit } from '../../source/limits/time-limit.ts';
import { isFunction, placeOfNode, type FunctionNode } from '../../source/module.ts';
import type { Program } from '../../source/program.ts';
import { duration, isInverted, type MessageId, raise } from './order.ts';

/** A proxy must not answer for an application that still waits for an answer itself. */
export function* aboutProxies(program: Program, proxies: readonly Proxy[]): Iterable<Report<MessageId>> {
  for (const proxy of proxies) {
    for (const [routed, routes] of routesByServer(proxy)) {
      const outer = longestOf(routes);
      const inner = outer && longestFor(routed, program);
      if (!inner || !isInverted(inner.limit, outer)) continue;
      const { limit } = inner;
      const { node, module } = inner.call;
      yield {
        at: outer.place,
        message: 'proxy',
        data: {
          proxy: proxy.software,
          outer: duration(outer.milliseconds),
          call: excerpt(module, node),
          file: module.path,
          limit: limit.of,
          inner: duration(limit.milliseconds),
        },
        related: [
          { at: placeOfNode(module, node), message: 'the request waits for this' },
          { at: limit.place, message: `it ends after ${duration(limit.milliseconds)}` },
        ],
        fixes: raise(outer, limit),
      };
    }
  }
}

function routesByServer({ routes }: Proxy): ReadonlyMap<RoutedServer, readonly ProxyRoute[]> {
  const firsts = new Map<RoutedServer['server'], RoutedServer>();
  const found = new Map<RoutedServer, ProxyRoute[]>();
  for (const route of routes) {
    for (const routed of route.servers) {
      const first = firsts.get(routed.server) ?? routed;
      firsts.set(routed.server, first);
      found.set(first, [...(found.get(first) ?? []), route]);
    }
  }
  return found;
}

/** A handler may be asked on any of the routes; undefined when one of them cannot be told. */
function longestOf(routes: readonly ProxyRoute[]): TimeLimit | undefined {
  const limits = routes.map(({ answer }) => answer);
  if (!limits.every((limit) => limit !== undefined)) return undefined;
  return limits.toSorted((a, b) => b.milliseconds - a.milliseconds)[0];
}

/** What takes longest of all that the handlers of a server wait for. */
function longestFor({ server, service }: RoutedServer, program: Program): LimitedCall | undefined {
  const { modules, values, origins, held, reaches } = program;
  const limits = new Limits({ values, origins, waits: held.waits, environment: service.environment });
  const loaded = modules.filter(({ path, role }) => role === 'production' && reaches(server.module.path, path));
  const found = loaded
    .flatMap((module) => handlersIn(module, { values, origins }))
    .flatMap(({ unit: { node, module }, event }) => {
      if (event !== 'request' || !isFunction(node) || answersInParts(node, module.text.content)) return [];
      const longest = limits.longestIn({ node, module });
      return longest ? [longest] : [];
    });
  return found.toSorted((a, b) => b.limit.milliseconds - a.limit.milliseconds)[0];
}

/** nginx counts anew from each part. */
function answersInParts({ range: [start, end] }: FunctionNode, content: string): boolean {
  return /\.(write|pipe|pipeTo|flushHeaders|writeHead)\(|\bpipeline\(/.test(content.slice(start, end));
}
