import { placeOf } from '@poolcheck/parsers/text';
import { entriesOf, get, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { parseImage } from '../../../knowledge/images.ts';
import { poolerParameters } from '../../../knowledge/pgbouncer-vocabulary.ts';
import { countOf } from '../../count.ts';
import { documentOf, type EntryLines, type Line } from '../../poolers/lines.ts';
import type { Manifest } from '../manifest.ts';
import { surgeOfDeployment } from '../rollout.ts';
import type { Pods } from '../workloads.ts';
import { fixed, isOf, linesOf, podsOf, primaryOf, saidBy } from './operated.ts';

/** What CloudNativePG runs. https://cloudnative-pg.io/documentation/current/postgresql_conf/, …/connection_pooling/ */
export function cloudNativePg(manifest: Manifest): readonly Pods[] {
  if (isOf(manifest, 'Cluster', 'postgresql.cnpg.io')) return [clusterPods(manifest)];
  return isOf(manifest, 'Pooler', 'postgresql.cnpg.io') ? [poolerPods(manifest)] : [];
}

function clusterPods(manifest: Manifest): Pods {
  const { root, name } = manifest;
  const { tag } = parseImage(stringOf(get(root, 'spec', 'imageName')) ?? '');
  return primaryOf(manifest, [`${name}-rw`], { repository: 'postgres', tag }, get(root, 'spec', 'postgresql', 'parameters'));
}

function poolerPods(manifest: Manifest): Pods {
  const { root, name, at } = manifest;
  const reference = { repository: 'cloudnative-pg/pgbouncer', tag: parseImage(ownImage(root) ?? '').tag };
  const instances = countOf(get(root, 'spec', 'instances'), 'instances', 1, at);
  const document = documentOf({
    text: at.text,
    settings: settingsOf(manifest),
    databases: [entryOf(manifest)],
    complete: get(root, 'spec', 'pgbouncer', 'parameters')?.kind !== 'unknown',
  });
  const parameters = entriesOf(get(root, 'spec', 'pgbouncer', 'parameters')).map(({ key, value }) => ({
    name: key.value,
    at: placeOf(value.text, key.range),
  }));
  const operated = { document, assumed: false, vocabulary: poolerParameters };
  const surge = surgeOfDeployment(get(root, 'spec', 'deploymentStrategy'), at);
  return podsOf(manifest, { name, services: [name], reference, instances, surge, pooler: { operated, parameters } });
}

/** The image of its own template, when it says one. */
function ownImage(root: YamlValue): string | undefined {
  const containers = itemsOf(get(root, 'spec', 'template', 'spec', 'containers'));
  return stringOf(
    get(
      containers.find((container) => stringOf(get(container, 'name')) === 'pgbouncer'),
      'image',
    ),
  );
}

/** What is told of startup parameters is added to what the operator needs itself. */
function settingsOf({ root, at }: Manifest): readonly Line[] {
  const pgbouncer = get(root, 'spec', 'pgbouncer');
  const mode = saidBy(get(pgbouncer, 'poolMode'));
  const parameters = linesOf(get(pgbouncer, 'parameters'));
  const ignored = parameters.find(({ name }) => name === 'ignore_startup_parameters');
  const own = 'extra_float_digits,options';
  return [
    ...(mode ? [{ name: 'pool_mode', ...mode }] : []),
    ...parameters.filter((line) => line !== ignored),
    ignored ? { ...ignored, value: ignored.value && `${own},${ignored.value}` } : fixed('ignore_startup_parameters', own, at),
  ];
}

/** One entry for every database, to the Service of the cluster. */
function entryOf({ root, at }: Manifest): EntryLines {
  const cluster = saidBy(get(root, 'spec', 'cluster', 'name'));
  const type = stringOf(get(root, 'spec', 'type')) ?? 'rw';
  return {
    name: '*',
    at,
    parameters: [{ name: 'host', value: cluster?.value && `${cluster.value}-${type}`, place: cluster?.place ?? at }],
  };
}
