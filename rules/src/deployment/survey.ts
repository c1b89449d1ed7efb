import type { ConfigDocument } from '../documents.ts';
import type { ProjectProblem } from '../finding.ts';
import type { Project } from '../project.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Program } from '../source/program.ts';
import { composeStacks } from './compose/stacks.ts';
import { databasesIn } from './databases/databases.ts';
import { type ImageOf, imagesIn } from './images.ts';
import { kubernetesStacks } from './kubernetes/stacks.ts';
import type { Deployment, Service, ServicePool } from './model.ts';
import { poolersIn } from './poolers/poolers.ts';
import { proxiesOf } from './proxies.ts';
import { type ApplicationOf, applicationsIn } from './services/applications.ts';
import { type Candidate, candidatesIn, linksIn, unlinkedPools } from './services/links.ts';
import { packageOf, packagesIn } from './services/packages.ts';
import { poolSize } from './services/pool-size.ts';
import { processesOf } from './services/processes.ts';
import { completeTarget, findTarget, usersOf } from './services/targets.ts';
import type { Stack } from './stack.ts';

export interface Survey {
  /** One for each environment. */
  readonly deployments: readonly Deployment[];
  readonly problems: readonly ProjectProblem[];
}

/** What the lookups of one survey share. */
interface Surroundings {
  readonly program: Program;
  readonly imageOf: ImageOf;
  readonly applicationOf: ApplicationOf;
  /** All pools and servers belong to one package. */
  readonly isOneApplication: boolean;
}

/** Turns documents and source into the environments they draw: what runs in each, and who connects to whom. */
export function survey(project: Project, documents: readonly ConfigDocument[], program: Program): Survey {
  const kubernetes = kubernetesStacks(documents, project);
  const surroundings: Surroundings = {
    program,
    imageOf: imagesIn(documents, project),
    applicationOf: applicationsIn(documents, project, program),
    isOneApplication: isOneApplication(documents, program),
  };
  const surveyed = [...kubernetes.stacks, ...composeStacks(documents, project)].map((stack) => surveyStack(stack, surroundings));
  const linked = new Set(surveyed.flatMap(({ deployment }) => deployment.services.flatMap(({ pools }) => pools.map(({ site }) => site))));
  const candidates = surveyed.flatMap((each) => each.candidates);
  return {
    deployments: surveyed.map(({ deployment }) => deployment),
    problems: [...kubernetes.problems, ...unlinkedPools(program.pools, linked, candidates)],
  };
}

function isOneApplication(documents: readonly ConfigDocument[], { pools, servers }: Program): boolean {
  const packages = packagesIn(documents);
  return new Set([...pools, ...servers].map(({ module }) => packageOf(module.path, packages))).size <= 1;
}

interface Surveyed {
  readonly deployment: Deployment;
  readonly candidates: readonly Candidate[];
}

function surveyStack(stack: Stack, { program, imageOf, applicationOf, isOneApplication }: Surroundings): Surveyed {
  const databaseOf = databasesIn(imageOf);
  const foundPoolers = poolersIn(stack, imageOf, databaseOf);
  const candidates = candidatesIn(stack, imageOf, applicationOf);
  const links = linksIn(stack, candidates, program, isOneApplication);
  const found = new Map(
    candidates.map((candidate) => [
      candidate,
      links.pools(candidate).map((site) => findTarget(site, candidate, stack, foundPoolers, databaseOf)),
    ]),
  );
  const targets = [...found.values()].flat().map(({ target }) => target);
  const poolers = new Map(foundPoolers.map((each) => [each, each.complete(usersOf(each, targets))]));

  const services = new Map(
    candidates.map((candidate): [Candidate, Service] => {
      const { workload, container, application, environment } = candidate;
      const pools = (found.get(candidate) ?? []).map(({ site, address, target }): ServicePool => ({
        site,
        size: poolSize(site, environment, address),
        target: completeTarget(target, poolers),
        sendings: program.sendings.filter((sending) => isSameSite(sending.site, site)),
      }));
      const name = workload.containers.length > 1 ? `${workload.name}/${container.name}` : workload.name;
      const service = {
        name,
        at: workload.at,
        instances: workload.instances,
        processes: processesOf(application.programs, workload.at),
        environment,
      };
      return [candidate, { ...service, pools, servers: links.servers(candidate) }];
    }),
  );
  const serviceAt = new Map(Array.from(services, ([{ container }, service]) => [container, service]));
  const deployment = {
    name: stack.name,
    services: [...services.values()],
    poolers: [...poolers.values()],
    databases: stack.workloads.flatMap((workload) => workload.containers.flatMap((container) => databaseOf({ workload, container }) ?? [])),
    proxies: proxiesOf(stack, { imageOf, serviceAt: ({ container }) => serviceAt.get(container) }),
  };
  return { deployment, candidates };
}

function isSameSite(a: PoolSite | undefined, b: PoolSite): boolean {
  return a?.node === b.node;
}
