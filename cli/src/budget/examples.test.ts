import { budgetOf, clientsByDatabase } from '@poolcheck/rules/deployment/budget';
import type { Database, Deployment } from '@poolcheck/rules/deployment/model';
import { counting, situations } from '@poolcheck/rules/deployment/scale';
import { survey } from '@poolcheck/rules/deployment/survey';
import { readDocuments } from '@poolcheck/rules/documents';
import { projectOf } from '@poolcheck/rules/project';
import { programOf } from '@poolcheck/rules/source/program';
import { expect, test } from 'vitest';
import vectors from './examples.json' with { type: 'json' };
import { safeKnobs } from './knobs.ts';

/** Deployments whose connections were worked out by hand, from the facts about what runs in them. */
const { examples, surgeTable } = vectors;

type Files = Readonly<Record<string, string>>;

function deploymentOf(files: Files): Deployment {
  const project = projectOf(files);
  const { documents } = readDocuments(project);
  const [deployment] = survey(project, documents, programOf(project)).deployments;
  if (!deployment) throw new Error('no deployment');
  return deployment;
}

function only(deployment: Deployment): Database {
  const [database] = deployment.databases;
  if (!database) throw new Error('no database');
  return database;
}

function budgetsOf(files: Files) {
  const deployment = deploymentOf(files);
  const database = only(deployment);
  const clients = clientsByDatabase(deployment).get(database) ?? { services: [], poolers: [] };
  const [steady, scaled, rollout] = situations.map((situation) => budgetOf(database, clients, counting[situation]));
  return {
    steady: steady?.demand.low,
    scaled: scaled?.demand.low,
    rollout: rollout?.demand.low,
    usable: scaled?.accepts,
    most: scaled?.demand.high,
    verdict: scaled?.verdict,
    safe: (name: string) => safeKnobs(database, clients).find((knob) => knob.name === name)?.safe,
  };
}

const pod = (image: string, fields = '') => `    metadata: { labels: { app: ${image} } }
    spec:
      containers:
        - name: ${image}
          image: registry.example.com/${image}:1
${fields}`;
const workload = (kind: string, name: string, spec: string, container = '') =>
  `---\napiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec:\n  selector: { matchLabels: { app: ${name} } }\n${spec}  template:\n${pod(name, container)}`;
const service = (name: string, port: number) =>
  `---\napiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec:\n  selector: { app: ${name} }\n  ports: [{ port: ${port} }]\n`;
const variables = (...pairs: readonly (readonly [string, string])[]) =>
  `          env:\n${pairs.map(([name, value]) => `            - { name: ${name}, value: "${value}" }\n`).join('')}`;
const postgres = `---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers: [{ name: db, image: "postgres:17" }]
${service('db', 5432)}`;
const pool = (max: number, variable = 'DATABASE_URL', name = 'pool') =>
  `export const ${name} = new Pool({ connectionString: process.env.${variable}, max: ${max} });\n`;
const source = (...pools: readonly string[]) => `import { Pool } from 'pg';\n${pools.join('')}`;
const direct = variables(['DATABASE_URL', 'postgres://app@db/app']);
const replicas = (count: number) => `  replicas: ${count}\n`;

const ini = (databases: string, settings: string) =>
  `[databases]\n${databases}\n[pgbouncer]\nlisten_addr = *\nlisten_port = 6432\nauth_file = /etc/pgbouncer/userlist.txt\nmax_client_conn = 2000\n${settings}\n`;

interface Example {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
}

function exampleOf(id: string) {
  const found = (examples as readonly Example[]).find((each) => each.id === id);
  if (!found) throw new Error(id);
  return found as unknown as Readonly<Record<string, number>> & {
    readonly input: Readonly<Record<string, number>>;
    readonly verdict: string;
    readonly safePool: Readonly<Record<string, number>>;
  };
}

test('direct', () => {
  const { steady, surge, usable, verdict, safePool } = exampleOf('direct');
  const start = '          command: ["pm2-runtime", "-i", "2", "src/db.ts"]\n';
  const found = budgetsOf({
    'k8s/all.yaml': postgres + workload('Deployment', 'api', replicas(6), start + direct),
    'src/db.ts': source(pool(10)),
  });
  expect(found).toMatchObject({ steady, scaled: steady, rollout: surge, usable, verdict });
  expect(found.safe('services.api.pool')).toBe(safePool['surge']);
});

test('hpa', () => {
  const { input, steady, surge, usable, verdict } = exampleOf('hpa');
  const scaler = `---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: api }\nspec:\n  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: api }\n  minReplicas: 3\n  maxReplicas: ${input.hpaMax}\n`;
  const manifests = postgres + workload('Deployment', 'api', replicas(3), direct) + scaler;
  expect(budgetsOf({ 'k8s/all.yaml': manifests, 'src/db.ts': source(pool(10)) })).toMatchObject({
    steady: 30,
    scaled: steady,
    rollout: surge,
    usable,
    verdict,
  });
});

test.each(surgeTable)('a rollout of $desired', ({ desired, nonTerminatingPeak }) => {
  const manifests = postgres + workload('Deployment', 'api', replicas(desired), direct);
  expect(budgetsOf({ 'k8s/all.yaml': manifests, 'src/db.ts': source(pool(1)) }).rollout).toBe(nonTerminatingPeak);
});

test('pgbouncer-one', () => {
  const { input, server, withMaxDbConnections40, usable } = exampleOf('pgbouncer-one');
  const users = Array.from({ length: input.users ?? 0 }, (_, index) => `user${index}`);
  const app = (user: string) =>
    `  ${user}:\n    build: .\n    environment: { URL_A: "postgres://${user}@pooler:6432/a", URL_B: "postgres://${user}@pooler:6432/b" }\n`;
  const files = (more: string) => ({
    'compose.yaml': `services:\n  db: { image: "postgres:17" }\n  pooler:\n    image: edoburu/pgbouncer:v1.24.1-p1\n    volumes: ["./pgbouncer.ini:/etc/pgbouncer/pgbouncer.ini:ro"]\n${users.map(app).join('')}`,
    'pgbouncer.ini': ini(
      'a = host=db dbname=a\nb = host=db dbname=b',
      `default_pool_size = ${input.size}\nreserve_pool_size = ${input.reserve}\n${more}`,
    ),
    'src/db.ts': source(pool(200, 'URL_A', 'a'), pool(200, 'URL_B', 'b')),
  });
  expect(budgetsOf(files(''))).toMatchObject({ scaled: server, usable });
  expect(budgetsOf(files('max_db_connections = 40')).scaled).toBe(withMaxDbConnections40);
});

const poolerPods = (count: number, settings: string) => `---
apiVersion: v1
kind: ConfigMap
metadata: { name: pooler }
data:
  pgbouncer.ini: |
${ini('app = host=db dbname=app', settings).replace(/^/gm, '    ')}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: pooler }
spec:
  replicas: ${count}
  selector: { matchLabels: { app: pooler } }
  template:
    metadata: { labels: { app: pooler } }
    spec:
      containers:
        - name: pooler
          image: edoburu/pgbouncer:v1.24.1-p1
          volumeMounts: [{ name: config, mountPath: /etc/pgbouncer }]
      volumes: [{ name: config, configMap: { name: pooler } }]
${service('pooler', 6432)}`;

test('pgbouncer-three', () => {
  const { input, server, surge, usable } = exampleOf('pgbouncer-three');
  const through = variables(['DATABASE_URL', 'postgres://app@pooler:6432/app']);
  const manifests =
    postgres + poolerPods(input.pods ?? 0, `default_pool_size = ${input.size}`) + workload('Deployment', 'api', replicas(50), through);
  expect(budgetsOf({ 'k8s/all.yaml': manifests, 'src/db.ts': source(pool(10)) })).toMatchObject({
    steady: server,
    scaled: server,
    rollout: surge,
    usable,
  });
});

test('sidecar', () => {
  const { input, server, ceiling } = exampleOf('sidecar');
  const files = (max: number) => ({
    'k8s/all.yaml': `${postgres}---
apiVersion: v1
kind: ConfigMap
metadata: { name: pooler }
data:
  pgbouncer.ini: |
${ini('app = host=db dbname=app', `default_pool_size = ${input.size}`).replace(/^/gm, '    ')}
${workload(
  'Deployment',
  'api',
  replicas(input.appPods ?? 0),
  `${variables(['DATABASE_URL', 'postgres://app@localhost:6432/app'])}        - name: pooler
          image: edoburu/pgbouncer:v1.24.1-p1
          ports: [{ containerPort: 6432 }]
          volumeMounts: [{ name: config, mountPath: /etc/pgbouncer }]
      volumes: [{ name: config, configMap: { name: pooler } }]
`,
)}`,
    'src/db.ts': source(pool(max)),
  });
  expect(budgetsOf(files(input.appPool ?? 0)).scaled).toBe(server);
  expect(budgetsOf(files(100)).scaled).toBe(ceiling);
});

const zalando = (databases: readonly string[], users: readonly string[], resources = '') => ({
  'k8s/all.yaml': `apiVersion: acid.zalan.do/v1
kind: postgresql
metadata: { name: acid-shop }
spec:
  teamId: acid
  numberOfInstances: 1
  postgresql: { version: "17" }
  enableConnectionPooler: true
${resources}${users
    .map((user) =>
      workload(
        'Deployment',
        user,
        replicas(1),
        variables(...databases.map((name) => [`URL_${name}`, `postgres://${user}@acid-shop-pooler/${name}`] as const)),
      ),
    )
    .join('')}`,
  ...Object.fromEntries(
    users.flatMap((user) => [
      [`${user}/package.json`, `{ "name": "${user}" }`],
      [`${user}/src/db.ts`, source(...databases.map((name) => pool(400, `URL_${name}`, name)))],
    ]),
  ),
});

test('zalando', () => {
  const { oneUserPerDb, manyUsers } = exampleOf('zalando');
  const databases = ['a', 'b', 'c', 'd'];
  expect(budgetsOf(zalando(databases, ['shop'])).scaled).toBe(oneUserPerDb);
  expect(budgetsOf(zalando(databases, ['shop', 'stock'])).scaled).toBe(manyUsers);
});

test('cnpg', () => {
  const { input, server } = exampleOf('cnpg');
  const users = ['shop', 'stock'];
  const manifests = `apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: { name: main }
spec: { instances: 3 }
---
apiVersion: postgresql.cnpg.io/v1
kind: Pooler
metadata: { name: pooler }
spec:
  cluster: { name: main }
  instances: ${input.instances}
  type: rw
  pgbouncer: { poolMode: transaction, parameters: { default_pool_size: "${input.size}", max_client_conn: "1000" } }
${users.map((user) => workload('Deployment', user, replicas(1), variables(['DATABASE_URL', `postgres://${user}@pooler/app`]))).join('')}`;
  const sources = Object.fromEntries(
    users.flatMap((user) => [
      [`${user}/package.json`, `{ "name": "${user}" }`],
      [`${user}/src/db.ts`, source(pool(200))],
    ]),
  );
  expect(budgetsOf({ 'k8s/all.yaml': manifests, ...sources }).scaled).toBe(server);
});

test('cronjob', () => {
  const { input, server } = exampleOf('cronjob');
  const job = `---
apiVersion: batch/v1
kind: CronJob
metadata: { name: sync }
spec:
  schedule: "* * * * *"
  concurrencyPolicy: ${input.policy}
  jobTemplate:
    spec:
      activeDeadlineSeconds: ${input.activeDeadlineSeconds}
      template:
${pod('sync', direct).replace(/^/gm, '    ')}`;
  expect(budgetsOf({ 'k8s/all.yaml': postgres + job, 'src/db.ts': source(pool(input.pool ?? 0)) }).most).toBe(server);
});

test('bluegreen', () => {
  const { input, peak } = exampleOf('bluegreen');
  const rollout = workload('Rollout', 'api', `${replicas(input.replicas ?? 0)}  strategy: { blueGreen: { activeService: api } }\n`, direct);
  const manifests = postgres + rollout.replace('apps/v1', 'argoproj.io/v1alpha1');
  expect(budgetsOf({ 'k8s/all.yaml': manifests, 'src/db.ts': source(pool(10)) }).rollout).toBe(peak);
});

test('pgpool-defaults', () => {
  const { input, server } = exampleOf('pgpool-defaults');
  const compose = `services:
  db: { image: "postgres:17" }
  pooler:
    image: bitnami/pgpool:4
    environment: { PGPOOL_BACKEND_NODES: "0:db:5432" }
    deploy: { replicas: ${input.replicas} }
  api:
    build: .
    environment: { DATABASE_URL: "postgres://app@pooler:5432/app" }
`;
  expect(budgetsOf({ 'compose.yaml': compose, 'src/db.ts': source(pool(1000)) }).scaled).toBe(server);
});

/** What the budget does not count: functions and what runs at a provider, memory, and what a load needs. */
const elsewhere = ['lambda-uncapped', 'lambda-reserved', 'rds-proxy', 'ecs', 'spilo', 'little', 'ports'];

test('every example is reproduced, or is of something that is in no budget', () => {
  const shown = [
    'direct',
    'hpa',
    'pgbouncer-one',
    'pgbouncer-three',
    'sidecar',
    'zalando',
    'cnpg',
    'cronjob',
    'bluegreen',
    'pgpool-defaults',
  ];
  expect(examples.map(({ id }) => id).toSorted()).toEqual([...shown, ...elsewhere].toSorted());
});
