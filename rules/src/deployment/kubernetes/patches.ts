import { get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { Manifest } from './manifest.ts';
import { jsonPatch, strategicMerge } from './merge.ts';

/** A patch of a kustomization; without a target it names its object itself. */
export interface Patch {
  readonly patch: YamlValue;
  readonly target: YamlValue | undefined;
}

/** Objects as far as they are known; `complete` when none was left out. */
export interface Patched {
  readonly manifests: readonly Manifest[];
  readonly complete: boolean;
}

/** Applies a patch. An object that it changes in a way that cannot be followed is left out. */
export function applyPatch({ manifests, complete }: Patched, { patch, target }: Patch): Patched {
  const aim = target ? aimOf(target, get(target, 'name')) : aimOf(patch, get(patch, 'metadata', 'name'));
  const changed = manifests.map((manifest) => (hits(aim, manifest) ? change(manifest, patch, aim) : manifest));
  return {
    manifests: changed.filter((each) => each !== undefined && each !== 'deleted'),
    complete: complete && !changed.includes(undefined),
  };
}

interface Aim {
  /** undefined: any. */
  readonly kind: string | undefined;
  readonly name: string | undefined;
  /** Kind and name say it all; otherwise a selector or a pattern does. */
  readonly exact: boolean;
}

function aimOf(value: YamlValue, name: YamlValue | undefined): Aim {
  const parts = [stringOf(get(value, 'kind')), stringOf(name)];
  const [kind, exactName] = parts.map((part) => (part !== undefined && /^[\w.-]+$/.test(part) ? part : undefined));
  const selects = !isAbsent(get(value, 'labelSelector')) || !isAbsent(get(value, 'annotationSelector'));
  return { kind, name: exactName, exact: !selects && parts.every((part) => part === undefined || /^[\w.-]+$/.test(part)) };
}

function hits({ kind, name }: Aim, manifest: Manifest): boolean {
  return (kind === undefined || kind === manifest.kind) && (name === undefined || name === manifest.name);
}

function change(manifest: Manifest, patch: YamlValue, { exact }: Aim): Manifest | 'deleted' | undefined {
  if (!exact) return undefined;
  if (stringOf(get(patch, '$patch')) === 'delete') return 'deleted';
  const root = patch.kind === 'sequence' ? jsonPatch(manifest.root, patch) : strategicMerge(manifest.root, patch);
  return root && { ...manifest, root };
}
