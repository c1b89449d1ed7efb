import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startNginx } from './servers.ts';

/** Sends a request on a connection that stays open, and waits for the answer. */
async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: app\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().split('\r\n')[0] ?? '';
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function startApp(keepAliveTimeout: number): Promise<number> {
  const server = createServer((_, response) => response.end('ok'));
  server.keepAliveTimeout = keepAliveTimeout;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

test('keepAliveTimeout = 65 ends a connection long before 60 s have passed', async () => {
  const socket = await dial(await startApp(65));
  expect(await ask(socket)).toBe('HTTP/1.1 200 OK');
  await once(socket, 'end');
});

test('65_000 keeps it', async () => {
  const socket = await dial(await startApp(65_000));
  expect(await ask(socket)).toBe('HTTP/1.1 200 OK');
  expect(await Promise.race([once(socket, 'end'), setTimeout(2_000, 'open')])).toBe('open');
  expect(await ask(socket)).toBe('HTTP/1.1 200 OK');
});

const asSeconds = await startNginx('server { listen {listen}; keepalive_timeout 65000; location / { return 204; } }');
const asMilliseconds = await startNginx('server { listen {listen}; keepalive_timeout 65ms; location / { return 204; } }');

test('what is written for 65 s in nginx is there after what would be 65 ms', async () => {
  const short = await dial(asMilliseconds);
  const long = await dial(asSeconds);
  expect(await ask(long)).toBe('HTTP/1.1 204 No Content');
  expect(await ask(short)).toBe('HTTP/1.1 204 No Content');
  await once(short, 'end');
  expect(await ask(long)).toBe('HTTP/1.1 204 No Content');
});
