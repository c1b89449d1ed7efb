import { routesOf, type Route } from '@poolcheck/parsers/nginx/routes';
import { placeOf } from '@poolcheck/parsers/text';
import type { Version } from '../version.ts';
import type { ImageOf } from './images.ts';
import type { Nginx, NginxRoute, Service } from './model.ts';
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
export function proxiesOf(stack: Stack, sources: ProxySources): readonly Nginx[] {
  return stack.workloads.flatMap((workload) =>
    workload.containers.flatMap((container) => proxyIn(container, workload, stack, sources) ?? []),
  );
}

function proxyIn(container: Container, workload: Workload, stack: Stack, { imageOf, serviceAt }: ProxySources): Nginx | undefined {
  const image = imageOf(container);
  const read = nginxConfigOf(container, image.files());
  if (!read) return undefined;
  const version = image.version('nginx');
  const find: FindService = (host, port) => {
    const endpoint = stack.resolve(host, port, workload);
    const service = endpoint && serviceAt(endpoint);
    return service && { service, endpoint };
  };
  const routes = routesOf(read.document).flatMap((route) => routesTo(route, version, find));
  const { name, instances } = workload;
  return { name, software: 'nginx', at: container.at, version, instances, config: read.document, problems: read.problems, routes };
}

/** What is not known to be reached is no route. */
export function routesTo(route: Route, version: Version | undefined, find: FindService = () => undefined): readonly NginxRoute[] {
  const at = placeOf(route.pass.text, route.pass.range);
  return (route.reaches ?? []).map((reached) => ({
    at,
    route,
    reached,
    reuse: reuseOf(route, reached, version),
    servers: route.protocol === 'http' ? serversBehind(reached, find) : [],
  }));
}
