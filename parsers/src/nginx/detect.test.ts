import { expect, test } from 'vitest';
import { looksLikeNginx } from './detect.ts';

const site = 'server {\n  listen 80;\n  location / {\n    proxy_pass http://app:3000;\n  }\n}\n';

test.each([
  ['nginx.conf', 'events {}\nhttp {}\n'],
  ['docker/nginx.prod.conf', 'http\n{\n}\n'],
  ['deploy/nginx/default.conf', 'upstream app { server app:3000; }\n'],
  ['conf.d/upstreams.conf', 'upstream app\n{\n  server app:3000;\n}\n'],
  ['templates/default.conf.template', site],
  ['sites-enabled/example.org', site],
  ['roles/web/templates/site.conf.j2', site],
  ['app.conf', site],
  ['nginx/proxy_params', 'proxy_set_header Host $host;\nproxy_pass http://a;\n'],
  ['nginx/one-line.conf', 'http{server{location /{return 204;}}}'],
])('%s is nginx', (path, content) => {
  expect(looksLikeNginx(path, content)).toBe(true);
});

test.each([
  ['a web server configured alike', 'conf.d/site.conf', '<VirtualHost *:80>\n  ProxyPass / http://app:3000/\n</VirtualHost>\n'],
  ['a proxy module of Apache', 'apache.conf', 'ProxyPass / http://a/\nlocation /x { }\nserver { listen 80; }\n'],
  ['HOCON', 'application.conf', 'akka.http {\n  server {\n    idle-timeout = 60 s\n  }\n}\n'],
  ['an INI file', 'conf.d/redis.conf', 'maxmemory 100mb\nappendonly yes\n'],
  ['a script that writes nginx.conf', 'nginx/build', `#!/bin/sh\ncat > x <<'E'\n${site}E\n`],
  ['documentation', 'docs/nginx.conf.md', site],
  ['a manifest', 'nginx/deployment.yaml', site],
  ['an empty file', 'nginx.conf', ''],
])('%s is not', (_, path, content) => {
  expect(looksLikeNginx(path, content)).toBe(false);
});
