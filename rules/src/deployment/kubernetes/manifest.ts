import type { Place } from '@poolcheck/parsers/text';
import { get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { ConfigDocument } from '../../documents.ts';
import { manifestsIn } from '../../documents/embedded.ts';

/** One Kubernetes object as it is written. */
export interface Manifest {
  /** `KnativeService` is a Service of Knative. */
  readonly kind: string;
  readonly name: string;
  /** undefined: the one that it is applied into, the same for all that leave it out. */
  readonly namespace: string | undefined;
  readonly root: YamlValue;
  /** Where its name stands. */
  readonly at: Place;
}

/** The objects of a file; those that were not read whole (syntax errors, template actions, a name that is not known) are left out. */
export interface ManifestFile {
  readonly path: string;
  readonly manifests: readonly Manifest[];
  readonly complete: boolean;
}

export function readManifests({ text, document }: ConfigDocument<'kubernetes'>): ManifestFile {
  const roots = document.flatMap(({ root, complete }) =>
    complete && isAbsent(root) ? [] : manifestsIn(root).map((manifest) => (complete ? manifestOf(manifest) : undefined)),
  );
  const manifests = roots.filter((manifest) => manifest !== undefined);
  return { path: text.path, manifests, complete: manifests.length === roots.length };
}

export function manifestOf(root: YamlValue): Manifest | undefined {
  const name = get(root, 'metadata', 'name');
  const kind = kindOf(root);
  const value = stringOf(name);
  if (!name || !kind || !value || isFilledLater(value)) return undefined;
  return { kind, name: value, namespace: stringOf(get(root, 'metadata', 'namespace')), root, at: { text: name.text, range: name.range } };
}

/** The Service of Knative, and of Cloud Run, is a workload. */
function kindOf(root: YamlValue): string | undefined {
  const kind = stringOf(get(root, 'kind'));
  const isKnative = stringOf(get(root, 'apiVersion'))?.startsWith('serving.knative.dev/') === true;
  return isKnative && kind === 'Service' ? 'KnativeService' : kind;
}

/** `${NAME}` means nothing to Kubernetes: something fills it in before the manifest is applied. */
export function isFilledLater(value: string): boolean {
  return /\$\{[^}]*\}/.test(value);
}

/** A namespace that is left out is unknown, but the same for all that leave it out, and most often the one that others name. */
export function sameNamespace(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

export function identityOf({ kind, name, namespace }: Manifest): string {
  return [kind, namespace ?? '', name].join('/');
}
