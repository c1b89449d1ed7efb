import { positionAt, outermost } from '@poolcheck/parsers/text';
import { expect, test } from 'vitest';
import { readDocuments } from '../../documents.ts';
import { type Known, show } from '../../known.ts';
import { projectOf } from '../../project.ts';
import { type Container, fileAt, type Stack } from '../stack.ts';
import { kubernetesStacks } from './stacks.ts';

type Files = Readonly<Record<string, string>>;

function stacksOf(files: Files) {
  const project = projectOf(files);
  return kubernetesStacks(readDocuments(project).documents, project);
}

function stackOf(yaml: string): Stack {
  const [stack] = stacksOf({ 'k8s/all.yaml': yaml }).stacks;
  if (!stack) throw new Error('no stack');
  return stack;
}

const deployment = (name: string, spec = '', container = '') => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
${spec}
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: app
          image: registry.example.com/${name}:1
${container}
`;

const service = (name: string, spec: string) => `---
apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: ${spec}
`;

const scaler = (kind: string, spec: string) => `---
apiVersion: x
kind: ${kind}
metadata: { name: api }
spec: ${spec}
`;

const paused = (annotation: string) => `---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: api, annotations: { ${annotation} } }
spec: { scaleTargetRef: { name: api }, maxReplicaCount: 30 }
`;

const rollout = (reference: string) => `---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: api }
spec: { replicas: 6, workloadRef: ${reference} }
`;

test('a Rollout takes the pods of the Deployment that it refers to', () => {
  const { workloads } = stackOf(deployment('api', '  replicas: 0') + rollout('{kind: Deployment, name: api}'));
  expect(workloads.map(({ instances, containers }) => [show(instances), containers.map(({ name }) => name)])).toEqual([['6', ['app']]]);
});

test.each([
  ['{autoscaling.knative.dev/max-scale: "12", autoscaling.knative.dev/min-scale: "2"}', '{}', '12 written', '2 written'],
  ['{autoscaling.knative.dev/maxScale: "12"}', '{}', '12 written', '0 defaulted'],
  ['{autoscaling.knative.dev/max-scale: "0"}', '{}', 'at least 1 assumed', undefined],
  ['{}', '{}', 'at least 1 assumed', undefined],
  ['{run.googleapis.com/cpu-throttling: "false"}', '{}', '100 defaulted', '0 defaulted'],
  ['{}', '{labels: {cloud.googleapis.com/location: europe-west1}}', '100 defaulted', '0 defaulted'],
])('instances of a service of Knative with %s', (annotations, metadata, most, least) => {
  const yaml = `apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: ${metadata.replace('{', '{name: api, ')}\nspec: {template: {metadata: {annotations: ${annotations}}, spec: {containers: [{image: a}]}}}\n`;
  const [workload] = stackOf(yaml).workloads;
  const brief = (known: Known | undefined) => known && `${show(known)} ${known.source}`;
  expect(brief(workload?.instances)).toBe(most);
  if (least !== undefined) expect(brief(workload?.started)).toBe(least);
});

test.each([
  ['{jobTargetRef: {parallelism: 2, template: {spec: {containers: [{image: a}]}}}, maxReplicaCount: 5}', '10', '0'],
  ['{jobTargetRef: {template: {}}}', '100', '0'],
])('instances of a ScaledJob with %s', (spec, most, least) => {
  const [workload] = stackOf(`apiVersion: keda.sh/v1alpha1\nkind: ScaledJob\nmetadata: {name: a}\nspec: ${spec}\n`).workloads;
  expect(workload && [show(workload.instances), workload.started && show(workload.started)]).toEqual([most, least]);
});

test.each([
  ['replicas', deployment('api', '  replicas: 5'), '5', 'written'],
  ['no replicas', deployment('api'), '1', 'defaulted'],
  ['replicas filled in later', deployment('api', '  replicas: ${REPLICAS}'), 'at least 1', 'assumed'],
  [
    'an autoscaler',
    deployment('api', '  replicas: 2') +
      scaler('HorizontalPodAutoscaler', '{scaleTargetRef: {kind: Deployment, name: api}, maxReplicas: 9}'),
    '9',
    'written',
  ],
  [
    'an autoscaler of another workload',
    deployment('api') + scaler('HorizontalPodAutoscaler', '{scaleTargetRef: {kind: Deployment, name: web}, maxReplicas: 9}'),
    '1',
    'defaulted',
  ],
  ['KEDA without a maximum', deployment('api') + scaler('ScaledObject', '{scaleTargetRef: {name: api}}'), '100', 'defaulted'],
  ['KEDA that is paused', deployment('api', '  replicas: 4') + paused('autoscaling.keda.sh/paused: "true"'), '4', 'written'],
  ['KEDA that is paused at a number', deployment('api') + paused('autoscaling.keda.sh/paused-replicas: "7"'), '7', 'written'],
  ['a Rollout beside it', deployment('api', '  replicas: 4') + rollout('{kind: Deployment, name: api, scaleDown: never}'), '4', 'written'],
  [
    'a Rollout that takes over',
    deployment('api', '  replicas: 4') + rollout('{kind: Deployment, name: api, scaleDown: onsuccess}'),
    '6',
    'written',
  ],
  ['a Rollout that may take over', deployment('api', '  replicas: 4') + rollout('{kind: Deployment, name: api}'), '0–4', 'written'],
  ['a Rollout of another one', deployment('api', '  replicas: 4') + rollout('{kind: Deployment, name: web}'), '4', 'written'],
])('instances of a Deployment with %s', (_, yaml, count, source) => {
  const instances = stackOf(yaml).workloads[0]?.instances;
  expect([instances && show(instances), instances?.source]).toEqual([count, source]);
});

test.each([
  ['Deployment', '{replicas: 5}', 2],
  ['Deployment', '{}', 1],
  ['Deployment', '{replicas: 5, strategy: {type: Recreate}}', undefined],
  ['Deployment', '{replicas: 5, strategy: {rollingUpdate: {maxSurge: 3}}}', 3],
  ['Deployment', '{replicas: 5, strategy: {rollingUpdate: {maxSurge: 50%}}}', 3],
  ['Deployment', '{replicas: 5, strategy: {rollingUpdate: {maxSurge: 0}}}', 0],
  ['StatefulSet', '{replicas: 5}', undefined],
  ['Rollout', '{replicas: 8, strategy: {blueGreen: {activeService: a}}}', 8],
  ['Rollout', '{replicas: 8, strategy: {canary: {}}}', 2],
  ['Rollout', '{replicas: 8, strategy: {canary: {maxSurge: 1}}}', 1],
  ['Rollout', '{replicas: 8, strategy: {canary: {maxSurge: "25"}}}', 2],
  ['Rollout', '{replicas: 8, strategy: {canary: {maxSurge: 1, trafficRouting: {nginx: {}}}}}', 8],
  ['Rollout', '{replicas: 8, strategy: {canary: {trafficRouting: {nginx: {}}, dynamicStableScale: true}}}', undefined],
])('a %s with %s: while it is rolled out %o more run', (kind, spec, more) => {
  const [workload] = stackOf(`apiVersion: v1\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`).workloads;
  const surge = workload?.surge?.(workload.instances);
  expect([surge?.low, surge?.high]).toEqual([more, more]);
});

test('what is started is what is written, or the least of the autoscaler', () => {
  const startedOf = (yaml: string) => stackOf(yaml).workloads[0]?.started?.low;
  const hpa = scaler('HorizontalPodAutoscaler', '{scaleTargetRef: {kind: Deployment, name: api}, minReplicas: 2, maxReplicas: 9}');
  expect([startedOf(deployment('api') + hpa), startedOf(deployment('api', '  replicas: 4\n') + hpa), startedOf(deployment('api'))]).toEqual(
    [2, 4, undefined],
  );
});

test.each([
  ['DaemonSet', 'spec: {template: {spec: {}}}', 'at least 1'],
  ['Pod', 'spec: {}', '1'],
  ['StatefulSet', 'spec: {replicas: 3}', '3'],
  ['Job', 'spec: {parallelism: 4, completions: 2}', '0–2'],
  ['Job', 'spec: {suspend: true}', '0'],
  ['CronJob', 'spec: {concurrencyPolicy: Forbid, jobTemplate: {spec: {parallelism: 2}}}', '2'],
  ['CronJob', 'spec: {jobTemplate: {spec: {}}}', 'at least 1'],
  ['CronJob', 'spec: {suspend: true}', '0'],
  ['CronJob', 'spec: {schedule: "* * * * *", jobTemplate: {spec: {activeDeadlineSeconds: 300}}}', '1–5'],
  ['CronJob', 'spec: {schedule: "0 3 * * *", jobTemplate: {spec: {activeDeadlineSeconds: 3600, parallelism: 4}}}', '4'],
  ['CronJob', 'spec: {schedule: "* * * * *", concurrencyPolicy: Replace, jobTemplate: {spec: {activeDeadlineSeconds: 300}}}', '1'],
])('instances of a %s with %s', (kind, spec, count) => {
  const instances = stackOf(`apiVersion: v1\nkind: ${kind}\nmetadata: {name: a}\n${spec}\n`).workloads[0]?.instances;
  expect(instances && show(instances)).toBe(count);
});

const configured = `${deployment(
  'api',
  '',
  `          envFrom:
            - configMapRef: { name: shared }
            - prefix: S_
              secretRef: { name: secret }
          env:
            - { name: HOST, value: db }
            - { name: URL, value: "postgres://app:$(PASSWORD)@$(HOST):5432/$(NAME)" }
            - { name: PASSWORD, valueFrom: { secretKeyRef: { name: elsewhere, key: p } } }
            - { name: LATER, value: "postgres://app:$(PASSWORD)@$(HOST)/$(UNSET)$$(HOST)" }
            - { name: MAX, valueFrom: { configMapKeyRef: { name: shared, key: POOL_MAX } } }
            - { name: CPU, valueFrom: { resourceFieldRef: { resource: limits.cpu } } }
            - { name: ENVSUBST, value: "\${POOL_MAX}" }`,
)}---
apiVersion: v1
kind: ConfigMap
metadata: { name: shared }
data:
  NAME: shop
  POOL_MAX: "25"
  HOST: overridden
---
apiVersion: v1
kind: Secret
metadata: { name: secret }
data: { KEY: ${Buffer.from('value').toString('base64')} }
`;

function appOf(stack: Stack): Container {
  const container = stack.workloads[0]?.containers[0];
  if (!container) throw new Error('no container');
  return container;
}

function valueOf(container: Container, name: string): string {
  const variable = container.environment(name);
  return variable.state === 'set' ? variable.value : `(${variable.state})`;
}

test('the environment of a container, as Kubernetes makes it', () => {
  const container = appOf(stackOf(configured));
  const values = ['HOST', 'NAME', 'POOL_MAX', 'MAX', 'S_KEY', 'LATER', 'PASSWORD', 'CPU', 'ENVSUBST', 'NOWHERE'];
  expect(values.map((name) => valueOf(container, name))).toEqual([
    'db',
    'shop',
    '25',
    '25',
    'value',
    'postgres://app:\0@db/$(UNSET)$(HOST)',
    '(unknown)',
    '(unknown)',
    '(unknown)',
    '(unset)',
  ]);
  // The password is defined after it: it stays as it is written.
  expect(valueOf(container, 'URL')).toBe('postgres://app:$(PASSWORD)@db:5432/shop');
});

test('a value stands where it is written, be that a ConfigMap', () => {
  const variable = appOf(stackOf(configured)).environment('MAX');
  const place = variable.state === 'set' ? outermost(variable.place) : undefined;
  const line = place && positionAt(place.text, place.range.start).line;
  expect(line && configured.split('\n')[line - 1]).toBe('  POOL_MAX: "25"');
});

test('with a source that is not in the root, what is not set may be set there', () => {
  const yaml = deployment('api', '', '          envFrom: [{ secretRef: { name: elsewhere } }]\n          env: [{ name: A, value: b }]');
  expect(['A', 'B'].map((name) => valueOf(appOf(stackOf(yaml)), name))).toEqual(['b', '(unknown)']);
});

test('files are found in mounted ConfigMaps, under the names and paths they are mounted at', () => {
  const stack = stackOf(`${deployment(
    'pooler',
    '',
    `          volumeMounts:
            - { name: config, mountPath: /etc/pgbouncer/ }
            - { name: config, mountPath: /etc/nginx/nginx.conf, subPath: b.conf }
            - { name: picked, mountPath: /picked }
            - { name: data, mountPath: /data }
      volumes:
        - { name: config, configMap: { name: files } }
        - { name: picked, projected: { sources: [{ configMap: { name: files, items: [{ key: a.ini, path: x/y.ini }] } }] } }
        - { name: data, persistentVolumeClaim: { claimName: c } }`,
  )}---
apiVersion: v1
kind: ConfigMap
metadata: { name: files }
data: { a.ini: A, b.conf: B }
`);
  const read = (path: string) => {
    const found = fileAt(appOf(stack), path);
    return typeof found === 'object' ? found.content : found;
  };
  expect(read('/etc/pgbouncer/a.ini')).toBe('A');
  expect(read('/etc/nginx/nginx.conf')).toBe('B');
  expect(read('/picked/x/y.ini')).toBe('A');
  expect(read('/picked/b.conf')).toBeUndefined();
  expect(read('/data/anything')).toBe('unknown');
  expect(read('/elsewhere')).toBeUndefined();
});

const networked = `${deployment('api')}---
${deployment('db', '', '          ports: [{ name: pg, containerPort: 5432 }]').replace('Deployment', 'StatefulSet')}---
${deployment(
  'pooled',
  '',
  `        - { name: pgbouncer, image: edoburu/pgbouncer:v1.24.1, ports: [{ containerPort: 6432 }] }`,
)}${service('postgres', '{ selector: { app: db }, ports: [{ port: 5432, targetPort: pg }] }')}${service(
  'headless',
  '{ selector: { app: db }, clusterIP: None }',
)}${service('outside', '{ type: ExternalName, externalName: db.example.com }')}${service(
  'pooler',
  '{ selector: { app: pooled }, ports: [{ port: 5432, targetPort: 6432 }] }',
)}${service('elsewhere', '{ selector: { app: nobody }, ports: [{ port: 5432 }] }')}---
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: { name: orders }
spec: { postgresql: { parameters: { max_connections: "200" } } }
`;

test.each([
  ['postgres', 5432, 'db/app'],
  ['postgres', undefined, 'db/app'],
  ['postgres.default', 5432, 'db/app'],
  ['postgres.default.svc.cluster.local', 5432, 'db/app'],
  ['postgres.example.com', 5432, undefined],
  ['postgres', 6432, undefined],
  ['db-0.headless', 5432, 'db/app'],
  ['headless', 5432, 'db/app'],
  ['outside', 5432, undefined],
  ['pooler', 5432, 'pooled/pgbouncer'],
  ['elsewhere', 5432, undefined],
  ['orders-rw', 5432, 'orders/orders'],
  ['orders-ro', 5432, undefined],
  ['localhost', 5432, undefined],
])('%s:%s reaches %s', (host, port, expected) => {
  const stack = stackOf(networked);
  const [api] = stack.workloads;
  const found = api && stack.resolve(host, port, api);
  expect(found && `${found.workload.name}/${found.container.name}`).toBe(expected);
});

test('localhost is another container of the own pod', () => {
  const stack = stackOf(networked);
  const pooled = stack.workloads.find(({ name }) => name === 'pooled');
  expect(pooled && stack.resolve('localhost', 6432, pooled)?.container.name).toBe('pgbouncer');
});

const names = (files: Files) =>
  stacksOf(files).stacks.map(({ name, workloads }) => `${name}: ${workloads.map((each) => each.name).join(' ')}`);

test('a folder with its subfolders is one environment, and folders named like environments are their own', () => {
  expect(
    names({
      'k8s/api/api.yaml': deployment('api'),
      'k8s/db.yaml': deployment('db'),
      'k8s/prod/api.yaml': deployment('api'),
      'k8s/staging/api/api.yaml': deployment('api'),
      'one/a.yaml': deployment('a'),
      'two/b.yaml': deployment('b'),
    }),
  ).toEqual(['k8s: api db', 'k8s/prod: api', 'k8s/staging: api', 'one: a', 'two: b']);
});

test('folders that declare the same workload are never added up', () => {
  expect(names({ 'k8s/eu/a.yaml': deployment('api'), 'k8s/us/a.yaml': deployment('api') })).toEqual(['k8s/eu: api', 'k8s/us: api']);
});

test('a workload that one folder declares twice is not known, and that is said', () => {
  const { stacks, problems } = stacksOf({ 'k8s/a.yaml': deployment('api') + '---\n' + deployment('web'), 'k8s/b.yaml': deployment('api') });
  expect(stacks.map(({ workloads, complete }) => [workloads.map(({ name }) => name), complete])).toEqual([[['web'], false]]);
  expect(problems.map(({ message }) => message)).toEqual([
    'Deployment api is declared again in k8s/b.yaml: it is not known which one runs',
  ]);
});

test('a chart that is not rendered draws nothing', () => {
  expect(names({ 'chart/Chart.yaml': 'name: c', 'chart/templates/api.yaml': deployment('api') })).toEqual([]);
});

test('a manifest that was not read whole is left out', () => {
  const stack = stacksOf({ 'k8s/a.yaml': `${deployment('api', '  {{- if x }}\n  replicas: 3\n  {{- end }}')}---\n${deployment('web')}` })
    .stacks[0];
  expect([stack?.workloads.map(({ name }) => name), stack?.complete]).toEqual([['web'], false]);
});

const kustomized: Files = {
  'k8s/base/kustomization.yaml':
    'resources: [api.yaml]\nconfigMapGenerator: [{name: env, literals: [POOL_MAX=7], envs: [a.env], files: [pgbouncer.ini]}]\n',
  'k8s/base/a.env': 'FROM_FILE=yes\n',
  'k8s/base/pgbouncer.ini': '[pgbouncer]\n',
  'k8s/base/api.yaml': deployment(
    'api',
    '  replicas: 2',
    '          env: [{ name: A, value: base }, { name: B, value: base }]\n          envFrom: [{ configMapRef: { name: env } }]',
  ),
  'k8s/base/unused.yaml': deployment('unused'),
  'k8s/overlays/prod/kustomization.yaml': 'resources: [../../base]\nreplicas: [{name: api, count: 12}]\npatches: [{path: env.yaml}]\n',
  'k8s/overlays/prod/env.yaml':
    'kind: Deployment\nmetadata: {name: api}\nspec: {template: {spec: {containers: [{name: app, env: [{name: B, value: prod}]}]}}}\n',
  'k8s/overlays/dev/kustomization.yaml':
    'bases: [../../base]\npatches:\n  - target: {kind: Deployment, name: api}\n    patch: |\n      - op: replace\n        path: /spec/replicas\n        value: 1\n',
  'k8s/overlays/odd/kustomization.yaml': 'resources: [../../base]\npatches: [{target: {labelSelector: a=b}, patch: "kind: Deployment"}]\n',
};

test('an overlay is its base with its patches, and the base is no environment', () => {
  const { stacks } = stacksOf(kustomized);
  const drawn = stacks.map(({ name, workloads, complete }) => [
    name,
    workloads.map((each) => `${each.name} ${show(each.instances)}`),
    complete,
  ]);
  expect(drawn).toEqual([
    ['k8s/overlays/dev', ['api 1'], true],
    ['k8s/overlays/prod', ['api 12'], true],
  ]);
});

test('patched lists are merged by name, and generated ConfigMaps are read', () => {
  const prod = stacksOf(kustomized).stacks.find(({ name }) => name.endsWith('prod'));
  const container = prod && appOf(prod);
  expect(container && ['A', 'B', 'POOL_MAX', 'FROM_FILE'].map((name) => valueOf(container, name))).toEqual(['base', 'prod', '7', 'yes']);
});
