import type { Dockerfile } from '@poolcheck/parsers/dockerfile/parse';
import { routesOf } from '@poolcheck/parsers/nginx/routes';
import { placeOf } from '@poolcheck/parsers/text';
import { knownImage, parseImage, type ImageReference } from '../knowledge/images.ts';
import { nginxVersionOf } from '../knowledge/nginx.ts';
import type { Project } from '../project.ts';
import type { Proxy, ProxyRoute, Service } from './model.ts';
import { builtImage, type BuiltImage } from './proxies/copies.ts';
import { nginxConfigOf } from './proxies/config.ts';
import { containerFiles } from './proxies/files.ts';
import { reuseOf } from './proxies/reuse.ts';
import { serversBehind, type FindService } from './proxies/servers.ts';
import type { Container, Endpoint, Stack, Workload } from './stack.ts';

export interface ProxySources {
  readonly project: Project;
  /** By root-relative path. */
  readonly dockerfiles: ReadonlyMap<string, Dockerfile>;
  /** The service of the repository that runs in a container. */
  readonly serviceAt: (endpoint: Endpoint) => Service | undefined;
}

/** The proxies of a stack whose configuration is in the project. */
export function proxiesOf(stack: Stack, sources: ProxySources): readonly Proxy[] {
  return stack.workloads.flatMap((workload) =>
    workload.containers.flatMap((container) => proxyOf(container, workload, stack, sources) ?? []),
  );
}

function proxyOf(container: Container, workload: Workload, stack: Stack, sources: ProxySources): Proxy | undefined {
  const built = builtFor(container, sources);
  const config = nginxConfigOf(container, containerFiles(container, built?.copied ?? new Map(), sources.project));
  if (!config) return undefined;
  const version = versionOf(container, built);
  const find: FindService = (host, port) => {
    const endpoint = stack.resolve(host, port, workload);
    const service = endpoint && sources.serviceAt(endpoint);
    return service && { service, endpoint };
  };
  const routes = routesOf(config).flatMap((route) =>
    (route.reaches ?? []).map((reached): ProxyRoute => ({
      at: placeOf(route.proxyPass.text, route.proxyPass.range),
      reuse: reuseOf(route, reached, version),
      servers: serversBehind(reached, find),
    })),
  );
  return { name: workload.name, software: 'nginx', at: container.at, version, config, routes };
}

function builtFor({ build }: Container, { project, dockerfiles }: ProxySources): BuiltImage | undefined {
  const dockerfile = build && dockerfiles.get(build.dockerfile);
  return dockerfile && builtImage(dockerfile, build, project.list());
}

/** By the tag of the image, or of the one that it is built from. */
function versionOf({ image }: Container, built: BuiltImage | undefined): Proxy['version'] {
  const references = [image?.reference, built?.base && parseImage(built.base.value)];
  return references.map(ofNginxImage).find((version) => version !== undefined);
}

function ofNginxImage(reference: ImageReference | undefined): Proxy['version'] {
  return reference && knownImage(reference)?.software === 'nginx' ? nginxVersionOf(reference.tag) : undefined;
}
