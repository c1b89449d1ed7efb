import { once } from 'node:events';
import { Agent, createServer, get, type ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { newerNginx } from './newer.ts';
import { freePort } from './process.ts';
import { keptByNginx, startNginx } from './servers.ts';

interface App {
  readonly port: number;
  readonly opened: () => number;
}

/** With a limit it answers the first requests when as many wait as it accepts connections: each has one of its own. */
async function startApp(maxConnections?: number): Promise<App> {
  let opened = 0;
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => {
    waiting.push(response);
    if (waiting.length >= (maxConnections ?? 1)) for (const each of waiting.splice(0)) each.end('ok');
  });
  server.keepAliveTimeout = 120_000;
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  server.on('connection', () => opened++);
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, opened: () => opened };
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

function ask(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ port, agent }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject);
  });
}

test.each([
  ['the installed nginx', 'keepalive 1;', 20],
  ['the installed nginx', 'keepalive 2;', 2],
  ['a newer nginx', 'keepalive 1;', 20],
  ['a newer nginx', 'keepalive 2;', 2],
])('two servers in turn, %s, %s', async (which, keepalive, expected) => {
  const [first, second] = [await startApp(), await startApp()];
  const upstream = `server 127.0.0.1:${second.port}; ${keepalive}`;
  const nginx = await startNginx(keptByNginx(first.port, upstream), which === 'a newer nginx' ? newerNginx() : undefined);
  for (let sent = 0; sent < 20; sent++) await ask(nginx);
  expect(first.opened() + second.opened()).toBe(expected);
});

test('connections that one nginx keeps idle lock out the requests of another', async () => {
  const app = await startApp(4);
  const [first, second] = [
    await startNginx(keptByNginx(app.port, 'keepalive 4;')),
    await startNginx(keptByNginx(app.port, 'keepalive 4;')),
  ];
  expect(await Promise.all(Array.from({ length: 4 }, () => ask(first)))).toEqual([200, 200, 200, 200]);
  expect(await ask(second)).toBe(502);
});
