import { booleanOf, get, isAbsent, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { countOf } from '../../count.ts';
import { documentOf, type Line } from '../../poolers/lines.ts';
import type { Manifest } from '../manifest.ts';
import { surgeOfDeployment } from '../rollout.ts';
import type { Pods } from '../workloads.ts';
import { fixed, isOf, podsOf, primaryOf, saidBy } from './operated.ts';

/** What Zalando's operator runs. https://github.com/zalando/postgres-operator/blob/master/docs/reference/cluster_manifest.md */
export function zalando(manifest: Manifest): readonly Pods[] {
  if (!isOf(manifest, 'postgresql', 'acid.zalan.do')) return [];
  const { root, name } = manifest;
  const postgresql = get(root, 'spec', 'postgresql');
  const reference = { repository: 'zalando/spilo', tag: stringOf(get(postgresql, 'version')) };
  const primary = primaryOf(manifest, [name], reference, get(postgresql, 'parameters'));
  return [primary, ...(hasPooler(root) ? [poolerPods(manifest)] : [])];
}

/** The section alone turns it on. */
function hasPooler(root: YamlValue): boolean {
  const said = get(root, 'spec', 'enableConnectionPooler');
  return said && !isAbsent(said) ? booleanOf(said) === true : !isAbsent(get(root, 'spec', 'connectionPooler'));
}

/** What a manifest leaves out; the operator's own configuration may say otherwise. */
const defaults = { numberOfInstances: 2, mode: 'transaction', maxDBConnections: 60 };

function poolerPods(manifest: Manifest): Pods {
  const { root, name, at } = manifest;
  const section = get(root, 'spec', 'connectionPooler');
  const count = countOf(get(section, 'numberOfInstances'), 'numberOfInstances', defaults.numberOfInstances, at);
  const host = fixed('host', name, at);
  const document = documentOf({
    text: at.text,
    settings: settingsOf(section, manifest),
    databases: ['*', 'postgres'].map((entry) => ({ name: entry, at, parameters: [host] })),
    complete: true,
  });
  const assumed = Object.keys(defaults).some((field) => isAbsent(get(section, field)));
  return podsOf(manifest, {
    name: `${name}-pooler`,
    services: [`${name}-pooler`],
    reference: { repository: 'zalando/pgbouncer', tag: undefined },
    instances: count.source === 'defaulted' ? { ...count, source: 'assumed' } : count,
    surge: surgeOfDeployment(undefined, at),
    pooler: { operated: { document, assumed } },
  });
}

/** The connections to a database are divided among the pods. https://github.com/zalando/postgres-operator/blob/master/pkg/cluster/connection_pooler.go */
function settingsOf(section: YamlValue | undefined, { at }: Manifest): readonly Line[] {
  const mode = saidBy(get(section, 'mode'));
  const most = saidBy(get(section, 'maxDBConnections'));
  const perPod = dividedBy(fieldOf(section, 'maxDBConnections'), fieldOf(section, 'numberOfInstances'));
  const pool = dividedBy(perPod, 2);
  const size = (name: string, value: number | undefined) => ({ name, value: value?.toString(), place: most?.place ?? at });
  return [
    mode ? { name: 'pool_mode', ...mode } : fixed('pool_mode', defaults.mode, at),
    size('max_db_connections', perPod),
    size('default_pool_size', pool),
    size('reserve_pool_size', dividedBy(pool, 2)),
    fixed('max_client_conn', '10000', at),
    fixed('max_prepared_statements', '200', at),
    fixed('ignore_startup_parameters', 'extra_float_digits,options', at),
  ];
}

function fieldOf(section: YamlValue | undefined, field: 'numberOfInstances' | 'maxDBConnections'): number | undefined {
  const value = get(section, field);
  return isAbsent(value) ? defaults[field] : numberOf(value);
}

function dividedBy(number: number | undefined, by: number | undefined): number | undefined {
  return number === undefined || !by ? undefined : Math.floor(number / by);
}
