import { placeOf, slice, textOf } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../documents.ts';
import { written } from '../known.ts';
import { projectOf } from '../project.ts';
import { readModule } from '../source/module.ts';
import type { HttpServer } from '../source/servers.ts';
import { composeStacks } from './compose/stacks.ts';
import { imagesIn } from './images.ts';
import { kubernetesStacks } from './kubernetes/stacks.ts';
import type { Proxy, Service } from './model.ts';
import { proxiesOf } from './proxies.ts';
import type { Endpoint } from './stack.ts';
import { noVersions } from '../versions.ts';

type Files = Readonly<Record<string, string>>;

const { module } = readModule(textOf('src/main.ts', 'app.listen(3000)'));
const here = placeOf(module.text, { start: 0, end: 16 });

function serverOn(port: number | undefined): HttpServer {
  return {
    module,
    place: here,
    framework: 'express',
    variable: undefined,
    port: port === undefined ? undefined : { kind: 'literal', value: port, place: here },
    keepAliveTimeout: undefined,
    maxConnections: undefined,
    complete: true,
  };
}

/** The proxies of the first stack; whatever is called `api` runs these servers. */
function proxiesIn(files: Files, servers: readonly HttpServer[] = [serverOn(3000)]): readonly Proxy[] {
  const project = projectOf(files);
  const { documents } = readDocuments(project);
  const [stack] = [...composeStacks(documents, project), ...kubernetesStacks(documents, project).stacks];
  if (!stack) throw new Error('no stack');
  const serviceAt = ({ workload, container }: Endpoint): Service | undefined =>
    workload.name.startsWith('api')
      ? {
          name: workload.name,
          at: workload.at,
          instances: workload.instances,
          processes: written(1, 'one', workload.at),
          environment: container.environment,
          pools: [],
          foreignPools: [],
          programs: [],
          servers,
        }
      : undefined;
  return proxiesOf(stack, { imageOf: imagesIn(documents, project, noVersions), serviceAt });
}

const site = 'upstream up { server api:3000; keepalive 8; } server { location / { proxy_pass http://up; } }\n';
const main = `events {} http { ${site} }\n`;
const compose = (proxy: string, api = 'build: .') => `services:\n  proxy: {${proxy}}\n  api: {${api}}\n`;
const mounted = compose('image: "nginx:1.27-alpine", volumes: ["./nginx.conf:/etc/nginx/nginx.conf:ro"]');

/** The files with the proxy_pass directives that reach a server. */
const reaching = (proxies: readonly Proxy[]) =>
  proxies.flatMap(({ routes }) =>
    routes.flatMap(({ at, servers }) => (servers.length > 0 ? [`${at.text.path}: ${slice(at.text, at.range)}`] : [])),
  );

describe('where the configuration comes from', () => {
  test.each<readonly [string, Files, string]>([
    ['a mounted file', { 'compose.yaml': mounted, 'nginx.conf': main }, 'nginx.conf'],
    [
      'a mounted folder of sites',
      { 'compose.yaml': compose('image: nginx, volumes: ["./sites:/etc/nginx/conf.d"]'), 'sites/a.conf': site },
      'sites/a.conf',
    ],
    [
      'a main file with the sites that it includes',
      {
        'compose.yaml': compose('image: nginx, volumes: ["./nginx:/etc/nginx"]'),
        'nginx/nginx.conf': 'events {} http { include mime.types; include /etc/nginx/sites/*.conf; }',
        'nginx/sites/a.conf': site,
      },
      'nginx/sites/a.conf',
    ],
    [
      'a file that a Dockerfile copies',
      {
        'compose.yaml': compose('build: edge'),
        'edge/Dockerfile': 'FROM nginx:1.27\nCOPY default.conf /etc/nginx/conf.d/\n',
        'edge/default.conf': site,
      },
      'edge/default.conf',
    ],
    [
      'the last of several stages',
      {
        'compose.yaml': compose('build: edge'),
        'edge/Dockerfile':
          'FROM node AS web\nCOPY web.conf /etc/nginx/nginx.conf\nFROM nginx AS base\nCOPY *.conf /etc/nginx/\nFROM base\n',
        'edge/nginx.conf': main,
        'edge/web.conf': '',
      },
      'edge/nginx.conf',
    ],
    [
      'the file that the command names',
      { 'compose.yaml': compose('image: nginx, command: "nginx -c /x.conf", volumes: ["./x.conf:/x.conf"]'), 'x.conf': main },
      'x.conf',
    ],
  ])('%s', (_, files, path) => {
    expect(reaching(proxiesIn(files))).toEqual([`${path}: proxy_pass http://up;`]);
  });

  test('a template is filled in from the environment, and its places stay', () => {
    const files = {
      'compose.yaml': compose('image: nginx, environment: {HOST: api}, volumes: ["./t:/etc/nginx/templates"]'),
      't/a.conf.template': 'server { location / { proxy_set_header X $HOST; proxy_pass http://${HOST}:3000$request_uri; } }\n',
    };
    expect(reaching(proxiesIn(files))).toEqual(['t/a.conf.template: proxy_pass http://api:3000$request_uri;']);
  });

  test.each<readonly [string, Files]>([
    ['a file that is not in the project', { 'compose.yaml': mounted }],
    ['a volume over the sites', { 'compose.yaml': compose('image: nginx, volumes: ["sites:/etc/nginx/conf.d"]'), 'sites/a.conf': site }],
    [
      'a file from another stage',
      { 'compose.yaml': compose('build: .'), Dockerfile: 'FROM nginx\nCOPY --from=b a /etc/nginx/nginx.conf\n', a: main },
    ],
  ])('%s is no proxy that is known', (_, files) => {
    expect(proxiesIn(files)).toEqual([]);
  });
});

describe('the version', () => {
  test.each([
    ['image: "nginx:1.27-alpine"', '1.27.0'],
    ['image: "nginx:1.29.7"', '1.29.7'],
    ['image: "openresty/openresty:1.25.3.1-2-alpine"', '1.25.3'],
    ['image: "nginx:1.29"', undefined],
    ['image: nginx', undefined],
    ['image: "nginx:stable-alpine"', undefined],
    ['image: "registry.example.com/edge:1.27.0"', undefined],
  ])('of %s', (image, expected) => {
    const files = { 'compose.yaml': compose(`${image}, volumes: ["./nginx.conf:/etc/nginx/nginx.conf"]`), 'nginx.conf': main };
    expect(proxiesIn(files).map(({ version }) => version?.join('.'))).toEqual([expected]);
  });

  test('of the image that a Dockerfile starts from', () => {
    const files = {
      'compose.yaml': compose('build: .'),
      Dockerfile: 'FROM nginx:1.24.0\nCOPY nginx.conf /etc/nginx\n',
      'nginx.conf': main,
    };
    expect(proxiesIn(files)[0]?.version).toEqual([1, 24, 0]);
  });
});

describe('the servers that are reached', () => {
  const ports = (api: string, servers: readonly HttpServer[], upstream = 'server api:3000;') => {
    const files = { 'compose.yaml': mounted.replace('build: .', api), 'nginx.conf': main.replace('server api:3000;', upstream) };
    const routes = proxiesIn(files, servers).flatMap((proxy) => proxy.routes);
    return routes.flatMap((route) => route.servers.map(({ server }) => (server.port?.kind === 'literal' ? server.port.value : '?')));
  };

  test('are those that listen on the port', () => {
    expect(ports('build: .', [serverOn(3000), serverOn(9100)])).toEqual([3000]);
    expect(ports('build: .', [serverOn(8080), serverOn(9100)])).toEqual([]);
  });

  test('or the only one, unless it listens elsewhere', () => {
    expect(ports('build: .', [serverOn(undefined)])).toEqual(['?']);
    expect(ports('build: .', [serverOn(9100)])).toEqual([]);
    expect(ports('build: ., ports: ["80:9100"]', [serverOn(9100)])).toEqual([9100]);
  });

  test('are not those of a server that is down, another host or a socket', () => {
    expect(ports('build: .', [serverOn(3000)], 'server api:3000 down; server other:3000; server unix:/a.sock;')).toEqual([]);
  });
});

test('in Kubernetes the configuration comes from a ConfigMap and the way goes through a Service', () => {
  const manifests = `
kind: ConfigMap
apiVersion: v1
metadata: {name: edge}
data:
  nginx.conf: |
    events {}
    http {
      upstream up { server api; keepalive 8; }
      server { location / { proxy_pass http://up; } }
    }
---
kind: Deployment
apiVersion: apps/v1
metadata: {name: edge}
spec: {template: {metadata: {labels: {app: edge}}, spec: {volumes: [{name: c, configMap: {name: edge}}], containers: [
  {name: nginx, image: "nginx:1.28.0", volumeMounts: [{name: c, mountPath: /etc/nginx}]}]}}}
---
kind: Deployment
apiVersion: apps/v1
metadata: {name: api}
spec: {template: {metadata: {labels: {app: api}}, spec: {containers: [{name: api, image: api, ports: [{containerPort: 3000}]}]}}}
---
kind: Service
apiVersion: v1
metadata: {name: api}
spec: {selector: {app: api}, ports: [{port: 80, targetPort: 3000}]}
`;
  const proxies = proxiesIn({ 'k8s/all.yaml': manifests });
  expect(proxies.map(({ name, version }) => [name, version])).toEqual([['edge', [1, 28, 0]]]);
  expect(reaching(proxies)).toEqual(['k8s/all.yaml: proxy_pass http://up;']);
});
