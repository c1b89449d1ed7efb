import { parseNginx } from '@poolcheck/parsers/nginx/parse';
import { routesOf } from '@poolcheck/parsers/nginx/routes';
import { textOf } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import { show } from '../../known.ts';
import type { Version } from '../../version.ts';
import type { Reuse } from '../model.ts';
import { reuseOf } from './reuse.ts';

const versions: Readonly<Record<'old' | 'new' | 'any', Version | undefined>> = { old: [1, 28, 0], new: [1, 29, 7], any: undefined };

function reuse(config: string, version: Version | undefined): Reuse {
  const [route] = routesOf(parseNginx(textOf('nginx.conf', config)).document);
  const reached = route?.reaches?.[0];
  if (!route || !reached) throw new Error('nothing is reached');
  return reuseOf(route, reached, version);
}

/** `kept` in old, in new and in unknown versions, and so on. */
const kinds = (config: string) => (['old', 'new', 'any'] as const).map((name) => reuse(config, versions[name]).kind).join(' ');

const lines = 'proxy_http_version 1.1; proxy_set_header Connection "";';
const site = (upstream: string, location: string, http = '', server = '') =>
  `http { ${http} upstream be { server a:3000; ${upstream} } server { ${server} location / { proxy_pass http://be; ${location} } } }`;

describe('whether connections are kept, on nginx 1.28, on 1.29.7, and on either', () => {
  test.each<readonly [string, string, string]>([
    ['nothing said', site('', ''), 'closed kept depends'],
    ['keepalive alone', site('keepalive 8;', ''), 'closed kept depends'],
    ['HTTP/1.1 alone', site('keepalive 8;', 'proxy_http_version 1.1;'), 'closed kept depends'],
    ['the header alone', site('keepalive 8;', 'proxy_set_header Connection "";'), 'closed kept depends'],
    ['all of it', site('keepalive 8;', lines), 'kept kept kept'],
    ['all of it but keepalive', site('keepalive_timeout 30s;', lines), 'closed kept depends'],
    ['the lines inherited', site('keepalive 8;', 'add_header X y;', lines), 'kept kept kept'],
    ['the header lost to another one', site('keepalive 8;', 'proxy_set_header Host $host;', lines), 'closed kept depends'],
    ['the header repeated beside another one', site('keepalive 8;', `proxy_set_header Host $host; ${lines}`, lines), 'kept kept kept'],
    ['keep-alive asked for', site('keepalive 8;', 'proxy_http_version 1.1; proxy_set_header connection Keep-Alive;'), 'kept kept kept'],
    ['close asked for', site('keepalive 8;', 'proxy_http_version 1.1; proxy_set_header Connection close;'), 'closed closed closed'],
    ['both, one after the other', site('keepalive 8;', `${lines} proxy_set_header Connection close;`), 'closed closed closed'],
    ['HTTP/1.0 asked for', site('keepalive 8;', 'proxy_http_version 1.0; proxy_set_header Connection "";'), 'closed closed closed'],
    ['HTTP/2', site('keepalive 8;', 'proxy_http_version 2; proxy_set_header Connection "";'), 'unknown unknown unknown'],
    ['keepalive 0', site('keepalive 0;', lines), 'closed closed closed'],
    ['a timeout of 0', site('keepalive 8; keepalive_timeout 0;', lines), 'closed closed closed'],
    ['a method after keepalive', site('keepalive 8; least_conn;', lines), 'closed kept depends'],
    ['a method before keepalive', site('least_conn; keepalive 8;', lines), 'kept kept kept'],
    ['a size from a template', site('keepalive ${SIZE};', lines), 'unknown unknown unknown'],
    ['an upstream that includes what is not here', site('include more.conf;', lines), 'unknown unknown unknown'],
    ['a location that includes what is not here', site('keepalive 8;', 'include proxy.conf;'), 'unknown unknown unknown'],
    ['an address without upstream', 'http { server { location / { proxy_pass http://a:3000; } } }', 'closed closed closed'],
  ])('%s', (_, config, expected) => {
    expect(kinds(config)).toBe(expected);
  });

  const upgrade = 'proxy_http_version 1.1; proxy_set_header Connection $connection_upgrade;';
  test.each<readonly [string, string, string]>([
    ['upgrade or close', "map $http_upgrade $connection_upgrade { default upgrade; '' close; }", 'closed closed closed'],
    ['upgrade or nothing', 'map $http_upgrade $connection_upgrade { default upgrade; "" ""; }', 'kept kept kept'],
    ['upgrade always', 'map $http_upgrade $connection_upgrade { default upgrade; }', 'kept kept kept'],
    ['upgrade for websocket alone', 'map $http_upgrade $connection_upgrade { websocket upgrade; }', 'kept kept kept'],
    ['another question', "map $http_x $connection_upgrade { default upgrade; '' close; }", 'unknown unknown unknown'],
    ['no map at all', '', 'unknown unknown unknown'],
  ])('a Connection header by a map: %s', (_, map, expected) => {
    expect(kinds(site('keepalive 8;', upgrade, map))).toBe(expected);
  });

  test.each([
    ['/', 'kept kept kept'],
    ['/socket.io/', 'unknown unknown unknown'],
    ['~ ^/api/ws$', 'unknown unknown unknown'],
    ['/news', 'kept kept kept'],
  ])('"upgrade" with every request to %s', (path, expected) => {
    const config = site('keepalive 8;', 'proxy_http_version 1.1; proxy_set_header Connection "upgrade";');
    expect(kinds(config.replace('location /', `location ${path}`))).toBe(expected);
  });

  test("the client's header", () => {
    expect(kinds(site('keepalive 8;', 'proxy_http_version 1.1; proxy_set_header Connection $http_connection;'))).toBe('kept kept kept');
  });
});

describe('for how long', () => {
  test.each<readonly [string, Version | undefined, string, string]>([
    ['keepalive_timeout 1m30s;', [1, 28, 0], '90000', 'written'],
    ['', [1, 28, 0], '60000', 'defaulted'],
    ['', [1, 14, 2], 'Infinity', 'defaulted'],
    ['', [1, 0, 0], 'Infinity', 'defaulted'],
    ['', undefined, 'at least 60000', 'defaulted'],
    ['keepalive_timeout 4s;', undefined, '4000', 'written'],
  ])('%j on %s', (directive, version, expected, source) => {
    const found = reuse(site(`keepalive 8; ${directive}`, lines), version);
    expect(found.kind === 'kept' && [show(found.idle), found.idle.source]).toEqual([expected, source]);
  });

  test('a time that nginx refuses is not known', () => {
    expect(kinds(site('keepalive 8; keepalive_timeout 1.5s;', lines))).toBe('unknown unknown unknown');
  });
});

test('the evidence names the line that decides', () => {
  const says = (config: string, version: Version) => {
    const found = reuse(config, version);
    if (found.kind === 'kept') return found.evidence.map((each) => each.says);
    return found.kind === 'closed' ? found.causes.map((each) => each.says) : [];
  };
  expect(says(site('keepalive 8; ip_hash;', lines), [1, 28, 0])).toEqual(['ip_hash after keepalive turns it off']);
  expect(says(site('keepalive 8;', lines), [1, 28, 0])).toEqual(['keepalive 8 keeps idle connections open']);
  expect(says(site('', ''), [1, 30, 0])).toEqual(['nginx keeps 32 idle connections to this upstream unless it is told otherwise']);
});
