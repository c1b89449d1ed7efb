import { check } from '@poolcheck/rules/check';
import { projectOf } from '@poolcheck/rules/project';
import { expect, test } from 'vitest';
import { pictureOf } from './picture.ts';

const workload = (kind: string, name: string, rest: string, container: string) =>
  `apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec:\n  ${rest}\n  selector: { matchLabels: { app: ${name} } }\n  template:\n    metadata: { labels: { app: ${name} } }\n    spec:\n      containers:\n        - name: ${name}\n          ${container}\n`;
const service = (name: string, port: number) =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { selector: { app: ${name} }, ports: [{ port: ${port} }] }\n`;

const files = {
  'src/main.ts':
    "import { Pool } from 'pg';\nconst pool = new Pool({ host: 'postgres', max: 25 });\nexport const now = () => pool.query('select now()');\n",
  'src/package.json': '{ "name": "api", "dependencies": { "pg": "8" } }',
  'k8s/api.yaml': workload('Deployment', 'api', 'replicas: 5', 'image: shop/api\n          command: [node, src/main.ts]'),
  'k8s/postgres.yaml': `${workload('StatefulSet', 'postgres', 'replicas: 1', 'image: postgres:17\n          args: [-c, max_connections=100]')}---\n${service('postgres', 5432)}`,
};

test('a picture has the terms of each sum, where they were read, and the graph', () => {
  const [deployment] = check(projectOf(files), { severities: new Map() }).deployments;
  const picture =
    deployment && pictureOf(deployment, 'deploy/k8s', ({ text, range }) => ({ text: { ...text, path: `deploy/${text.path}` }, range }));
  expect(picture?.name).toBe('deploy/k8s');
  const [database] = picture?.databases ?? [];
  expect(database).toMatchObject({ name: 'postgres', verdict: 'over', demand: '125', accepts: { sum: '100 − 3 reserved = 97' } });
  expect(database?.terms.map(({ name, sum }) => `${name}: ${sum}`)).toEqual(['api: 5 instances × 25 connections = 125']);
  expect(database?.terms[0]?.evidence.map(({ place, says }) => `${place?.text.path} ${says}`)).toContain('deploy/k8s/api.yaml replicas: 5');
  expect(picture?.graph).toEqual(['flowchart LR', '  n0["api × 5"]', '  n1[("postgres 100")]', '  n0 -- "25" --> n1']);
});
