import { beforeEach, expect, test } from 'vitest';
import { allGone, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres({ max_connections: 20 });

/** An instance after a request that sent ten queries side by side. Frozen, it runs no timer that would close a connection. */
async function instanceAfterRequest(max: number) {
  const pool = openPool({ connectionString: url, max, idleTimeoutMillis: 0 });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => pool.query('SELECT pg_sleep(0.05)')));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome): unknown => outcome.reason);
  return { kept: pool.totalCount, refused };
}

beforeEach(() => allGone(superuserUrl));

test('an instance with a pool of ten keeps ten connections, and the next one is refused some of its own', async () => {
  expect(await instanceAfterRequest(10)).toEqual({ kept: 10, refused: [] });
  const next = await instanceAfterRequest(10);
  expect(next.refused).toEqual(Array.from({ length: 3 }, (): unknown => expect.objectContaining({ code: '53300' })));
});

test('with a pool of one the same requests leave one connection each', async () => {
  const instances = [await instanceAfterRequest(1), await instanceAfterRequest(1), await instanceAfterRequest(1)];
  expect(instances).toEqual(Array.from({ length: 3 }, () => ({ kept: 1, refused: [] })));
});
