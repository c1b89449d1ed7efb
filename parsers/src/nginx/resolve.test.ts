import { describe, expect, test } from 'vitest';
import { textOf } from '../text.ts';
import { parseNginx } from './parse.ts';
import { effective, scopeOf } from './resolve.ts';
import { routesOf, type Reached } from './routes.ts';
import { upstreamsOf } from './upstreams.ts';

const parse = (content: string) => parseNginx(textOf('nginx.conf', content)).document;

/** The values of a directive as they hold at the only proxy_pass. */
function atProxyPass(content: string, name: string): readonly string[] | undefined {
  const [route] = routesOf(parse(content));
  return route && effective(route.scope, name)?.map(({ args }) => args.map(({ value }) => value).join(' '));
}

describe('effective', () => {
  test.each<readonly [string, string, readonly string[] | undefined]>([
    [
      'the nearest block wins',
      'http { proxy_http_version 1.0; server { proxy_http_version 1.1; location / { proxy_pass http://a; } } }',
      ['1.1'],
    ],
    ['outer blocks are inherited from', 'http { proxy_http_version 1.1; server { location / { proxy_pass http://a; } } }', ['1.1']],
    ['an if in a location inherits from it', 'server { location / { proxy_http_version 1.1; if ($x) { proxy_pass http://a; } } }', ['1.1']],
    ['blocks beside it do not count', 'server { location /x { proxy_http_version 1.1; } location / { proxy_pass http://a; } }', []],
    ['an include that was not found may set it', 'server { location / { include x.conf; proxy_pass http://a; } }', undefined],
    [
      'unless it is set where the include stands',
      'server { location / { include x.conf; proxy_http_version 1.1; proxy_pass http://a; } }',
      ['1.1'],
    ],
    ['a location on its own inherits from who knows where', 'location / { proxy_pass http://a; }', undefined],
  ])('%s', (_, content, expected) => {
    expect(atProxyPass(content, 'proxy_http_version')).toEqual(expected);
  });

  test('a level with any proxy_set_header discards all of the outer ones', () => {
    const content = 'http { proxy_set_header Connection ""; server { location / { proxy_set_header Host $host; proxy_pass http://a; } } }';
    expect(atProxyPass(content, 'proxy_set_header')).toEqual(['Host $host']);
  });

  test('a file of its own level sees its own directives', () => {
    expect(effective(scopeOf(parse('user nobody;')), 'user')).toHaveLength(1);
  });
});

function show(reached: Reached): string {
  if (reached.kind === 'upstream') return `upstream ${reached.upstream.name}`;
  if (reached.kind === 'variable') return 'variable';
  const { address } = reached;
  return address.kind === 'unix' ? `unix ${address.path}` : `${address.host} ${address.port ?? '-'}`;
}

describe('routesOf', () => {
  const reachedBy = (proxyPass: string, around = '') =>
    routesOf(parse(`upstream Api { server a; } ${around} server { location / { ${proxyPass} } }`)).map(({ reaches }) => reaches?.map(show));

  test.each<readonly [string, readonly string[] | undefined]>([
    ['proxy_pass http://api;', ['upstream Api']],
    ['proxy_pass http://API/v1/;', ['upstream Api']],
    ['proxy_pass "https://api";', ['upstream Api']],
    ['proxy_pass http://api$request_uri;', ['upstream Api']],
    ['proxy_pass http://api/$1;', ['upstream Api']],
    ['proxy_pass $scheme://api;', ['upstream Api']],
    ['proxy_pass http://app:3000;', ['app 3000']],
    ['proxy_pass http://app;', ['app -']],
    ['proxy_pass http://[::1]:3000/x;', ['[::1] 3000']],
    ['proxy_pass http://unix:/run/app.sock:/x;', ['unix /run/app.sock']],
    ['set $up api; proxy_pass http://$up;', ['upstream Api']],
    ['set $up http://app:3000; proxy_pass ${up}/x;', ['app 3000']],
    ['set $up api; if ($x) { set $up app:81; } proxy_pass http://$up;', ['upstream Api', 'app 81']],
    ['proxy_pass http://$http_host;', undefined],
    ['proxy_pass http://$up:3000;', ['variable']],
    ['proxy_pass http://${HOST}:3000;', ['variable']],
    ['proxy_pass http://{{ host }}:{{ port }}/x;', ['variable']],
    ['proxy_pass http://${HOST};', undefined],
    ['proxy_pass $up:3000;', ['variable']],
    ['set $up $up; proxy_pass http://$up;', undefined],
  ])('%s', (proxyPass, expected) => {
    expect(reachedBy(proxyPass)).toEqual([expected]);
  });

  test('a name that a file beside it declares is not known', () => {
    const [route] = routesOf(parse('server { location / { proxy_pass http://Web; } }'), new Set(['web']));
    expect(route?.reaches).toBeUndefined();
  });

  test.each([
    ['web', undefined],
    ['web:3000', ['web 3000']],
    ['10.0.0.1', ['10.0.0.1 -']],
  ])('beside an include that was not found, %s', (host, expected) => {
    const [route] = routesOf(parse(`http { include sites/*; server { location / { proxy_pass http://${host}; } } }`));
    expect(route?.reaches?.map(show)).toEqual(expected);
  });

  test.each([
    ['fastcgi_pass php:9000;', 'fastcgi', 'php 9000'],
    ['fastcgi_pass unix:/run/php.sock;', 'fastcgi', 'unix /run/php.sock'],
    ['uwsgi_pass uwsgi://api;', 'uwsgi', 'upstream Api'],
    ['grpc_pass api;', 'grpc', 'upstream Api'],
    ['grpc_pass grpcs://app:50051;', 'grpc', 'app 50051'],
    ['memcached_pass 127.0.0.1:11211;', 'memcached', '127.0.0.1 11211'],
  ])('%s', (pass, protocol, reached) => {
    const [route] = routesOf(parse(`upstream Api { server a; } server { location / { ${pass} } }`));
    expect([route?.protocol, route?.reaches?.map(show)]).toEqual([protocol, [reached]]);
  });

  test('a map of plain values gives all of them', () => {
    expect(reachedBy('proxy_pass http://$up;', 'map $uri $up { hostnames; default api; ~^/x app:80; }')).toEqual([
      ['upstream Api', 'app 80'],
    ]);
    expect(reachedBy('proxy_pass http://$up;', 'map $uri $up { default api; include more.map; }')).toEqual([undefined]);
  });

  test('every place that proxies is a route, also in included blocks and nested locations; stream is not', () => {
    const http =
      'http { server { location / { proxy_pass http://a; location /b { proxy_pass http://b; } if ($x) { proxy_pass http://c; } } } }';
    const stream = 'stream { server { listen 1; proxy_pass d; } }';
    const routes = routesOf(parse(`${http} ${stream}`));
    expect(routes.map(({ pass }) => pass.args[0]?.value)).toEqual(['http://a', 'http://b', 'http://c']);
  });
});

test('upstreamsOf reads servers with their address and state', () => {
  const upstreams = upstreamsOf(
    parse(
      'http { upstream A { zone a 64k; server b:81 weight=2; server c down; server unix:/d.sock; server ${E}; } upstream a { server x; } }',
    ),
  );
  expect([...upstreams.keys()]).toEqual(['a']);
  expect(upstreams.get('a')?.servers.map(({ address, down }) => [address, down])).toEqual([
    [{ kind: 'tcp', host: 'b', port: 81 }, false],
    [{ kind: 'tcp', host: 'c', port: undefined }, true],
    [{ kind: 'unix', path: '/d.sock' }, false],
    [undefined, false],
  ]);
});
