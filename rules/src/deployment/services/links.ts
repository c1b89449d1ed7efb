import type { ProjectProblem } from '../../finding.ts';
import type { HttpServer } from '../../source/servers.ts';
import type { PoolSite } from '../../source/pools.ts';
import type { Program } from '../../source/program.ts';
import type { Environment } from '../../source/setting.ts';
import { withImageVariables } from '../built-image.ts';
import { lazy } from '../../lazy.ts';
import type { ImageOf } from '../images.ts';
import { folderOf } from '../paths.ts';
import type { Endpoint, Stack } from '../stack.ts';
import { addressVariables } from './addresses.ts';
import type { Application, ApplicationsOf } from './applications.ts';
import { withVariablesOf } from './pm2.ts';

/** A container that may run code of the project. */
export interface Candidate extends Endpoint {
  readonly application: Application;
  /** With what the image sets itself. */
  readonly environment: Environment;
}

/** The containers of a stack whose images are not those of published servers. */
export function candidatesIn(stack: Stack, imageOf: ImageOf, applicationsOf: ApplicationsOf): readonly Candidate[] {
  return stack.workloads.flatMap((workload) =>
    workload.containers.flatMap((container) => {
      const image = imageOf(container);
      if (image.known) return [];
      return applicationsOf(container, image).map((application) => {
        const around = withImageVariables(container.environment, application.built);
        return { workload, container, application, environment: withVariablesOf(application.app, around) };
      });
    }),
  );
}

type Made = PoolSite | HttpServer;

/** What of the source runs in which container. */
export interface Links {
  pools(candidate: Candidate): readonly PoolSite[];
  servers(candidate: Candidate): readonly HttpServer[];
}

/**
 * Links pools and servers to the containers they run in, by evidence. Without any, a stack that was read whole and has one program
 * for them is evidence too, when they are of one application. Where several would do, nothing is linked.
 */
export function linksIn(stack: Stack, candidates: readonly Candidate[], program: Program, isOfStack: (path: string) => boolean): Links {
  function verdict(made: Made, candidate: Candidate) {
    const found = candidate.application.runs(made.module.path);
    if (found !== 'maybe' || !stack.complete || !isOfStack(made.module.path)) return found;
    return placesFor(made, candidates).includes(candidate) ? 'likely' : found;
  }

  const candidatesFor = candidatesByModule(candidates, program);

  function linked<Each extends Made>(all: readonly Each[]): (candidate: Candidate) => readonly Each[] {
    const near = lazy(() => grouped(all, ({ module }) => candidatesFor(module.path)));
    return (candidate) => {
      const mine = near().get(candidate) ?? [];
      const sure = mine.filter((each) => verdict(each, candidate) === 'yes');
      const likely = mine.filter((each) => verdict(each, candidate) === 'likely');
      return isOneProgram(likely, program) ? [...sure, ...likely] : sure;
    };
  }

  return { pools: linked(program.pools), servers: linked(program.servers) };
}

/** Groups values under each of their keys. */
function grouped<Value, Key>(values: readonly Value[], keysOf: (value: Value) => readonly Key[]): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values)
    for (const key of keysOf(value)) {
      const group = groups.get(key);
      if (group) group.push(value);
      else groups.set(key, [value]);
    }
  return groups;
}

/** The containers that may load a module, found without looking at all of them. */
function candidatesByModule(candidates: readonly Candidate[], program: Program): (module: string) => readonly Candidate[] {
  const byModule = grouped(candidates, ({ application: { loads } }) => (loads && 'modules' in loads ? loads.modules : []));
  const byFolder = grouped(candidates, ({ application: { loads } }) => (loads && 'folder' in loads ? [loads.folder] : []));
  const open = candidates.filter(({ application }) => !application.loads);
  return (module) => {
    const users = [...program.reaching(module)];
    const folders = new Set(users.flatMap(foldersAround));
    const found = [...users.flatMap((user) => byModule.get(user) ?? []), ...[...folders].flatMap((folder) => byFolder.get(folder) ?? [])];
    return [...new Set([...open, ...found])];
  };
}

/** The folders that a file is in; the last is the root, ``. */
function foldersAround(path: string): readonly string[] {
  const folder = folderOf(path);
  return folder === '' ? [''] : [folder, ...foldersAround(folder)];
}

/** The containers that may run it and say where it connects, when all of them are the same program. */
function placesFor(made: Made, candidates: readonly Candidate[]): readonly Candidate[] {
  const open = candidates.filter(({ application }) => application.runs(made.module.path) !== 'no');
  const variables = 'options' in made ? addressVariables(made) : [];
  const states = open.map(({ environment }) => variables.map(environment));
  const sets = states.map((each) => each.some((variable) => variable.state === 'set' || (variable.state === 'unknown' && variable.place)));
  const maySet = states.map((each, index) => !sets[index] && each.some((variable) => variable.state === 'unknown'));
  const places = variables.length === 0 ? open : open.filter((_, index) => sets[index]);
  return new Set(places.map(programOf)).size === 1 && !maySet.includes(true) ? places : [];
}

/** What tells the program of a container from others: its image, and how it is started. */
function programOf({ container: { name, image, build, entrypoint, command } }: Candidate): string {
  const words = [entrypoint, command].map((each) => each?.map(({ value }) => value));
  return JSON.stringify([build ?? image?.reference ?? name, ...words]);
}

/** Modules that belong to several programs (an API and its worker) do not all run in one container. */
function isOneProgram(made: readonly Made[], program: Program): boolean {
  const paths = [...new Set(made.map(({ module }) => module.path))];
  if (paths.length < 2) return true;
  return program.modules.some(({ path, role }) => role === 'production' && paths.every((each) => program.reaches(path, each)));
}

/** Pools that some container may run, and that are linked to none. */
export function unlinkedPools(
  pools: readonly PoolSite[],
  linked: ReadonlySet<PoolSite['node']>,
  candidates: readonly Candidate[],
): readonly ProjectProblem[] {
  const open = pools.filter(
    (site) =>
      site.role === 'pool' &&
      site.module.role === 'production' &&
      !linked.has(site.node) &&
      candidates.some(({ application }) => application.runs(site.module.path) !== 'no'),
  );
  return open.map(({ place }) => ({ path: place.text.path, at: place, message: 'pool whose deployment is not known: it is in no budget' }));
}
