import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url } = await startPostgres();

/** What is left of a transaction of a process that is told to stop in the midst of it. */
async function rowsAfterStop(table: string, onTerm: string): Promise<number | undefined> {
  const observer = await connect(url);
  await observer.query(`CREATE TABLE ${table} (id int)`);
  const source = `
    import pg from 'pg';
    const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
    process.once('SIGTERM', () => { ${onTerm} });
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO ${table} VALUES (1)');
    console.log('ready');
    await client.query('SELECT pg_sleep(0.3)');
    await client.query('COMMIT');
    client.release();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  await once(createInterface(child.stdout), 'line');
  child.kill('SIGTERM');
  await exited;
  const { rows } = await observer.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`);
  return rows[0]?.count;
}

test('a transaction that is open when the process exits on SIGTERM is lost', async () => {
  expect(await rowsAfterStop('dropped', 'process.exit(0);')).toBe(0);
});

test('a process that ends its pool on SIGTERM finishes it first', async () => {
  expect(await rowsAfterStop('finished', 'void pool.end();')).toBe(1);
});
