import { textOf } from '@poolcheck/parsers/text';
import { type DeclaredDatabase, declaredServers } from '../declared.ts';
import type { ConfigDocument } from '../documents.ts';
import type { ProjectProblem } from '../finding.ts';
import { groupBy } from '../group.ts';
import type { Project } from '../project.ts';
import { madePools } from '../source/pools.ts';
import type { Program } from '../source/program.ts';
import { keptIn, type KeptOnSession } from '../source/kept.ts';
import { preparedIn, type Prepared } from '../source/prepared.ts';
import type { Environment } from '../source/setting.ts';
import type { Sending } from '../source/statements.ts';
import { cloudFormationStacks } from './cloudformation/stacks.ts';
import { composeStacks } from './compose/stacks.ts';
import { type DatabaseOf, databasesIn } from './databases/databases.ts';
import { imagesIn } from './images.ts';
import { kubernetesStacks } from './kubernetes/stacks.ts';
import { givenIn } from './given.ts';
import { hostedDeployments } from './hosted.ts';
import type { Deployment, Nginx, Pooler, Service, ServicePool, Target } from './model.ts';
import { hostedPoolersOf } from './poolers/hosted.ts';
import type { FoundPooler } from './poolers/found.ts';
import { poolersIn } from './poolers/poolers.ts';
import { completeMigration, type MigrationSources, migrationsOf } from './migrations/migrations.ts';
import { proxiesOf, type ServiceAt } from './proxies.ts';
import { proxiesBefore } from './proxies/entrances.ts';
import { looseNginx } from './proxies/loose.ts';
import { serverProgramsIn } from './services/app-servers.ts';
import { applicationsIn } from './services/applications.ts';
import { type Candidate, candidatesIn, type Links, linksIn, unlinkedPools } from './services/links.ts';
import { packagesIn } from './services/packages.ts';
import { prismaUrls } from './services/prisma.ts';
import { completeForeignPool, type DirectedForeignPool, foreignPoolsIn } from './services/foreign/foreign.ts';
import { type Run, runsOf } from './services/runs.ts';
import { poolSize } from './services/pool-size.ts';
import { processesOf } from './services/processes.ts';
import { completeTarget, findTarget, type FoundPool, type FoundTarget, loginsOf, type Servers } from './services/targets.ts';
import { asScale } from './scale.ts';
import type { Stack } from './stack.ts';
import { noVersions, type Versions } from '../versions.ts';

export interface Survey {
  /** One for each environment. */
  readonly deployments: readonly Deployment[];
  /** In and outside of the environments. */
  readonly nginx: readonly Nginx[];
  readonly problems: readonly ProjectProblem[];
}

/** What a poolcheck.yaml tells that no file does. */
export interface Declared {
  readonly versions: Versions;
  readonly databases: readonly DeclaredDatabase[];
}

const nothing: Declared = { versions: noVersions, databases: [] };

/** Turns documents and source into the environments they draw: what runs in each, and who connects to whom. */
export function survey(
  project: Project,
  documents: readonly ConfigDocument[],
  program: Program,
  { versions, databases }: Declared = nothing,
): Survey {
  const kubernetes = kubernetesStacks(documents, project);
  const read = (path: string) => {
    const content = project.readText(path);
    return content === undefined ? undefined : textOf(path, content);
  };
  const surroundings: Surroundings = {
    program,
    sendings: groupBy(program.sendings, ({ site }) => site?.node),
    prepared: groupBy(
      program.modules.flatMap((module) => preparedIn(module, program.values)),
      ({ origin }) => origin,
    ),
    kept: groupBy(
      program.modules.flatMap((module) => keptIn(module, program.values)),
      ({ origin }) => origin,
    ),
    imageOf: imagesIn(documents, project, versions),
    applicationsOf: applicationsIn(documents, project, program, read),
    applicationAround: applicationsAround(documents, program),
    databases,
    project,
    packages: packagesIn(documents),
    prisma: prismaUrls(documents, project, program),
    read,
  };
  const stacks = [...kubernetes.stacks, ...composeStacks(documents, project), ...cloudFormationStacks(documents, project)];
  const surveyed = stacks.map((stack) => surveyStack(stack, surroundings));
  const sites = program.pools.filter(({ module }) => module.role === 'production').map((site) => surroundings.prisma.located(site));
  const hosted = hostedDeployments(
    documents,
    project,
    program,
    sites,
    (site, environment, address, target) => ({
      ...poolOf({ site, address }, environment, surroundings),
      target,
    }),
    surroundings,
  );
  const deployments = surveyed.map(({ deployment }) => deployment);
  const linked = new Set(deployments.flatMap(({ services }) => services.flatMap(({ pools }) => pools.map(({ site }) => site.node))));
  const candidates = surveyed.flatMap((each) => each.candidates);
  const running = surveyed.flatMap((each) => each.nginx);
  const nginx = [...running, ...looseNginx(documents, surroundings.imageOf, running, versions.get('nginx'))];
  return {
    deployments: [...deployments, ...hosted],
    nginx,
    problems: [...kubernetes.problems, ...unlinkedPools(program.pools, linked, candidates)],
  };
}

/** What the lookups of one survey share. */
interface Surroundings extends MigrationSources {
  readonly program: Program;
  /** By the construction of their pool. */
  readonly sendings: ReadonlyMap<unknown, readonly Sending[]>;
  readonly prepared: ReadonlyMap<unknown, readonly Prepared[]>;
  readonly kept: ReadonlyMap<unknown, readonly KeptOnSession[]>;
  readonly databases: readonly DeclaredDatabase[];
  /** Whether a module is of the application that a stack is for, as far as where they stand tells. */
  readonly applicationAround: (stack: Stack) => (path: string) => boolean;
}

/** Manifests are for the project when that is one application, else for the package that they stand in. */
function applicationsAround(documents: readonly ConfigDocument[], { pools, servers }: Program): Surroundings['applicationAround'] {
  const packages = packagesIn(documents);
  const isOneApplication = new Set([...pools, ...servers].map(({ module }) => packages.of(module.path))).size <= 1;
  return ({ name }) => {
    const own = packages.of(`${name}/.`);
    return (path) => isOneApplication || (own !== undefined && own.folder !== '' && packages.of(path) === own);
  };
}

interface Surveyed {
  readonly deployment: Deployment;
  readonly nginx: readonly Nginx[];
  readonly candidates: readonly Candidate[];
}

function surveyStack(stack: Stack, surroundings: Surroundings): Surveyed {
  const { program, imageOf, applicationsOf } = surroundings;
  const databaseOf = databasesIn(imageOf);
  const candidates = candidatesIn(stack, imageOf, applicationsOf);
  const links = linksIn(stack, candidates, program, surroundings.applicationAround(stack));
  const declared = declaredServers([...surroundings.databases, ...(stack.managed ?? [])]);
  const found = poolersIn(stack, imageOf, databaseOf, declared);
  const hosted = hostedPoolersOf('written');
  const around = { stack, poolers: found, databaseOf, declared, hosted, prisma: surroundings.prisma };
  const running = candidates.map((each) => runningIn(each, links, around, surroundings));
  const migrations = migrationsOf(around, surroundings);
  const poolers = completePoolers(
    found,
    running.flatMap(({ pools, foreignPools }) => [...pools, ...foreignPools].map(({ target }) => target)),
  );
  const services = new Map(running.map((each) => [each.candidate, serviceOf(each, poolers, links, surroundings)]));
  const inContainer = groupBy([...services], ([{ container }]) => container);
  const serviceAt: ServiceAt = ({ container }) => {
    const found = inContainer.get(container)?.map(([, service]) => service);
    return found?.find(({ servers }) => servers.length > 0) ?? found?.[0];
  };
  const nginx = proxiesOf(stack, { imageOf, serviceAt });
  const deployment = {
    name: stack.name,
    services: [...services.values()],
    poolers: [...poolers.values(), ...hosted.found()],
    databases: [...allDatabases(stack, databaseOf), ...declared.found()],
    given: [...givenIn(stack, imageOf), ...(stack.given ?? [])],
    proxies: [...proxiesBefore(stack, serviceAt, nginx), ...nginx],
    migrations: migrations.map((each) => completeMigration(each, poolers)),
  };
  return { deployment, nginx, candidates };
}

/** The pools of a container. A function that makes them counts with each call that runs there and leads elsewhere. */
function poolsIn(candidate: Candidate, links: Links, servers: Servers): readonly FoundPool[] {
  return links.pools(candidate).flatMap((site) => {
    const found = madePools(site)
      .filter(({ calledIn }) => calledIn.length === 0 || calledIn.some((path) => candidate.application.runs(path) !== 'no'))
      .map((made) => findTarget(made.site, candidate, servers));
    return [
      ...groupBy(found, ({ address }) => address && `${address.host}:${address.port}/${address.user}/${address.database}`).values(),
    ].flatMap(([first]) => first ?? []);
  });
}

type Poolers = ReadonlyMap<FoundPooler, Pooler>;

function completePoolers(found: readonly FoundPooler[], targets: readonly (FoundTarget | undefined)[]): Poolers {
  return new Map(found.map((each) => [each, each.complete(loginsOf(each, targets))]));
}

/** What runs in a container, before the poolers of the stack are complete. */
interface Running {
  readonly candidate: Candidate;
  readonly runs: readonly Run[];
  readonly pools: readonly FoundPool[];
  readonly foreignPools: readonly DirectedForeignPool[];
}

function runningIn(candidate: Candidate, links: Links, servers: Servers, surroundings: Surroundings): Running {
  const { application, container } = candidate;
  const runs = runsOf(application.commands, application.folder ?? '', surroundings);
  const image = surroundings.imageOf(container);
  return {
    candidate,
    runs,
    pools: poolsIn(candidate, links, servers),
    foreignPools: foreignPoolsIn(candidate, runs, image, surroundings.project, servers),
  };
}

function serviceOf({ candidate, runs, pools, foreignPools }: Running, poolers: Poolers, links: Links, surroundings: Surroundings): Service {
  const { workload, application, environment } = candidate;
  return {
    name: nameOf(candidate),
    at: workload.at,
    ...asScale(workload),
    ...(workload.isFunction && { isFunction: true }),
    processes: processesOf(application, runs, environment, workload.at, surroundings),
    environment,
    pools: withoutDoubtfulUses(
      pools.map((pool) => ({
        ...poolOf(pool, environment, surroundings),
        target: completeTarget(pool.target, poolers),
        opensTo: pool.opensTo,
      })),
    ),
    foreignPools: foreignPools.map((pool) => completeForeignPool(pool, poolers)),
    servers: links.servers(candidate),
    programs: serverProgramsIn(runs, application.built, environment, surroundings.project),
  };
}

function nameOf({ workload, container, application: { app, isOneOfSeveral } }: Candidate): string {
  const names = [
    workload.name,
    ...(workload.containers.length > 1 ? [container.name] : []),
    ...(isOneOfSeveral && app && app !== 'unknown' && app.name !== undefined ? [app.name] : []),
  ];
  return names.join('/');
}

/** Of what is used of the pools of one function nobody knows which it is: it counts when they lead through the same pooler, in the same way. */
function withoutDoubtfulUses(pools: readonly ServicePool[]): readonly ServicePool[] {
  return [...groupBy(pools, ({ site }) => site.node).values()].flatMap((made) => {
    const [first] = made;
    const isSure = made.every(({ target }) => isSameWay(target, first?.target));
    return isSure ? made : made.map((pool) => ({ ...pool, sendings: [], prepared: [], kept: [] }));
  });
}

function isSameWay(a: Target | undefined, b: Target | undefined): boolean {
  if (a?.kind !== 'pooler' || b?.kind !== 'pooler') return a?.kind !== 'pooler' && b?.kind !== 'pooler';
  return a.pooler === b.pooler && a.entry.mode.value === b.entry.mode.value;
}

function poolOf(
  { site, address }: Pick<FoundPool, 'site' | 'address'>,
  environment: Environment,
  { sendings, prepared, kept }: Surroundings,
): Omit<ServicePool, 'target'> {
  return {
    site,
    size: poolSize(site, environment, address),
    sendings: sendings.get(site.node) ?? [],
    prepared: prepared.get(site.node) ?? [],
    kept: kept.get(site.node) ?? [],
    parameters: address?.parameters ?? new Map(),
    address,
  };
}

function allDatabases({ workloads }: Stack, databaseOf: DatabaseOf): Deployment['databases'] {
  return workloads.flatMap((workload) => workload.containers.flatMap((container) => databaseOf({ workload, container }) ?? []));
}
