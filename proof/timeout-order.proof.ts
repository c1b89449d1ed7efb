import { expect, test } from 'vitest';
import { connect, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

async function runningAs(name: string): Promise<readonly number[]> {
  const observer = await connect(url);
  const { rows } = await observer.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'",
    [name],
  );
  return rows.map(({ pid }) => pid);
}

test('a statement goes on when the driver has given up', async () => {
  const pool = openPool({ connectionString: url, application_name: 'inverted', query_timeout: 300, statement_timeout: 30_000 });
  await expect(pool.query('SELECT pg_sleep(30)')).rejects.toThrow('Query read timeout');

  const pids = await runningAs('inverted');
  expect(pids).toHaveLength(1);
  await (await connect(url)).query('SELECT pg_terminate_backend($1)', [pids[0]]);
});

test('with the shorter statement_timeout it is gone when its caller hears of it', async () => {
  const pool = openPool({ connectionString: url, application_name: 'ordered', query_timeout: 30_000, statement_timeout: 300 });
  await expect(pool.query('SELECT pg_sleep(30)')).rejects.toMatchObject({ code: '57014' });

  expect(await runningAs('ordered')).toEqual([]);
});
