import { parseConnectionString } from '@poolcheck/parsers/pgbouncer/connection-string';
import { placeOf } from '@poolcheck/parsers/text';
import { embed } from '@poolcheck/parsers/yaml/embed';
import { entriesOf, get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { countOf } from '../../count.ts';
import { documentOf, type EntryLines } from '../../poolers/lines.ts';
import type { Manifest } from '../manifest.ts';
import { surgeOfDeployment } from '../rollout.ts';
import type { Pods } from '../workloads.ts';
import { fixed, isOf, linesOf, podsOf, primaryOf } from './operated.ts';

/**
 * What Crunchy's operator runs. https://access.crunchydata.com/documentation/postgres-operator/latest/tutorials/basic-setup/connection-pooling
 */
export function crunchy(manifest: Manifest): readonly Pods[] {
  if (!isOf(manifest, 'PostgresCluster', 'postgres-operator.crunchydata.com')) return [];
  const { root, name } = manifest;
  const spec = get(root, 'spec');
  const parameters = get(spec, 'config', 'parameters') ?? get(spec, 'patroni', 'dynamicConfiguration', 'postgresql', 'parameters');
  const reference = { repository: 'postgres', tag: stringOf(get(spec, 'postgresVersion')) };
  const primary = primaryOf(manifest, [`${name}-primary`], reference, parameters);
  const pooler = get(spec, 'proxy', 'pgBouncer');
  return [primary, ...(pooler && !isAbsent(pooler) ? [poolerPods(pooler, manifest)] : [])];
}

function poolerPods(pooler: YamlValue, manifest: Manifest): Pods {
  const { name, at } = manifest;
  const config = get(pooler, 'config');
  const global = linesOf(get(config, 'global'));
  const ignored = fixed('ignore_startup_parameters', 'extra_float_digits', at);
  const databases = entriesIn(get(config, 'databases'));
  const host = fixed('host', `${name}-primary`, at);
  const document = documentOf({
    text: at.text,
    settings: global.some((line) => line.name === ignored.name) ? global : [ignored, ...global],
    databases: databases.length > 0 ? databases : [{ name: '*', at, parameters: [host] }],
    users: entriesIn(get(config, 'users')),
    complete: config?.kind !== 'unknown',
  });
  return podsOf(manifest, {
    name: `${name}-pgbouncer`,
    services: [`${name}-pgbouncer`],
    reference: { repository: 'crunchydata/crunchy-pgbouncer', tag: undefined },
    instances: countOf(get(pooler, 'replicas'), 'replicas', 1, at),
    surge: surgeOfDeployment(undefined, at),
    pooler: { operated: { document, assumed: false } },
  });
}

/** Entries by name, each a connection string. */
function entriesIn(map: YamlValue | undefined): readonly EntryLines[] {
  return entriesOf(map).map(({ key, value }) => {
    if (value.kind !== 'scalar') return { name: key.value, at: value, parameters: [] };
    const text = embed(value);
    const { parameters } = parseConnectionString({ value: text.content, range: { start: 0, end: text.content.length } });
    return {
      name: key.value,
      at: placeOf(text, { start: 0, end: text.content.length }),
      parameters: parameters.map((pair) => ({
        name: pair.key.value,
        value: pair.value.value,
        place: placeOf(text, pair.value.range),
        key: pair.key.range,
      })),
    };
  });
}
