import { groupBy } from '../../group.ts';
import { assumed } from '../../known.ts';
import type { Proxy, ProxyRoute } from '../model.ts';
import type { Entrance, Stack } from '../stack.ts';
import { serversOf } from './servers.ts';
import type { ServiceAt } from '../proxies.ts';

/** What passes requests on to the containers of a stack from outside: one proxy for each software. */
export function proxiesBefore({ entrances = [] }: Stack, serviceAt: ServiceAt): readonly Proxy[] {
  return Array.from(
    groupBy(entrances, ({ software }) => software),
    ([software, [first, ...others]]) =>
      first
        ? {
            name: software,
            software,
            at: first.at,
            version: undefined,
            instances: assumed(1, Infinity, 'nothing says how many run'),
            routes: [first, ...others].map((entrance) => routeOf(entrance, serviceAt)),
          }
        : [],
  ).flat();
}

function routeOf({ at, endpoint, port, reuse, answer, resends }: Entrance, serviceAt: ServiceAt): ProxyRoute {
  const service = serviceAt(endpoint);
  return { at, reuse, answer, resends, ...serversOf(service ? [{ service, endpoint, port }] : []) };
}
