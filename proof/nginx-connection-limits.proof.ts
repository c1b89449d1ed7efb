import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { freePort } from './process.ts';
import { startNginx } from './servers.ts';

/** An app that answers as soon as so many requests wait, or when it is told to. */
async function startApp(): Promise<{ readonly port: number; readonly waiting: ServerResponse[] }> {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => waiting.push(response));
  server.keepAliveTimeout = 120_000;
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, waiting };
}

function ask(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get({ port, path, agent: false }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', () =>
      resolve(undefined),
    );
  });
}

/** Sends requests at the same time; each is answered once no more of them are on their way to the app. */
async function askTogether(requests: number, port: number, path: string, waiting: ServerResponse[]): Promise<number> {
  let settled = 0;
  const answers = Array.from({ length: requests }, () => ask(port, path).finally(() => settled++));
  while (waiting.length + settled < requests) await new Promise(setImmediate);
  for (const response of waiting.splice(0)) response.end('ok');
  return (await Promise.all(answers)).filter((status) => status === 200).length;
}

const upstream = (name: string, port: number, keepalive: number) =>
  `upstream ${name} { server 127.0.0.1:${port}; keepalive ${keepalive}; }`;
const lines = 'proxy_http_version 1.1; proxy_set_header Connection "";';
const main = (connections: number) => `events { worker_connections ${connections}; }`;

function twoUpstreams(port: number, keepalive: number): string {
  return `${upstream('a', port, keepalive)} ${upstream('b', port, keepalive)}
    server { listen {listen}; ${lines} location /a { proxy_pass http://a; } location /b { proxy_pass http://b; } }`;
}

test.each([
  [16, false],
  [1, true],
])('after six requests to one upstream that keeps %i connections, six to another are answered: %s', async (keepalive, expected) => {
  const { port, waiting } = await startApp();
  const nginx = await startNginx(twoUpstreams(port, keepalive), undefined, main(18));
  expect(await askTogether(6, nginx, '/a', waiting)).toBe(6);
  expect((await askTogether(6, nginx, '/b', waiting)) === 6).toBe(expected);
});

test('a worker answers no more requests at once than half its connections', async () => {
  const { port, waiting } = await startApp();
  const nginx = await startNginx(twoUpstreams(port, 1), undefined, main(16));
  expect(await askTogether(12, nginx, '/a', waiting)).toBeLessThanOrEqual(8);
});
