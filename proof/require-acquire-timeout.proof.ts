import { expect, test } from 'vitest';
import { isPending, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

test('without connectionTimeoutMillis a caller of an exhausted pool waits without an end and without an error', async () => {
  const patient = openPool({ connectionString: url, max: 1 });
  const impatient = openPool({ connectionString: url, max: 1, connectionTimeoutMillis: 1_000 });
  const held = await patient.connect();
  await impatient.connect();

  const waiting = patient.connect();
  await expect(impatient.connect()).rejects.toThrow('timeout exceeded when trying to connect');

  expect(await isPending(waiting)).toBe(true);
  expect(patient.waitingCount).toBe(1);
  held.release();
  (await waiting).release();
});
