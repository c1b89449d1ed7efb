import { placeOf } from '@poolcheck/parsers/text';
import { entriesOf, get, stringOf } from '@poolcheck/parsers/yaml/value';
import { parseImage } from '../../knowledge/images.ts';
import { defaulted } from '../../known.ts';
import type { Manifest } from './manifest.ts';
import type { Pods } from './workloads.ts';

/**
 * The primary that CloudNativePG starts for a `Cluster`, as a container: its parameters are command-line options, its Service is
 * `<cluster>-rw`. https://cloudnative-pg.io/documentation/current/postgresql_conf/
 */
export function clusterPods(manifest: Manifest): Pods | undefined {
  const { kind, name, namespace, root, at } = manifest;
  if (kind !== 'Cluster' || !stringOf(get(root, 'apiVersion'))?.startsWith('postgresql.cnpg.io/')) return undefined;
  const options = entriesOf(get(root, 'spec', 'postgresql', 'parameters')).map(({ key, value }) => ({
    ...placeOf(value.text, value.range),
    value: `--${key.value}=${stringOf(value) ?? ''}`,
    expands: value.kind !== 'scalar',
  }));
  const { tag } = parseImage(stringOf(get(root, 'spec', 'imageName')) ?? '');
  return {
    kind,
    name,
    namespace,
    at,
    labels: new Map(),
    services: [`${name}-rw`],
    instances: defaulted(1, 'one primary', at),
    containers: [
      {
        name,
        at,
        image: { ...at, reference: { repository: 'postgres', tag } },
        build: undefined,
        entrypoint: undefined,
        command: options,
        environment: () => ({ state: 'unset' }),
        ports: [],
        mounts: [],
      },
    ],
  };
}
