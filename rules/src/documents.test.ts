import { outermost, slice } from '@poolcheck/parsers/text';
import { expect, test } from 'vitest';
import { documentsOf, readDocuments } from './documents.ts';
import { projectOf } from './project.ts';

const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\n';

function read(files: Readonly<Record<string, string>>) {
  const { documents, problems } = readDocuments(projectOf(files));
  return { documents, problems, kinds: documents.map(({ kind, text }) => `${text.path} ${kind}`) };
}

test('each file is what its name and content say', () => {
  const { kinds, problems } = read({
    '.env.production': 'A=1',
    'api/Dockerfile': 'FROM node:22',
    'api/package.json': '{\n\t"name": "api"\n}',
    'compose.yaml': 'services:\n  db:\n    image: postgres:17\n',
    'deploy/pgbouncer.ini': '[databases]\n* = host=db\n[pgbouncer]\npool_mode = transaction\n',
    'k8s/api.yaml': deployment,
    'k8s/kustomization.yaml': 'resources:\n  - api.yaml\n',
    'nginx/nginx.conf': 'events {}\nhttp { server { listen 80; } }\n',
    'postgres/postgresql.conf': 'max_connections = 200\n',
    'stack.yml': 'version: "3"\nservices:\n  db:\n    image: postgres:17\n',
  });
  expect(kinds).toEqual([
    '.env.production env',
    'api/Dockerfile dockerfile',
    'api/package.json package',
    'compose.yaml compose',
    'deploy/pgbouncer.ini pgbouncer',
    'k8s/api.yaml kubernetes',
    'k8s/kustomization.yaml kustomize',
    'nginx/nginx.conf nginx',
    'postgres/postgresql.conf postgresql-conf',
    'stack.yml compose',
  ]);
  expect(problems).toEqual([]);
});

test.each([
  ['.github/workflows/ci.yml', 'jobs:\n  test:\n    services:\n      db:\n        image: postgres\n'],
  ['config/services.yaml', 'services:\n  _defaults:\n    autowire: true\n'],
  ['crd.yaml', 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  kind: Deployments\n'],
  ['pnpm-lock.yaml', 'lockfileVersion: 9\n'],
  ['settings.ini', '[server]\nport = 1\n'],
])('%s is not read', (path, content) => {
  expect(read({ [path]: content }).kinds).toEqual([]);
});

test('a file in a ConfigMap is a document of its own, at its lines', () => {
  const yaml = `${deployment}---
apiVersion: v1
kind: ConfigMap
metadata: { name: pooler }
data:
  pgbouncer.ini: |
    %include /etc/pgbouncer/databases.ini
    [pgbouncer]
    pool_mode = transaction
  databases.ini: "[databases]\\napp = host=db"
  nginx.conf: |
    http { server { listen 80; } }
`;
  const { documents, problems } = read({ 'k8s/all.yaml': yaml });
  const [pgbouncer] = documentsOf(documents, 'pgbouncer');
  const mode = pgbouncer?.document.settings.get('pool_mode');
  const place = mode && outermost({ text: mode.text, range: mode.value.range });
  expect(place && [place.text.path, slice(place.text, place.range)]).toEqual(['k8s/all.yaml', 'transaction']);
  expect([...(pgbouncer?.document.databases.keys() ?? [])]).toEqual(['app']);
  expect(documentsOf(documents, 'nginx')).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('a file in a Secret is read too, encoded or not', () => {
  const ini = '[databases]\napp = host=db\n[pgbouncer]\npool_mode = session\n';
  const encoded = Buffer.from(ini).toString('base64');
  const secret = (fields: string) => `apiVersion: v1\nkind: Secret\n${fields}\n`;
  const { documents } = read({
    'a.yaml': secret(`data:\n  pgbouncer.ini: ${encoded}`),
    'b.yaml': secret(`stringData:\n  pgbouncer.ini: ${JSON.stringify(ini)}`),
  });
  expect(documentsOf(documents, 'pgbouncer').map(({ document }) => document.settings.get('pool_mode')?.value.value)).toEqual([
    'session',
    'session',
  ]);
});

test('the content of a compose config is a document', () => {
  const compose = `services:\n  a:\n    image: b\nconfigs:\n  nginx.conf:\n    content: |\n      http { server { listen 80; } }\n`;
  expect(documentsOf(read({ 'compose.yaml': compose }).documents, 'nginx')).toHaveLength(1);
});

test('an included file is read where it is included', () => {
  const server = 'server { listen 80; location / { proxy_pass http://a; } }';
  const { kinds, problems } = read({
    'nginx/nginx.conf': 'http { include /etc/nginx/mime.types; include /etc/nginx/conf.d/*.conf; }',
    'nginx/conf.d/default.conf': server,
    'other/conf.d/default.conf': server,
  });
  expect(kinds).toEqual(['nginx/nginx.conf nginx', 'other/conf.d/default.conf nginx']);
  expect(problems).toEqual([]);
});

test('what cannot be read is a problem at its place', () => {
  const { problems } = read({
    'k8s/api.yaml': `${deployment}spec:\n  replicas: {{ .Values.replicas }}\n`,
    'nginx.conf': 'http { include /etc/nginx/sites/*; server { listen 80; } }',
    'pgbouncer.ini': '[pgbouncer]\n%include ../outside.ini\n[databases]\n',
  });
  expect(problems.map(({ path, at, message }) => [path, at && slice(at.text, at.range), message.split(' ', 2).join(' ')])).toEqual([
    ['k8s/api.yaml', '{{ .Values.replicas }}', 'template left'],
    ['nginx.conf', 'include /etc/nginx/sites/*;', 'include "/etc/nginx/sites/*":'],
    ['pgbouncer.ini', '../outside.ini', 'The included'],
  ]);
});
