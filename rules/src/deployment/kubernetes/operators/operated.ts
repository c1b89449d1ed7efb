import type { Word } from '@poolcheck/parsers/shell/words';
import { type Place, placeOf } from '@poolcheck/parsers/text';
import { entriesOf, get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { ImageReference } from '../../../knowledge/images.ts';
import { defaulted, type Known } from '../../../known.ts';
import type { Said } from '../../databases/options.ts';
import type { GivenName, Scale } from '../../model.ts';
import type { Line } from '../../poolers/lines.ts';
import type { OperatedPooler } from '../../stack.ts';
import type { Manifest } from '../manifest.ts';
import type { Pods } from '../workloads.ts';

/** Whether an object belongs to an operator: kinds of the same name are not rare. */
export function isOf({ kind, root }: Manifest, wanted: string, group: string): boolean {
  return kind === wanted && stringOf(get(root, 'apiVersion'))?.startsWith(`${group}/`) === true;
}

interface Operated {
  readonly name: string;
  /** Its Services. */
  readonly services: readonly string[];
  readonly reference: ImageReference;
  readonly instances: Known;
  readonly surge?: Scale['surge'];
  readonly command?: readonly Word[];
  readonly pooler?: { readonly operated: OperatedPooler; readonly parameters?: readonly GivenName[] };
}

/** What an operator runs for a manifest, as a pod of one container. */
export function podsOf(
  { kind, namespace, at }: Manifest,
  { name, services, reference, instances, surge, command, pooler }: Operated,
  image = at,
): Pods {
  return {
    kind,
    name,
    namespace,
    at,
    labels: new Map(),
    services,
    instances,
    ...(surge && { surge }),
    containers: [
      {
        name,
        at,
        image: { ...image, reference },
        build: undefined,
        entrypoint: undefined,
        command,
        environment: () => ({ state: 'unset' }),
        variables: pooler?.parameters ?? [],
        ports: [],
        mounts: [],
        ...(pooler && { operated: pooler.operated }),
      },
    ],
  };
}

/** The one primary of a cluster; its parameters are command-line options. */
export function primaryOf(manifest: Manifest, services: readonly string[], reference: ImageReference, parameters: YamlValue | undefined) {
  const command = entriesOf(parameters).map(({ key, value }) => ({
    ...placeOf(value.text, value.range),
    value: `--${key.value}=${stringOf(value) ?? ''}`,
    expands: value.kind !== 'scalar',
  }));
  const instances = defaulted(1, 'one primary', manifest.at);
  return podsOf(manifest, { name: manifest.name, services, reference, instances, command });
}

/** What a field says; undefined when it is left out. */
export function saidBy(value: YamlValue | undefined): Said | undefined {
  return value === undefined || isAbsent(value) ? undefined : { value: stringOf(value), place: placeOf(value.text, value.range) };
}

/** The lines that a map of settings becomes. */
export function linesOf(map: YamlValue | undefined): readonly Line[] {
  return entriesOf(map).flatMap(({ key, value }) => {
    const said = saidBy(value);
    return said ? [{ name: key.value, key: key.range, ...said }] : [];
  });
}

/** A setting that the operator fixes. */
export function fixed(name: string, value: string, place: Place): Line {
  return { name, value, place };
}
