import { outermost, positionAt } from '@poolcheck/parsers/text';
import { expect, test } from 'vitest';
import { readDocuments } from '../../documents.ts';
import { show } from '../../known.ts';
import { projectOf } from '../../project.ts';
import { type Container, fileAt, type Stack } from '../stack.ts';
import { composeStacks } from './stacks.ts';

type Files = Readonly<Record<string, string>>;

function stacksOf(files: Files): readonly Stack[] {
  const project = projectOf(files);
  return composeStacks(readDocuments(project).documents, project);
}

function apiOf(yaml: string, files: Files = {}): { stack: Stack; container: Container; instances: string } {
  const [stack] = stacksOf({ 'compose.yaml': yaml, ...files });
  const workload = stack?.workloads.find(({ name }) => name === 'api');
  const container = workload?.containers[0];
  if (!stack || !workload || !container) throw new Error('no service api');
  return { stack, container, instances: `${show(workload.instances)} ${workload.instances.source}` };
}

const valueOf = (container: Container, name: string) => {
  const variable = container.environment(name);
  return variable.state === 'set' ? variable.value : `(${variable.state})`;
};

test.each([
  ['', '1 defaulted'],
  ['deploy: { replicas: 3 }', '3 written'],
  ['scale: 2', '2 written'],
  ['deploy: { replicas: "${N:-4}" }', '4 written'],
  ['deploy: { replicas: "${N}" }', 'at least 1 assumed'],
  ['deploy: { mode: global }', 'at least 1 assumed'],
])('with %s there are %s', (fields, expected) => {
  expect(apiOf(`services:\n  api:\n    image: api\n    ${fields}\n`).instances).toBe(expected);
});

const services = `services:
  api:
    image: api:\${TAG:-1}
    env_file: [shared.env, { path: api.env, required: false }]
    environment:
      URL: postgres://app:\${PASSWORD}@db:5432/app
      PORT: 3000
      MODE:
      WHOLE: \${NOWHERE}
      PRICE: $$5
`;
const environmentFiles: Files = {
  '.env': 'MODE=production\nUSER=app\n',
  'shared.env': 'A=shared\nB=shared\nPORT=1\n',
  'api.env': 'B=${A:-none}-${USER}\n',
};

test('the environment of a service: what is written beats files, later files beat earlier ones', () => {
  const { container } = apiOf(services, environmentFiles);
  expect(['A', 'B', 'PORT', 'MODE', 'URL', 'WHOLE', 'PRICE', 'USER'].map((name) => valueOf(container, name))).toEqual([
    'shared',
    'none-app',
    '3000',
    'production',
    'postgres://app:\0@db:5432/app',
    '(unknown)',
    '$5',
    '(unset)',
  ]);
});

test('a value stands where it is written, be that a .env file', () => {
  const variable = apiOf(services, environmentFiles).container.environment('B');
  const place = variable.state === 'set' ? outermost(variable.place) : undefined;
  expect(place && [place.text.path, positionAt(place.text, place.range.start)]).toEqual(['api.env', { line: 1, column: 3 }]);
});

test('a list of variables is an environment too', () => {
  const { container } = apiOf('services:\n  api:\n    image: a\n    environment: ["A=b=c", "PASSED"]\n');
  expect(['A', 'PASSED'].map((name) => valueOf(container, name))).toEqual(['b=c', '(unknown)']);
});

test('with an env_file that is not in the root, what is not set may be set there', () => {
  const { container } = apiOf('services:\n  api:\n    image: a\n    env_file: secret.env\n');
  expect(valueOf(container, 'A')).toBe('(unknown)');
});

test.each([
  ['command: node "dist/main.js" --port $${PORT}', ['node', 'dist/main.js', '--port', '${PORT}'], [false, false, false, false]],
  ['command: ["postgres", "-c", "max_connections=${MAX:-200}"]', ['postgres', '-c', 'max_connections=200'], [false, false, false]],
  ['command: postgres -N $MAX', ['postgres', '-N', '\0'], [false, false, true]],
])('%s', (line, values, expands) => {
  const { command } = apiOf(`services:\n  api:\n    image: a\n    ${line}\n`).container;
  expect(command?.map(({ value }) => value)).toEqual(values);
  expect(command?.map((word) => word.expands)).toEqual(expands);
});

test('files and folders of the project are found where they are mounted', () => {
  const yaml = `services:
  api:
    image: a
    volumes:
      - ./pgbouncer.ini:/etc/pgbouncer/pgbouncer.ini:ro
      - { type: bind, source: ./conf, target: /etc/nginx/conf.d/ }
      - ./ignored:/ignored
      - data:/data
    configs:
      - inline
      - { source: file, target: /etc/file }
configs:
  inline: { content: "A" }
  file: { file: ./conf/a.conf }
`;
  const { container } = apiOf(yaml, { 'pgbouncer.ini': 'INI', 'conf/a.conf': 'CONF' });
  const read = (path: string) => {
    const found = fileAt(container, path);
    return typeof found === 'object' ? found.content : found;
  };
  expect(['/etc/pgbouncer/pgbouncer.ini', '/etc/nginx/conf.d/a.conf', '/inline', '/etc/file'].map(read)).toEqual([
    'INI',
    'CONF',
    'A',
    'CONF',
  ]);
  expect(['/ignored/x', '/data/x', '/etc/nginx/conf.d/b.conf'].map(read)).toEqual(['unknown', 'unknown', undefined]);
});

test.each([
  ['db', 'db'],
  ['the-db', 'db'],
  ['database', 'db'],
  ['linked', 'db'],
  ['localhost', undefined],
  ['reports', undefined],
  ['elsewhere', undefined],
])('%s is %s', (host, expected) => {
  const { stack, container } = apiOf(`services:
  api: { image: a, links: ["db:linked"] }
  db: { image: postgres, container_name: the-db, networks: { backend: { aliases: [database] } } }
  reports: { image: r, profiles: [reports] }
`);
  const from = stack.workloads.find(({ containers }) => containers.includes(container));
  expect(from && stack.resolve(host, 5432, from)?.workload.name).toBe(expected);
});

test('a build is its folder and Dockerfile', () => {
  const build = (line: string) => apiOf(`services:\n  api:\n    build: ${line}\n`).container.build;
  expect(build('./api')).toEqual({ context: 'api', dockerfile: 'api/Dockerfile', target: undefined });
  expect(build('{ context: ., dockerfile: api/Dockerfile, target: prod }')).toEqual({
    context: '',
    dockerfile: 'api/Dockerfile',
    target: 'prod',
  });
  expect(build('https://github.com/a/b.git')).toBeUndefined();
});

const base = 'services:\n  api: { image: a, deploy: { replicas: 1 }, environment: { A: base } }\n';
const drawn = (files: Files) =>
  stacksOf(files).map(({ name, workloads, complete }) => [name, workloads.map((each) => `${each.name} ${show(each.instances)}`), complete]);

test('a file, its override, and files that complete it, are projects that are never added up', () => {
  expect(
    drawn({
      'compose.yaml': base,
      'compose.override.yaml': 'services:\n  api: { deploy: { replicas: 2 } }\n  db: { image: postgres }\n',
      'compose.prod.yaml': 'services:\n  api: { deploy: { replicas: 8 } }\n',
      'compose.test.yaml': 'services:\n  db: { image: postgres }\n',
    }),
  ).toEqual([
    ['compose.yaml', ['api 2', 'db 1'], true],
    ['compose.prod.yaml', ['api 8'], true],
    ['compose.test.yaml', ['db 1'], true],
  ]);
});

test('a service is what it extends and what it says itself', () => {
  const files = { 'common.yaml': 'services:\n  base: { image: b, scale: 3, environment: { A: common, B: common } }\n' };
  const { instances, container } = apiOf(
    'services:\n  api: { extends: { file: common.yaml, service: base }, environment: [A=own] }\n',
    files,
  );
  expect([instances, valueOf(container, 'A'), valueOf(container, 'B')]).toEqual(['3 written', 'own', 'common']);
});

test('a service that extends what is not there is not known', () => {
  expect(drawn({ 'compose.yaml': 'services:\n  api: { extends: { file: gone.yaml, service: a } }\n  b: { image: b }\n' })).toEqual([
    ['compose.yaml', ['b 1'], false],
  ]);
});

test.each([
  ['{ image: a, deploy: { replicas: 3 } }', '3', undefined],
  ['{ image: a, container_name: api, deploy: { replicas: 3 } }', '1–3', undefined],
  ['{ image: a, container_name: api }', '1', undefined],
  ['{ image: a, deploy: { replicas: 4, update_config: { order: start-first } } }', '4', '1'],
  ['{ image: a, deploy: { replicas: 4, update_config: { order: start-first, parallelism: 6 } } }', '4', '4'],
  ['{ image: a, deploy: { replicas: 4, update_config: { order: start-first, parallelism: 0 } } }', '4', '4'],
  ['{ image: a, deploy: { replicas: 4, update_config: { parallelism: 2 } } }', '4', undefined],
])('of a service %s run %s, and %s more while it is updated', (fields, count, more) => {
  const [workload] = apiOf(`services:\n  api: ${fields}\n`).stack.workloads;
  const surge = workload?.surge?.(workload.instances);
  expect([workload && show(workload.instances), surge && show(surge)]).toEqual([count, more]);
});
