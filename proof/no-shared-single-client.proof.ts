import type { ClientBase } from 'pg';
import { expect, test } from 'vitest';
import { connect, openPool } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

/** Begins, lets another request have its turn, and gives up. */
async function failingRequest(client: ClientBase, meanwhile: () => Promise<unknown>): Promise<void> {
  await client.query('BEGIN');
  await meanwhile();
  await client.query('ROLLBACK');
}

async function notes(): Promise<number | null> {
  const { rowCount } = await (await connect(url)).query('SELECT * FROM notes');
  return rowCount;
}

test('what one request wrote is undone by the ROLLBACK of another on the same connection', async () => {
  const shared = await connect(url);
  await shared.query('CREATE TABLE notes (text text)');
  await failingRequest(shared, () => shared.query("INSERT INTO notes VALUES ('answered with success')"));
  expect(await notes()).toBe(0);
});

test('with a pool each has a connection of its own, and it stays', async () => {
  const pool = openPool({ connectionString: url });
  const client = await pool.connect();
  await failingRequest(client, () => pool.query("INSERT INTO notes VALUES ('answered with success')"));
  client.release();
  expect(await notes()).toBe(1);
});
