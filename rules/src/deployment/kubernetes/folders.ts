import { groupBy } from '../../group.ts';
import { folderOf, isWithin, nameOf } from '../paths.ts';

/** Folders that hold one set of manifests in subfolders. */
const manifestRoots = /^(k8s|kube|kubernetes|manifests?|deploy(ment)?s?|infra(structure)?|cluster|gitops|ops)$/i;

/** Folders of one environment among others. */
const environments =
  /^(dev(elopment)?|local|test(ing)?|ci|e2e|qa|uat|int(egration)?|stag(e|ing)|pre-?prod(uction)?|preview|sandbox|demo|canary|dr|prod(uction)?|live|examples?|samples?)([-_].*)?$/i;

/**
 * Groups files of manifests by the folder that draws one environment: subfolders belong to the folder above them, unless they are named
 * like environments.
 */
export function groupByEnvironment<File extends { readonly path: string }>(files: readonly File[]): ReadonlyMap<string, readonly File[]> {
  const folders = new Set(files.map(({ path }) => folderOf(path)));
  return groupBy(files, ({ path }) => environmentOf(folderOf(path), folders));
}

function environmentOf(folder: string, withManifests: ReadonlySet<string>): string {
  const ancestors = ancestorsOf(folder);
  const named = ancestors.findLast((each) => environments.test(nameOf(each)));
  const within = named === undefined ? ancestors : ancestors.filter((each) => isWithin(named, each));
  return within.find((each) => each === named || withManifests.has(each) || manifestRoots.test(nameOf(each))) ?? folder;
}

/** The folder itself and those above it, the outermost first; the root is above none. */
function ancestorsOf(folder: string): readonly string[] {
  const names = folder.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
