import { slice } from '@poolcheck/parsers/text';
import { expect, test } from 'vitest';
import { readDocuments } from '../../documents.ts';
import { projectOf } from '../../project.ts';
import { noVersions } from '../../versions.ts';
import { imagesIn } from '../images.ts';
import { looseNginx } from './loose.ts';

type Files = Readonly<Record<string, string>>;

/** Each configuration by its file, with what its routes reach. */
function looseIn(files: Files): readonly string[] {
  const project = projectOf(files);
  const { documents } = readDocuments(project);
  return looseNginx(documents, imagesIn(documents, project, noVersions), [], undefined).map(({ at, routes, version }) => {
    const reached = routes.map((route) => `${slice(route.at.text, route.at.range)} ${route.reached.kind} ${route.reuse.kind}`);
    return [at.text.path, version?.join('.') ?? 'any version', ...reached].join(' | ');
  });
}

const upstream = 'upstream app { server app:3000; keepalive 8; }\n';
const server = 'server { location / { proxy_pass http://app; } }\n';

test.each<readonly [string, Files, readonly string[]]>([
  [
    'a main file by itself',
    { 'nginx.conf': `events {} http { ${upstream} ${server} }` },
    ['nginx.conf | any version | proxy_pass http://app; upstream depends'],
  ],
  [
    'one that an image is built with, by the version of the image',
    {
      'web/Dockerfile': 'FROM nginx:1.28.0\nCOPY nginx.conf /etc/nginx/nginx.conf\n',
      'web/nginx.conf': `events {} http { ${upstream} ${server} }`,
    },
    ['web/nginx.conf | 1.28.0 | proxy_pass http://app; upstream closed'],
  ],
  [
    'sites of one folder together',
    { 'conf.d/a.conf': upstream, 'conf.d/b.conf': server },
    ['conf.d/a.conf | any version | proxy_pass http://app; upstream depends'],
  ],
  [
    'a name that another folder declares',
    { 'nginx/upstreams/a.conf': upstream, 'nginx/sites/b.conf': server },
    ['nginx/sites/b.conf | any version', 'nginx/upstreams/a.conf | any version'],
  ],
  [
    'a site beside a main file that says something of proxies',
    { 'nginx.conf': 'events {} http { proxy_http_version 1.1; proxy_set_header Connection ""; }', 'conf.d/a.conf': upstream + server },
    ['nginx.conf | any version', 'conf.d/a.conf | any version | proxy_pass http://app; upstream unknown'],
  ],
])('%s', (_, files, expected) => {
  expect(looseIn(files)).toEqual(expected);
});
