import { Client } from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres({});
const { hostname, port, username, password, pathname } = new URL(url);
/** What Kubernetes sets `DB_PORT` to for a Service `db`. */
const injected = `tcp://10.0.0.1:${port}`;
const options = { host: hostname, user: username, password, database: pathname.slice(1) };

async function connect(given: object): Promise<string> {
  const client = new Client({ ...options, ...given });
  try {
    await client.connect();
    await client.end();
    return 'connected';
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}

test('a port is what connects', async () => {
  expect(await connect({ port: Number(port) })).toBe('connected');
});

test('what Kubernetes sets is none', async () => {
  expect(await connect({ port: injected })).toBe('ERR_SOCKET_BAD_PORT');
});

test('as a number it is NaN, and pg goes to 5432 instead', () => {
  expect(new Client({ ...options, port: Number(injected) }).port).toBe(5432);
});

test('an address with it in its middle cannot be read', () => {
  expect(() => new Client({ connectionString: `postgres://app@${hostname}:${injected}/app` })).toThrow('Invalid URL');
});
