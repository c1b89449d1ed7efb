import { Pool } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { allGone, connect, countBackends, endAfterTest, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres({ max_connections: 20 });

beforeEach(() => allGone(superuserUrl));

/** A handler that makes its own pool and, as most such handlers, leaves it to its idle timeout. */
async function handlerWithItsOwnPool(): Promise<void> {
  const pool = new Pool({ connectionString: url });
  endAfterTest(pool);
  await pool.query('SELECT 1');
}

test('a pool made in the handler holds one more connection after each request, until PostgreSQL refuses', async () => {
  for (let request = 1; request <= 17; request++) await handlerWithItsOwnPool();
  expect(await countBackends(await connect(superuserUrl))).toBe(17);
  await expect(handlerWithItsOwnPool()).rejects.toMatchObject({ code: '53300' });
});

test('a pool that all requests share serves them on as many connections as it may have', async () => {
  const shared = openPool({ connectionString: url, max: 3 });
  await Promise.all(Array.from({ length: 100 }, () => shared.query('SELECT 1')));
  expect(await countBackends(await connect(superuserUrl))).toBe(3);
});
