import { get, itemsOf, numberOf, stringOf } from '@poolcheck/parsers/yaml/value';
import type { Variable } from '../../source/setting.ts';
import { type Manifest, sameNamespace } from './manifest.ts';

/**
 * The variables that Kubernetes sets in every container of a namespace for each Service that has an address of its own.
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables; the name stands for the address.
 */
export function serviceLinks(manifests: readonly Manifest[], namespace: string | undefined): ReadonlyMap<string, Variable> {
  const services = manifests.filter((each) => each.kind === 'Service' && sameNamespace(each.namespace, namespace) && hasAddress(each));
  return new Map(services.flatMap(variablesFor));
}

function hasAddress({ root }: Manifest): boolean {
  return stringOf(get(root, 'spec', 'clusterIP')) !== 'None' && stringOf(get(root, 'spec', 'type')) !== 'ExternalName';
}

function variablesFor({ name, root, at }: Manifest): readonly (readonly [string, Variable])[] {
  const port = numberOf(get(itemsOf(get(root, 'spec', 'ports'))[0], 'port'));
  if (port === undefined) return [];
  const prefix = name.toUpperCase().replaceAll('-', '_');
  const values = [
    [`${prefix}_SERVICE_HOST`, name],
    [`${prefix}_SERVICE_PORT`, String(port)],
    [`${prefix}_PORT`, `tcp://${name}:${port}`],
  ] as const;
  return values.map(([variable, value]) => [variable, { state: 'set', value, place: at, service: name }]);
}
