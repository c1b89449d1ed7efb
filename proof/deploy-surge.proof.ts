import { expect, test } from 'vitest';
import { openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres({ max_connections: 20 });
const poolSize = 5;

const startPod = () => openPool({ connectionString: url, max: poolSize });
const connections = (pool: ReturnType<typeof openPool>) => Array.from({ length: poolSize }, () => pool.connect());

test('three pods fit, the fourth of a rollout does not, until an old one closes its connections', async () => {
  const old = await Promise.all(connections(startPod()));
  await Promise.all([startPod(), startPod()].flatMap(connections));

  const surging = startPod();
  const outcomes = await Promise.allSettled(connections(surging));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome): unknown => outcome.reason);
  expect(refused).toEqual(Array.from({ length: 3 }, (): unknown => expect.objectContaining({ code: '53300' })));

  for (const client of old) client.release(true);
  const attempt = async () => {
    await surging.connect();
    return 'connected';
  };
  await expect.poll(() => attempt().catch(() => 'refused')).toBe('connected');
});
