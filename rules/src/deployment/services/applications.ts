import { posix } from 'node:path';
import type { Dockerfile } from '@poolcheck/parsers/dockerfile/parse';
import { type ConfigDocument, documentsOf } from '../../documents.ts';
import type { Project } from '../../project.ts';
import type { Program } from '../../source/program.ts';
import { type BuiltImage, builtImage, startCommands } from '../built-image.ts';
import { type Command, programsIn } from '../command.ts';
import type { Image } from '../images.ts';
import { folderOf, isWithin, joinPath, nameOf } from '../paths.ts';
import type { Build, Container } from '../stack.ts';
import { type Started, startedBy } from './entries.ts';
import { type Packages, packagesIn } from './packages.ts';
import { type Pm2App, pm2AppsIn } from './pm2.ts';
import { runsOf, type RunSources } from './runs.ts';

/** What a container runs of the project's code, as far as the files say. */
export interface Application {
  /** The command lines it starts with, as they stand. */
  readonly commands: readonly Command[];
  /** The folder of the code, root-relative. */
  readonly folder: string | undefined;
  /** The programs it starts; empty when that is left to an image that is not known. */
  readonly programs: readonly Command[];
  readonly built: BuiltImage | undefined;
  /** What it loads first: modules, or whatever is in a folder; undefined: anything, for all that is known. */
  readonly loads: Loads | undefined;
  runs(module: string): Verdict;
  /** The app of PM2 that it is; `unknown` when PM2 starts it, and its configuration cannot be read. */
  readonly app: Pm2App | 'unknown' | undefined;
  readonly isOneOfSeveral: boolean;
}

export type Loads = { readonly modules: readonly string[] } | { readonly folder: string };

/**
 * Whether a module runs in a container. `yes`: what it starts imports it. `likely`: it is part of what the image is built from. `maybe`:
 * nothing speaks for or against it.
 */
export type Verdict = 'yes' | 'likely' | 'maybe' | 'no';

/** More than one where a process manager keeps several running side by side. */
export type ApplicationsOf = (container: Container, image: Image) => readonly Application[];

/** Recognises the project's code in containers: by what they are built from, by the command, by the name of the image. */
export function applicationsIn(
  documents: readonly ConfigDocument[],
  project: Project,
  program: Program,
  read: RunSources['read'],
): ApplicationsOf {
  const files = new Set(project.list());
  const packages = packagesIn(documents);
  const dockerfiles = new Map(documentsOf(documents, 'dockerfile').map(({ text, document }) => [text.path, document]));
  const pm2Apps = pm2AppsIn({ program, read });
  return (container, image) => {
    const { folder, built } = originOf(container, image, packages, dockerfiles);
    // What is built from a folder has nothing of the folders beside it.
    const within = [container.build?.context, folder].filter((each) => each !== undefined);
    const isThere = (path: string) => !container.build || within.some((each) => isWithin(each, path));
    const sources = { packages, hasFile: (path: string) => files.has(path) && isThere(path), pm2Apps };
    const commands = startCommands(container, built);
    const programs = commands.flatMap(programsIn);
    const found = { commands, folder, built, programs };
    const runs = runsOf(commands, folder ?? '', { packages, read });
    const managed = runs.map((run) => pm2Apps(run.program, run.folder));
    const apps = managed.flatMap((each) => (each === 'unknown' ? [] : (each ?? [])));
    const isKnown = !managed.includes('unknown');
    const ofApp = (app: Pm2App): Application => ({
      ...found,
      ...judged(startedBy(app.command, app.folder, sources), app.folder, false),
      app,
      isOneOfSeveral: true,
    });
    if (isKnown && apps.length > 1) return apps.map(ofApp);
    const folders = [folder ?? '', ...copiedFolders(container, built)];
    const started = programs.flatMap((each) => firstKnown(folders.map((from) => startedBy(each, from, sources))));
    return [{ ...found, ...judged(started, folder, programs.length === 0), app: isKnown ? apps[0] : 'unknown', isOneOfSeveral: false }];
  };

  function judged(started: readonly Started[], folder: string | undefined, isImagesOwn: boolean): Pick<Application, 'loads' | 'runs'> {
    const loads = loadsOf(started, folder);
    const judge = judgeOf(loads, started, isImagesOwn, packages, program);
    const verdicts = new Map<string, Verdict>();
    return {
      loads,
      runs(module) {
        const verdict = verdicts.get(module) ?? judge(module);
        verdicts.set(module, verdict);
        return verdict;
      },
    };
  }
}

/** The folders whose content an image starts in. */
function copiedFolders({ build }: Container, built: BuiltImage | undefined): readonly string[] {
  const workdir = built?.workdir;
  if (!build || workdir === undefined) return [];
  const copies = built?.copies.filter(
    ({ from, destination }) => from === undefined && posix.resolve(workdir, destination.value) === workdir,
  );
  return (copies ?? []).flatMap(({ sources }) => sources.flatMap(({ value }) => joinPath(build.context, value.replace(/^\/+/, '')) ?? []));
}

function firstKnown(found: readonly (readonly Started[])[]): readonly Started[] {
  return found.find((started) => started.some(({ kind }) => kind !== 'unknown')) ?? found[0] ?? [];
}

function loadsOf(started: readonly Started[], folder: string | undefined): Loads | undefined {
  const modules = started.flatMap((each) => (each.kind === 'module' ? [each.path] : []));
  if (modules.length > 0) return { modules };
  const loaded = started.find((each) => each.kind === 'folder')?.folder ?? folder;
  return loaded === undefined ? undefined : { folder: loaded };
}

/** What speaks for a module: what is started imports it, or it belongs to the folder that is loaded. */
function judgeOf(
  loads: Loads | undefined,
  started: readonly Started[],
  isImagesOwn: boolean,
  packages: Packages,
  program: Program,
): (module: string) => Verdict {
  if (!loads) return () => 'maybe';
  if ('modules' in loads) return (module) => (loads.modules.some((path) => program.reaches(path, module)) ? 'yes' : 'no');
  const judge = inFolder(loads.folder, packages, program);
  const isLoaded = isImagesOwn || started.some(({ kind }) => kind === 'folder');
  return isLoaded ? judge : (module) => (judge(module) === 'no' ? 'no' : 'maybe');
}

interface Origin {
  /** The folder of the code, root-relative. */
  readonly folder: string | undefined;
  readonly built: BuiltImage | undefined;
}

/** Where the code of a container comes from: a mounted folder, the folder of its build, or the package that the image is named after. */
function originOf(container: Container, { built }: Image, packages: Packages, dockerfiles: ReadonlyMap<string, Dockerfile>): Origin {
  const { build, image } = container;
  const mounted = mountedFolder(container, container.workdir ?? built?.workdir);
  if (mounted !== undefined) return { folder: mounted, built };
  if (build) return { folder: packageOfBuild(build, built, packages) ?? build.context, built };
  const named = image && packages.named(nameOf(image.reference.repository));
  const dockerfile = named && dockerfiles.get(named.folder === '' ? 'Dockerfile' : `${named.folder}/Dockerfile`);
  return { folder: named?.folder, built: dockerfile && builtImage(dockerfile, undefined) };
}

/** The folder of the project that the container starts in. */
function mountedFolder({ mounts }: Container, workdir: string | undefined): string | undefined {
  if (workdir === undefined) return undefined;
  const mount = mounts.find(({ path, source }) => source !== undefined && isWithin(path, workdir));
  return mount?.source === undefined ? undefined : joinPath(mount.source, workdir.slice(mount.path.length + 1));
}

/** The package of a build that takes more than one: the one that its Dockerfile stands in, or that it starts in. */
function packageOfBuild({ context, dockerfile }: Build, built: BuiltImage | undefined, packages: Packages): string | undefined {
  const inside = packages.folders.filter((folder) => folder !== context && isWithin(context, folder));
  const relative = (folder: string) => (context === '' ? folder : folder.slice(context.length + 1));
  return (
    inside.find((folder) => folder === folderOf(dockerfile)) ?? inside.find((folder) => built?.workdir?.endsWith(`/${relative(folder)}`))
  );
}

/** A package runs its own modules, and those that its own reach; of a package inside it nobody knows. */
function inFolder(folder: string, packages: Packages, program: Program): (module: string) => Verdict {
  const own = program.modules.filter(({ path, role }) => isWithin(folder, path) && role === 'production');
  return (module) => {
    if (!isWithin(folder, module)) return own.some(({ path }) => program.reaches(path, module)) ? 'likely' : 'no';
    if (program.module(module)?.role !== 'production') return 'no';
    const owner = packages.of(module)?.folder;
    return owner === undefined || isWithin(owner, folder) ? 'likely' : 'maybe';
  };
}
