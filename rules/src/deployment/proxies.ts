import { routesOf, type Route } from '@poolcheck/parsers/nginx/routes';
import { placeOf } from '@poolcheck/parsers/text';
import type { Version } from '../version.ts';
import type { ImageOf } from './images.ts';
import type { Proxy, ProxyRoute, Service } from './model.ts';
import { nginxConfigOf } from './proxies/config.ts';
import { reuseOf } from './proxies/reuse.ts';
import { serversBehind, type FindService } from './proxies/servers.ts';
import type { Container, Endpoint, Stack, Workload } from './stack.ts';

export interface ProxySources {
  readonly imageOf: ImageOf;
  /** The service of the repository that runs in a container. */
  readonly serviceAt: (endpoint: Endpoint) => Service | undefined;
}

/** The proxies of a stack whose configuration is in the project. */
export function proxiesOf(stack: Stack, sources: ProxySources): readonly Proxy[] {
  return stack.workloads.flatMap((workload) =>
    workload.containers.flatMap((container) => proxyIn(container, workload, stack, sources) ?? []),
  );
}

function proxyIn(container: Container, workload: Workload, stack: Stack, { imageOf, serviceAt }: ProxySources): Proxy | undefined {
  const image = imageOf(container);
  const config = nginxConfigOf(container, image.files());
  if (!config) return undefined;
  const version = image.version('nginx');
  const find: FindService = (host, port) => {
    const endpoint = stack.resolve(host, port, workload);
    const service = endpoint && serviceAt(endpoint);
    return service && { service, endpoint };
  };
  const routes = routesOf(config).flatMap((route) => routesTo(route, version, find));
  return { name: workload.name, software: 'nginx', at: container.at, version, config, routes };
}

/** What is not known to be reached is no route. */
function routesTo(route: Route, version: Version | undefined, find: FindService): readonly ProxyRoute[] {
  const at = placeOf(route.proxyPass.text, route.proxyPass.range);
  return (route.reaches ?? []).map((reached) => ({ at, reuse: reuseOf(route, reached, version), servers: serversBehind(reached, find) }));
}
