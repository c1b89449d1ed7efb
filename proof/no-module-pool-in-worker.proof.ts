import { expect, test } from 'vitest';
import { startPostgres, startWorker } from './servers.ts';

const { url } = await startPostgres();
const port = await startWorker('workers/kept-and-own.js', { DATABASE_URL: url });

async function ask(path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.text();
}

test('the second request that gets a kept connection must not use it', async () => {
  expect(await ask('/kept')).toBe('fine');
  expect(await ask('/kept')).toContain('Cannot perform I/O on behalf of a different request');
});

test('a connection for each request serves every one of them', async () => {
  expect([await ask('/own'), await ask('/own'), await ask('/own')]).toEqual(['fine', 'fine', 'fine']);
});
