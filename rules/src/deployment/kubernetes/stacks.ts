import { type ConfigDocument, documentsOf } from '../../documents.ts';
import type { ProjectProblem } from '../../finding.ts';
import { groupBy } from '../../group.ts';
import type { Project } from '../../project.ts';
import { folderOf, isWithin } from '../paths.ts';
import type { Stack, Workload } from '../stack.ts';
import { groupByEnvironment } from './folders.ts';
import { entrancesOf } from './ingresses.ts';
import { configOfValues, configsIn, type ControllerConfig } from './ingresses/configs.ts';
import { givenToControllers } from './ingresses/given.ts';
import { readKustomizations } from './kustomize.ts';
import { identityOf, type Manifest, type ManifestFile, readManifests } from './manifest.ts';
import { networkOf } from './network.ts';
import { isWorkload, type Pods, workloadsOf } from './workloads.ts';

export interface Stacks {
  readonly stacks: readonly Stack[];
  readonly problems: readonly ProjectProblem[];
}

/** The environments that manifests draw: each kustomization that no other builds on, and each folder of plain manifests. */
export function kubernetesStacks(documents: readonly ConfigDocument[], project: Project): Stacks {
  const files = documentsOf(documents, 'kubernetes').map(readManifests);
  const values = documentsOf(documents, 'helm-values').flatMap(({ document }) => document.flatMap(({ root }) => configOfValues(root)));
  const configs = [...configsIn(files.flatMap(({ manifests }) => manifests)), ...values];
  const kustomizations = readKustomizations(documentsOf(documents, 'kustomize'), files, project);
  const overlays = kustomizations.overlays.map((folder) => {
    const { manifests, complete } = kustomizations.render(folder);
    return stackOf({ folder, manifests, complete }, configs);
  });
  const charts = chartTemplates(project);
  const plain = files.filter(
    ({ path }) =>
      !kustomizations.files.has(path) && !kustomizations.folders.has(folderOf(path)) && !charts.some((folder) => isWithin(folder, path)),
  );
  const environments = Array.from(groupByEnvironment(plain), ([folder, group]) => plainStacks(folder, group, configs));
  return {
    stacks: [...overlays, ...environments.flatMap(({ stacks }) => stacks)].filter(({ workloads }) => workloads.length > 0),
    problems: environments.flatMap(({ problems }) => problems),
  };
}

/** Templates are nothing before they are rendered, also those without a hole in them. */
function chartTemplates(project: Project): readonly string[] {
  return project.list().flatMap((path) => (/(^|\/)Chart\.ya?ml$/.test(path) ? [`${folderOf(path)}/templates`.replace(/^\//, '')] : []));
}

interface Drawn {
  readonly folder: string;
  readonly manifests: readonly Manifest[];
  readonly complete: boolean;
}

function stackOf({ folder, manifests, complete }: Drawn, configs: readonly ControllerConfig[]): Stack {
  const workloads = workloadsOf(manifests);
  const pods = new Map<Workload, Pods>(workloads.map((each) => [each, each]));
  const network = networkOf(manifests, workloads);
  return {
    name: folder === '' ? '.' : folder,
    workloads,
    complete,
    entrances: entrancesOf(manifests, network, configs),
    given: givenToControllers(manifests),
    resolve: (host, port, from) => {
      const own = pods.get(from);
      return own && network.resolve(host, port, own);
    },
  };
}

/** Two folders that declare the same object are two environments; two files of one folder that do cannot both be meant. */
function plainStacks(folder: string, files: readonly ManifestFile[], configs: readonly ControllerConfig[]): Stacks {
  const manifests = files.flatMap((file) => file.manifests);
  const twice = repeated(manifests.filter(({ kind }) => isWorkload(kind) || /^(Service|ConfigMap|Secret)$/.test(kind)));
  const complete = files.every((file) => file.complete);
  if (twice.length === 0) return { stacks: [stackOf({ folder, manifests, complete }, configs)], problems: [] };
  const folders = groupBy(files, ({ path }) => folderOf(path));
  if (folders.size > 1) {
    const split = Array.from(folders, ([each, group]) => plainStacks(each, group, configs));
    return { stacks: split.flatMap(({ stacks }) => stacks), problems: split.flatMap(({ problems }) => problems) };
  }
  const unclear = new Set(twice.flat());
  const known = manifests.filter((manifest) => !unclear.has(manifest));
  return { stacks: [stackOf({ folder, manifests: known, complete: false }, configs)], problems: twice.map(conflict) };
}

function repeated(manifests: readonly Manifest[]): readonly Manifest[][] {
  return [...groupBy(manifests, identityOf).values()].filter((group) => group.length > 1);
}

function conflict([first, ...others]: readonly Manifest[]): ProjectProblem {
  const paths = new Set(others.map(({ at }) => at.text.path));
  const at = first?.at;
  return {
    path: at?.text.path ?? '',
    ...(at && { at }),
    message: `${first?.kind} ${first?.name} is declared again in ${[...paths].join(', ')}: it is not known which one runs`,
  };
}
