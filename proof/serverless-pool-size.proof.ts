import { beforeEach, expect, test } from 'vitest';
import { allGone, connect, countBackends, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres({ max_connections: 20 });

/**
 * An instance after a request that sent ten queries side by side. A lock keeps them waiting until the server has as many backends as there
 * can be. Frozen, the instance runs no timer that would close a connection.
 */
async function instanceAfterRequest(max: number, backends: number) {
  const superuser = await connect(superuserUrl);
  await superuser.query('SELECT pg_advisory_lock(1)');
  const pool = openPool({ connectionString: url, max, idleTimeoutMillis: 0 });
  const queries = Promise.allSettled(Array.from({ length: 10 }, () => pool.query('SELECT pg_advisory_xact_lock_shared(1)')));
  while ((await countBackends(superuser)) < backends);
  await superuser.query('SELECT pg_advisory_unlock(1)');
  const refused = (await queries).filter((outcome) => outcome.status === 'rejected').map((outcome): unknown => outcome.reason);
  await superuser.end();
  return { kept: pool.totalCount, refused };
}

beforeEach(() => allGone(superuserUrl));

test('an instance with a pool of ten keeps ten connections, and the next one is refused some of its own', async () => {
  expect(await instanceAfterRequest(10, 10)).toEqual({ kept: 10, refused: [] });
  const { refused } = await instanceAfterRequest(10, 16);
  expect(refused.length).toBeGreaterThanOrEqual(3);
  expect(refused).toEqual(refused.map((): unknown => expect.objectContaining({ code: '53300' })));
});

test('with a pool of one the same requests leave one connection each', async () => {
  const instances = [await instanceAfterRequest(1, 1), await instanceAfterRequest(1, 2), await instanceAfterRequest(1, 3)];
  expect(instances).toEqual(Array.from({ length: 3 }, () => ({ kept: 1, refused: [] })));
});
