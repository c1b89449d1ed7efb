import { parseNginx } from '@poolcheck/parsers/nginx/parse';
import { routesOf } from '@poolcheck/parsers/nginx/routes';
import { textOf } from '@poolcheck/parsers/text';
import { reuseOf } from '@poolcheck/rules/deployment/proxies/reuse';
import { parseVersion } from '@poolcheck/rules/version';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { newerNginx, type Command } from './newer.ts';
import { freePort, installed } from './process.ts';
import { startNginx } from './servers.ts';

/** An app that counts the connections it is given. */
async function startApp(): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0;
  const server = createServer((_, response) => response.end('ok'));
  server.keepAliveTimeout = 120_000;
  server.on('connection', () => connections++);
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, connections: () => connections };
}

const app = await startApp();
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
afterAll(() => agent.destroy());

function ask(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ port, agent }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject);
  });
}

/** How many connections the app got for so many requests, one after the other or some at a time. */
async function connectionsFor(requests: number, port: number, atOnce = 1): Promise<number> {
  const before = app.connections();
  const worker = async () => {
    for (let sent = 0; sent < requests / atOnce; sent++) expect(await ask(port)).toBe(200);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return app.connections() - before;
}

const installedNginx: Command = [installed('nginx', 'nginx-light')];

function versionOf([program, ...args]: Command) {
  const said = execFileSync('sh', ['-c', '"$@" 2>&1', 'sh', program, ...args, '-v'], { encoding: 'utf8' });
  return parseVersion(said);
}

interface Row {
  readonly upstream?: string;
  readonly location?: string;
  readonly server?: string;
  readonly http?: string;
  readonly pass?: string;
}

const lines = 'proxy_http_version 1.1; proxy_set_header Connection "";';
const upgrade = 'proxy_http_version 1.1; proxy_set_header Connection $connection_upgrade;';
const mapTo = (plain: string) => `map $http_upgrade $connection_upgrade { default upgrade; '' ${plain}; }`;

const rows: Readonly<Record<string, Row>> = {
  'nothing said': {},
  'keepalive alone': { upstream: 'keepalive 8;' },
  'keepalive and HTTP/1.1': { upstream: 'keepalive 8;', location: 'proxy_http_version 1.1;' },
  'keepalive and no Connection header': { upstream: 'keepalive 8;', location: 'proxy_set_header Connection "";' },
  'all of it': { upstream: 'keepalive 8;', location: lines },
  'all of it but keepalive': { location: lines },
  'lines inherited': { upstream: 'keepalive 8;', server: lines, location: 'add_header X-A b;' },
  'lines lost to a header of the location': { upstream: 'keepalive 8;', server: lines, location: 'proxy_set_header X-A b;' },
  'the header repeated beside another one': {
    upstream: 'keepalive 8;',
    server: lines,
    location: 'proxy_set_header X-A b; proxy_set_header Connection "";',
  },
  'a map to upgrade or close': { upstream: 'keepalive 8;', location: upgrade, http: mapTo('close') },
  'a map to upgrade or nothing': { upstream: 'keepalive 8;', location: upgrade, http: mapTo("''") },
  'upgrade with every request': { upstream: 'keepalive 8;', location: 'proxy_http_version 1.1; proxy_set_header Connection "upgrade";' },
  'keep-alive asked for': { upstream: 'keepalive 8;', location: 'proxy_http_version 1.1; proxy_set_header Connection keep-alive;' },
  'close asked for': { upstream: 'keepalive 8;', location: `${lines} proxy_set_header Connection close;` },
  'HTTP/1.0 asked for': { upstream: 'keepalive 8;', location: 'proxy_http_version 1.0; proxy_set_header Connection "";' },
  'a timeout of 0': { upstream: 'keepalive 8; keepalive_timeout 0;', location: lines },
  'a balancing method after keepalive': { upstream: 'keepalive 8; least_conn;', location: lines },
  'a balancing method before keepalive': { upstream: 'least_conn; keepalive 8;', location: lines },
  'an address instead of an upstream': { location: lines, pass: 'http://127.0.0.1:{app}' },
  'an address in a variable': { location: `set $up 127.0.0.1:{app}; ${lines}`, pass: 'http://$up' },
  'an upstream in a variable': { upstream: 'keepalive 8;', location: `set $up app; ${lines}`, pass: 'http://$up$request_uri' },
};

function httpOf({ upstream = '', location = '', server = '', http = '', pass = 'http://app' }: Row): string {
  return `
    ${http}
    upstream app { server 127.0.0.1:{app}; ${upstream} }
    server {
      listen {listen};
      ${server}
      location / { ${location} proxy_pass ${pass}; }
    }`.replaceAll('{app}', String(app.port));
}

describe.each([
  ['the installed nginx', installedNginx],
  ['a newer nginx', newerNginx()],
] as const)('%s', (_, command) => {
  const version = versionOf(command);

  test.each(Object.entries(rows))('does with connections what poolcheck says: %s', async (_, row) => {
    const http = httpOf(row);
    const [route] = routesOf(parseNginx(textOf('nginx.conf', `http { ${http} }`)).document);
    const [reached] = route?.reaches ?? [];
    const reuse = route && reached && reuseOf(route, reached, version);
    const connections = await connectionsFor(20, await startNginx(http, command));
    expect(connections).toBe(reuse?.kind === 'kept' ? 1 : 20);
    expect(['kept', 'closed']).toContain(reuse?.kind);
  });

  test('keeps nothing with keepalive 0, or refuses it', async () => {
    const start = startNginx(httpOf({ upstream: 'keepalive 0;', location: lines }), command);
    if (version && version[1] < 29) await expect(start).rejects.toThrow('invalid value "0"');
    else expect(await connectionsFor(20, await start)).toBe(20);
  });
});

test('20,000 requests: a connection for each, or a few', { timeout: 120_000 }, async () => {
  const without = await startNginx(httpOf({}), installedNginx);
  const kept = await startNginx(httpOf({ upstream: 'keepalive 16;', location: lines }), installedNginx);
  expect(await connectionsFor(20_000, without, 8)).toBe(20_000);
  expect(await connectionsFor(20_000, kept, 8)).toBeLessThan(100);
});
