import { placeOf } from '@poolcheck/parsers/text';
import { entriesOf, get, isAbsent, itemsOf, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { ConfigDocument } from '../../documents.ts';
import { documentsOf } from '../../documents.ts';
import { parseImage } from '../../knowledge/images.ts';
import { assumed, type Known, smallest, written } from '../../known.ts';
import type { Project } from '../../project.ts';
import { countOf } from '../count.ts';
import type { Scale } from '../model.ts';
import { joinPath } from '../paths.ts';
import type { Build, Container, ContainerPort, Endpoint, Stack, Workload } from '../stack.ts';
import { fill, filled, filledWords, type Filling } from './filling.ts';
import { type ComposeProject, composeProjects, type ComposeService, fieldOf, fieldsOf } from './project.ts';
import { environmentOf, fillingOf, namesIn } from './variables.ts';
import { mountsOf } from './volumes.ts';

/** The environments that compose files draw, one for each project. */
export function composeStacks(documents: readonly ConfigDocument[], project: Project): readonly Stack[] {
  return composeProjects(documentsOf(documents, 'compose')).map((compose) => stackOf(compose, project));
}

/** A service with a profile is only started when that is asked for. */
function isActive(service: ComposeService): boolean {
  return itemsOf(fieldOf(service, 'profiles')).length === 0;
}

function stackOf(compose: ComposeProject, project: Project): Stack {
  const filling = fillingOf(compose, project);
  const started = compose.services
    .filter(isActive)
    .map((service) => ({ service, workload: workloadOf(service, compose, filling, project) }));
  return {
    name: compose.path,
    workloads: started.map(({ workload }) => workload),
    complete: compose.complete,
    resolve: (host, _, from) => {
      const own = started.find(({ workload }) => workload === from)?.service;
      const name = own && nameBehind(host, own);
      const found = started.find(({ service }) => name !== undefined && namesOf(service).includes(name));
      return found && endpointOf(found.workload);
    },
  };
}

function endpointOf(workload: Workload): Endpoint | undefined {
  const [container] = workload.containers;
  return container && { workload, container };
}

/** `links: [db:database]` gives a service another name for one service alone; `network_mode: service:x` shares its loopback. */
function nameBehind(host: string, from: ComposeService): string | undefined {
  if (host === 'localhost' || host === '127.0.0.1') return /^service:(.+)$/.exec(stringOf(fieldOf(from, 'network_mode')) ?? '')?.[1];
  const links = fieldsOf(from, 'links')
    .flatMap(itemsOf)
    .map((link) => stringOf(link)?.split(':'));
  return links.find((link) => link?.[1] === host)?.[0] ?? host;
}

function namesOf(service: ComposeService): readonly string[] {
  const aliases = entriesOf(fieldOf(service, 'networks')).flatMap(({ value }) => itemsOf(get(value, 'aliases')));
  const names = [fieldOf(service, 'container_name'), fieldOf(service, 'hostname'), ...aliases];
  return [service.name, ...names.flatMap((name) => stringOf(name) ?? [])];
}

function workloadOf(service: ComposeService, compose: ComposeProject, filling: Filling, project: Project): Workload {
  const { name, at } = service;
  const instances = instancesOf(service, filling);
  const surge = surgeOf(service);
  return { name, at, instances, ...(surge && { surge }), containers: [containerOf(service, compose, filling, project)] };
}

/** https://docs.docker.com/reference/compose-file/deploy/#update_config: only when it is told to are new ones started first. */
function surgeOf(service: ComposeService): Scale['surge'] {
  if (stringOf(fieldOf(service, 'deploy', 'update_config', 'order')) !== 'start-first') return undefined;
  const parallelism = countOf(fieldOf(service, 'deploy', 'update_config', 'parallelism'), 'parallelism', 1, service.at);
  // 0: all at once.
  return (instances) => ({
    ...(parallelism.high === 0 ? instances : smallest(instances, parallelism)),
    evidence: parallelism.evidence,
  });
}

function instancesOf(service: ComposeService, filling: Filling): Known {
  if (stringOf(fieldOf(service, 'deploy', 'mode')) === 'global') return assumed(1, Infinity, 'one on each node', service.at);
  const replicas = fieldOf(service, 'deploy', 'replicas');
  const scale = fieldOf(service, 'scale');
  const count = replicas
    ? countOf(fill(replicas, filling), 'replicas', 1, service.at)
    : countOf(fill(scale, filling), 'scale', 1, service.at);
  // Compose starts no two containers of one name; Swarm passes the name over.
  return isAbsent(fieldOf(service, 'container_name')) ? count : { ...count, low: Math.min(1, count.low) };
}

function containerOf(service: ComposeService, compose: ComposeProject, filling: Filling, project: Project): Container {
  const image = fieldOf(service, 'image');
  const reference = filled(image, filling);
  return {
    name: service.name,
    at: service.at,
    image: image && reference !== undefined ? { ...placeOf(image.text, image.range), reference: parseImage(reference) } : undefined,
    build: buildOf(service, compose, filling),
    entrypoint: filledWords(fieldOf(service, 'entrypoint'), filling),
    command: filledWords(fieldOf(service, 'command'), filling),
    workdir: filled(fieldOf(service, 'working_dir'), filling),
    environment: environmentOf(service, compose, filling, project),
    variables: fieldsOf(service, 'environment').flatMap(namesIn),
    ports: [...fieldsOf(service, 'ports'), ...fieldsOf(service, 'expose')].flatMap(itemsOf).flatMap((port) => portOf(port, filling) ?? []),
    mounts: mountsOf(service, compose, filling, project),
    descriptors: descriptorsOf(service, filling),
  };
}

/** https://docs.docker.com/reference/compose-file/services/#ulimits: programs get the soft limit. */
function descriptorsOf(service: ComposeService, filling: Filling): Known | undefined {
  const limit = fill(fieldOf(service, 'ulimits', 'nofile', 'soft') ?? fieldOf(service, 'ulimits', 'nofile'), filling);
  const count = limit && numberOf(limit);
  return limit && count !== undefined ? written(count, `nofile: ${count}`, limit) : undefined;
}

function buildOf(service: ComposeService, { folder }: ComposeProject, filling: Filling): Build | undefined {
  const build = fieldOf(service, 'build');
  const written = filled(build?.kind === 'map' ? get(build, 'context') : build, filling) ?? (build?.kind === 'map' ? '.' : undefined);
  const context = written === undefined || /^\w+:\/\/|^git@/.test(written) ? undefined : joinPath(folder, written);
  const dockerfile = context === undefined ? undefined : joinPath(context, filled(get(build, 'dockerfile'), filling) ?? 'Dockerfile');
  return context === undefined || dockerfile === undefined
    ? undefined
    : { context, dockerfile, target: filled(get(build, 'target'), filling) };
}

/** `"8080:80"`, `"127.0.0.1:8080:80/tcp"`, `80`, `{target: 80}`: the container's port is the last. */
function portOf(port: YamlValue, filling: Filling): ContainerPort | undefined {
  const written = port.kind === 'map' ? filled(get(port, 'target'), filling) : filled(port, filling);
  const number = /(?:^|:)(\d+)(?:\/\w+)?$/.exec(written ?? '')?.[1];
  return number === undefined ? undefined : { number: Number(number), name: undefined };
}
