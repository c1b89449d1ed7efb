import { expect, test } from 'vitest';
import { openPool, pidOf } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

/** The server processes that serve ten uses, one after the other. */
async function processesFor(destroy: boolean): Promise<number> {
  const pool = openPool({ connectionString: url, max: 2 });
  const pids = new Set<number | undefined>();
  for (let use = 0; use < 10; use++) {
    const client = await pool.connect();
    pids.add(await pidOf(client));
    client.release(destroy);
  }
  return pids.size;
}

test('released as broken each time, ten uses need ten server processes', async () => {
  expect(await processesFor(true)).toBe(10);
});

test('given back, one serves them all', async () => {
  expect(await processesFor(false)).toBe(1);
});
