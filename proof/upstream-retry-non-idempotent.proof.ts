import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { newerNginx } from './newer.ts';
import { freePort } from './process.ts';
import { keptByNginx, startNginx } from './servers.ts';

/** An app that notes what it has executed before it answers as it is told, if at all. */
async function startApp(executed: string[], answer: RequestListener): Promise<number> {
  const server = createServer((asked, response) => {
    executed.push(asked.method ?? '');
    answer(asked, response);
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return port;
}

const diesAfterwards: RequestListener = (asked) => {
  asked.socket.destroy();
};
const answers: RequestListener = (_, response) => response.end('ok');
const hangs: RequestListener = () => undefined;

function send(method: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, agent: false, headers: { 'content-length': 0 } }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode)),
    );
    sent.on('error', reject).end();
  });
}

test.each([
  ['the installed nginx', undefined],
  ['a newer nginx', newerNginx()],
])('%s sends a POST twice when it is told to, else once', async (_, command) => {
  const executed: string[] = [];
  const [first, second] = [await startApp(executed, diesAfterwards), await startApp(executed, answers)];
  const other = `server 127.0.0.1:${second} backup;`;
  const retrying = await startNginx(`proxy_next_upstream error timeout non_idempotent; ${keptByNginx(first, other)}`, command);
  const plain = await startNginx(keptByNginx(first, other), command);
  expect(await send('POST', retrying)).toBe(200);
  expect(executed.splice(0)).toEqual(['POST', 'POST']);
  expect(await send('POST', plain)).toBe(502);
  expect(executed.splice(0)).toEqual(['POST']);
});

test('a GET is sent again without being told to', async () => {
  const executed: string[] = [];
  const [first, second] = [await startApp(executed, diesAfterwards), await startApp(executed, answers)];
  const nginx = await startNginx(keptByNginx(first, `server 127.0.0.1:${second} backup;`));
  expect(await send('GET', nginx)).toBe(200);
  expect(executed).toEqual(['GET', 'GET']);
});

test('a request that hangs is sent to all servers, and then none is left', async () => {
  const executed: string[] = [];
  const [first, second, third] = [await startApp(executed, hangs), await startApp(executed, hangs), await startApp(executed, hangs)];
  const others = `server 127.0.0.1:${second}; server 127.0.0.1:${third};`;
  const nginx = await startNginx(`proxy_read_timeout 200ms; proxy_next_upstream error timeout; ${keptByNginx(first, others)}`);
  expect(await send('GET', nginx)).toBe(504);
  expect(executed).toEqual(['GET', 'GET', 'GET']);
  expect(await send('GET', nginx)).toBe(502);
  expect(executed).toHaveLength(3);
});
