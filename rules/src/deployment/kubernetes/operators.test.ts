import { outermost, positionAt } from '@poolcheck/parsers/text';
import { expect, test } from 'vitest';
import { readDocuments } from '../../documents.ts';
import { type Known, show } from '../../known.ts';
import { projectOf } from '../../project.ts';
import { programOf } from '../../source/program.ts';
import type { Pooler } from '../model.ts';
import { survey } from '../survey.ts';

function deploymentOf(manifest: string) {
  const project = projectOf({ 'k8s/all.yaml': manifest });
  const [deployment] = survey(project, readDocuments(project).documents, programOf(project)).deployments;
  if (!deployment) throw new Error('no deployment');
  return deployment;
}

const cnpg = (spec: string, parameters = '') => `apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: { name: orders }
spec: { instances: 3, postgresql: { parameters: { max_connections: "150" } } }
---
apiVersion: postgresql.cnpg.io/v1
kind: Pooler
metadata: { name: orders-pooler }
spec:
  cluster: { name: orders }
${spec}
  pgbouncer:
    poolMode: transaction
    parameters: { ${parameters} }
`;

const zalando = (spec: string) => `apiVersion: acid.zalan.do/v1
kind: postgresql
metadata: { name: orders }
spec: { postgresql: { version: "16", parameters: { max_connections: "150" } }, ${spec} }
`;

const crunchy = (pooler: string) => `apiVersion: postgres-operator.crunchydata.com/v1beta1
kind: PostgresCluster
metadata: { name: orders }
spec:
  postgresVersion: 16
  patroni: { dynamicConfiguration: { postgresql: { parameters: { max_connections: 150 } } } }
  proxy: { pgBouncer: ${pooler} }
`;

const brief = (known: Known) => `${show(known)} ${known.source}`;

function briefly({ name, instances, entries }: Pooler): string {
  const drawn = entries.map((entry) => {
    const { mode, serverConnections, database } = entry;
    return `${entry.name} ${mode.value} ${mode.source} ${brief(serverConnections)} -> ${database?.name} ${database && brief(database.maxConnections)}`;
  });
  return `${name} x ${brief(instances)}: ${drawn.join(', ')}`;
}

test.each([
  ['cnpg', cnpg('  instances: 2'), 'orders-pooler x 2 written: * transaction written 20 defaulted -> orders 150 written'],
  [
    'cnpg with parameters',
    cnpg('  type: rw', 'default_pool_size: "7", reserve_pool_size: "3"'),
    'orders-pooler x 1 defaulted: * transaction written 10 written -> orders 150 written',
  ],
  ['cnpg to its replicas', cnpg('  type: ro'), 'orders-pooler x 1 defaulted: * transaction written 20 defaulted -> undefined undefined'],
  [
    'zalando by its defaults',
    zalando('enableConnectionPooler: true'),
    'orders-pooler x 2 assumed: * transaction assumed 22 assumed -> orders 150 written, postgres transaction assumed 22 assumed -> orders 150 written',
  ],
  [
    'zalando with everything said',
    zalando('connectionPooler: { numberOfInstances: 3, mode: session, maxDBConnections: 30 }'),
    'orders-pooler x 3 written: * session written 7 written -> orders 150 written, postgres session written 7 written -> orders 150 written',
  ],
  [
    'crunchy by its defaults',
    crunchy('{ replicas: 2 }'),
    'orders-pgbouncer x 2 written: * session defaulted 20 defaulted -> orders 150 written',
  ],
  [
    'crunchy with everything said',
    crunchy(
      '{ config: { global: { pool_mode: transaction, default_pool_size: "9" }, databases: { shop: "host=orders-primary pool_size=4" } } }',
    ),
    'orders-pgbouncer x 1 defaulted: shop transaction written 4 written -> orders 150 written',
  ],
])('%s', (_, manifest, expected) => expect(deploymentOf(manifest).poolers.map(briefly)).toEqual([expected]));

test.each([
  ['turned off', zalando('enableConnectionPooler: false, connectionPooler: { mode: session }')],
  ['not asked for', zalando('numberOfInstances: 2')],
  ['of another API', cnpg('').replaceAll('postgresql.cnpg.io', 'example.com')],
])('no pooler is run that is %s', (_, manifest) => {
  const project = projectOf({ 'k8s/all.yaml': manifest });
  const { deployments } = survey(project, readDocuments(project).documents, programOf(project));
  expect(deployments.flatMap(({ poolers }) => poolers)).toEqual([]);
});

test('a size stands where it is written', () => {
  const [pooler] = deploymentOf(crunchy('{ config: { databases: { shop: "host=a pool_size=4" } } }')).poolers;
  const place = pooler?.entries[0]?.serverConnections.evidence[0]?.place;
  const at = place && outermost(place);
  expect(at && [positionAt(at.text, at.range.start).line, at.text.content.slice(at.range.start, at.range.end)]).toEqual([7, '4']);
});
