import { type Text, textOf } from '@poolcheck/parsers/text';
import { embed } from '@poolcheck/parsers/yaml/embed';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { get, isAbsent, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { ConfigDocument } from '../../documents.ts';
import type { Project } from '../../project.ts';
import { folderOf, joinPath } from '../paths.ts';
import { generatedManifests } from './generators.ts';
import type { ManifestFile } from './manifest.ts';
import { set } from './merge.ts';
import { applyPatch, type Patch, type Patched } from './patches.ts';
import { isWorkload } from './workloads.ts';

/** The kustomizations of a project, read as `kustomize build` does as far as that says what runs; nothing is fetched or executed. */
export interface Kustomizations {
  readonly folders: ReadonlySet<string>;
  /** The folders that no other kustomization builds on: environments of their own. */
  readonly overlays: readonly string[];
  /** The files that some kustomization names. */
  readonly files: ReadonlySet<string>;
  render(folder: string): Patched;
}

export function readKustomizations(
  documents: readonly ConfigDocument<'kustomize'>[],
  manifestFiles: readonly ManifestFile[],
  project: Project,
): Kustomizations {
  const roots = new Map(
    documents.flatMap(({ text, document }) => document.slice(0, 1).map(({ root }) => [folderOf(text.path), root] as const)),
  );
  const files = new Map(manifestFiles.map((file) => [file.path, file]));
  const used = new Set([...roots].flatMap(([folder, root]) => usedBy(root).flatMap((path) => joinPath(folder, path) ?? [])));

  let left = mostIncludes;

  function render(folder: string, inherited: Patched, open: readonly string[]): Patched {
    const root = roots.get(folder);
    if (!root || open.includes(folder) || left-- <= 0) return { ...inherited, complete: false };
    const read = (path: string) => readText(project, joinPath(folder, path));
    let rendered = inherited;
    for (const path of listed(root, 'resources', 'bases', 'components'))
      rendered = include(joinPath(folder, path), rendered, [...open, folder]);
    rendered = { ...rendered, manifests: [...rendered.manifests, ...generatedManifests(root, read)] };
    rendered = withReplicas(patchesOf(root, read).reduce(applyPatch, rendered), root);
    return { ...rendered, complete: rendered.complete && !unsupported.some((field) => !isAbsent(get(root, field))) };
  }

  function include(path: string | undefined, inherited: Patched, open: readonly string[]): Patched {
    if (path !== undefined && roots.has(path)) return render(path, inherited, open);
    const file = path === undefined ? undefined : files.get(path);
    if (file) return { manifests: [...inherited.manifests, ...file.manifests], complete: inherited.complete && file.complete };
    // A manifest of a kind that says nothing of pools was not read.
    return { ...inherited, complete: inherited.complete && readText(project, path) !== undefined };
  }

  return {
    folders: new Set(roots.keys()),
    overlays: [...roots.keys()].filter((folder) => !used.has(folder)),
    files: used,
    render: (folder) => {
      left = mostIncludes;
      return render(folder, { manifests: [], complete: true }, []);
    },
  };
}

/** Kustomizations in one environment, counted as often as they are included. */
const mostIncludes = 1_000;

/** What changes names, or adds objects that only another program can make. */
const unsupported = ['namePrefix', 'nameSuffix', 'helmCharts', 'generators', 'transformers', 'replacements'];

function usedBy(root: YamlValue): readonly string[] {
  const patches = [...itemsOf(get(root, 'patches')), ...itemsOf(get(root, 'patchesJson6902'))];
  const paths = patches.flatMap((patch) => stringOf(get(patch, 'path')) ?? []);
  return [...listed(root, 'resources', 'bases', 'components', 'patchesStrategicMerge'), ...paths];
}

function listed(root: YamlValue, ...fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => itemsOf(get(root, field)).flatMap((item) => stringOf(item) ?? []));
}

function readText(project: Project, path: string | undefined): Text | undefined {
  const content = path === undefined ? undefined : project.readText(path);
  return path === undefined || content === undefined ? undefined : textOf(path, content);
}

function patchesOf(root: YamlValue, read: (path: string) => Text | undefined): readonly Patch[] {
  const merges = itemsOf(get(root, 'patchesStrategicMerge')).flatMap((item) => {
    const isInline = stringOf(item)?.includes('\n');
    return patchRoots(isInline ? item : undefined, isInline ? undefined : item, read).map((patch) => ({ patch, target: undefined }));
  });
  const patches = [...itemsOf(get(root, 'patches')), ...itemsOf(get(root, 'patchesJson6902'))].flatMap((item) => {
    const target = get(item, 'target');
    return patchRoots(get(item, 'patch'), get(item, 'path'), read).map((patch) => ({ patch, target }));
  });
  return [...merges, ...patches];
}

function patchRoots(
  inline: YamlValue | undefined,
  path: YamlValue | undefined,
  read: (path: string) => Text | undefined,
): readonly YamlValue[] {
  const name = stringOf(path);
  const text = inline?.kind === 'scalar' ? embed(inline) : name === undefined ? undefined : read(name);
  return text ? parseYaml(text).document.map(({ root }) => root) : [];
}

/** `replicas: [{name, count}]` sets the count of the workload of that name. */
function withReplicas(rendered: Patched, root: YamlValue): Patched {
  return itemsOf(get(root, 'replicas')).reduce<Patched>(({ manifests, complete }, item) => {
    const name = stringOf(get(item, 'name'));
    const count = get(item, 'count');
    const changed = manifests.map((manifest) => {
      if (manifest.name !== name || !isWorkload(manifest.kind)) return manifest;
      return { ...manifest, root: set(manifest.root, ['spec', 'replicas'], count) ?? manifest.root };
    });
    return { manifests: changed, complete };
  }, rendered);
}
