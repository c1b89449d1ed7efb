import { groupBy } from '../../group.ts';
import { assumed } from '../../known.ts';
import type { Nginx, Proxy, ProxyRoute } from '../model.ts';
import type { Entrance, Stack } from '../stack.ts';
import { serversOf } from './servers.ts';
import type { ServiceAt } from '../proxies.ts';

/** What passes requests on to the containers of a stack from outside: one proxy for each software. */
export function proxiesBefore({ entrances = [] }: Stack, serviceAt: ServiceAt, running: readonly Nginx[]): readonly Proxy[] {
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
            routes: [first, ...others].map((entrance) => routeOf(entrance, serviceAt, running)),
          }
        : [],
  ).flat();
}

function routeOf({ endpoint, port, ...entrance }: Entrance, serviceAt: ServiceAt, running: readonly Nginx[]): ProxyRoute {
  const service = serviceAt(endpoint);
  const nginx = running.find(({ at }) => at === endpoint.container.at);
  return { ...entrance, nginx, ...serversOf(service ? [{ service, endpoint, port }] : []) };
}
