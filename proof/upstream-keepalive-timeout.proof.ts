import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { freePort } from './process.ts';
import { keptByNginx, startNginx } from './servers.ts';

type Closer = 'Node' | 'nginx';

interface App {
  readonly port: number;
  /** For each connection that nginx has opened, who closed it first. */
  readonly connections: readonly Promise<Closer>[];
}

async function startApp(keepAliveTimeout: number): Promise<App> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('ok');
  });
  server.keepAliveTimeout = keepAliveTimeout;
  const connections: Promise<Closer>[] = [];
  server.on('connection', (socket) => connections.push(firstToClose(socket)));
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, connections };
}

/** Node does not wait for an end of the other side before it closes. */
function firstToClose(connection: Socket): Promise<Closer> {
  return new Promise((resolve) => {
    connection.once('end', () => resolve('nginx'));
    connection.once('close', () => resolve('Node'));
  });
}

/** To what it is told Node adds a second: this app closes after 1,001 ms. */
const hastyApp = await startApp(1);
const hasty = { app: hastyApp, nginx: await startNginx(keptByNginx(hastyApp.port, 'keepalive 8;')) };

const patientApp = await startApp(75_000);
const patient = { app: patientApp, nginx: await startNginx(keptByNginx(patientApp.port, 'keepalive 8;')) };
const briefNginx = { app: patientApp, nginx: await startNginx(keptByNginx(patientApp.port, 'keepalive 8; keepalive_timeout 50ms;')) };

async function dial(nginxPort: number): Promise<Socket> {
  const socket = connect(nginxPort, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends a request and returns the status; `then` runs when the request is on its way. */
async function send(method: string, socket: Socket, then?: () => void): Promise<number> {
  socket.write(`${method} / HTTP/1.1\r\nHost: app\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  then?.();
  return Number((await text(socket)).split(' ')[1]);
}

/** Two requests, one right after the other: nginx sends the second on the connection of the first. */
async function sendTwice(method: string, nginxPort: number, then: () => void): Promise<number> {
  const [first, second] = [await dial(nginxPort), await dial(nginxPort)];
  await send(method, first);
  return send(method, second, then);
}

/**
 * Keeps the app's event loop from running until its idle timer is due, as a long computation or a garbage collection does.
 * Afterwards Node runs timers before it reads sockets: it closes the connection on which the request is already waiting.
 */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
}

test('an app with the shorter timeout closes first, while nginx still counts on the connection', async () => {
  await send('GET', await dial(hasty.nginx));
  expect(await hasty.app.connections.at(-1)).toBe('Node');
});

test('a POST that meets the closing connection is answered with 502', async () => {
  expect(await sendTwice('POST', hasty.nginx, stall)).toBe(502);
});

test('a GET that meets the closing connection is sent again on another one', async () => {
  const before = hasty.app.connections.length;
  expect(await sendTwice('GET', hasty.nginx, stall)).toBe(200);
  expect(hasty.app.connections).toHaveLength(before + 2);
});

test('with a longer timeout in the app, the same POST is answered on the same connection', async () => {
  expect(await sendTwice('POST', patient.nginx, stall)).toBe(200);
  expect(patient.app.connections).toHaveLength(1);
});

test('with a shorter timeout in nginx, nginx closes first and the next POST gets a new connection', async () => {
  await send('POST', await dial(briefNginx.nginx));
  expect(await briefNginx.app.connections.at(-1)).toBe('nginx');
  expect(await send('POST', await dial(briefNginx.nginx))).toBe(200);
});
