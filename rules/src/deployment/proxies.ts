import { effective } from '@poolcheck/parsers/nginx/resolve';
import { routesOf, type Route } from '@poolcheck/parsers/nginx/routes';
import { parseTime } from '@poolcheck/parsers/nginx/time';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import { readTimeoutByDefault } from '../knowledge/nginx.ts';
import type { TimeLimit } from '../source/limits/time-limit.ts';
import type { Version } from '../version.ts';
import type { ImageOf } from './images.ts';
import type { Nginx, NginxRoute, Service } from './model.ts';
import { nginxConfigOf } from './proxies/config.ts';
import { reuseOf } from './proxies/reuse.ts';
import { answeringAt, serversOf, type FindService } from './proxies/servers.ts';
import type { Container, Endpoint, Stack, Workload } from './stack.ts';

export interface ProxySources {
  readonly imageOf: ImageOf;
  readonly serviceAt: ServiceAt;
}

/** The service of the repository that runs in a container. */
export type ServiceAt = (endpoint: Endpoint) => Service | undefined;

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
    answer: readTimeoutOf(route, at),
    givesUp: effective(route.scope, 'proxy_next_upstream')?.at(-1)?.args[0]?.value.toLowerCase() === 'off',
    ...serversOf(route.protocol === 'http' ? answeringAt(reached, find) : []),
  }));
}

function readTimeoutOf({ scope, protocol }: Route, at: Place): TimeLimit | undefined {
  const of = `${protocol === 'http' ? 'proxy' : protocol}_read_timeout`;
  const found = effective(scope, of);
  if (!found) return undefined;
  const directive = found.at(-1);
  if (!directive) return { milliseconds: readTimeoutByDefault, of, place: at };
  const [time] = directive.args;
  const milliseconds = time && !time.hole ? parseTime(time.value) : undefined;
  const place = placeOf(directive.text, directive.range);
  return time && milliseconds !== undefined
    ? { milliseconds, of, place, number: { place: placeOf(directive.text, time.range), unit: 's', after: 's' } }
    : undefined;
}
