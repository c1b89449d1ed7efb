import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres();

/** A process that has a connection, and says so; with nothing left to do, it ends by itself. */
function start(listener: string, state: string): ChildProcess {
  const source = `
    import pg from 'pg';
    const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, idleTimeoutMillis: 0 });
    ${listener}
    ${state}
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** What a process ends with when the server ends its connection, as in a restart or failover. */
async function statusAfterDisconnect(child: ChildProcess): Promise<unknown> {
  const exited = once(child, 'exit');
  if (child.stdout) await once(createInterface(child.stdout), 'line');
  const superuser = await connect(superuserUrl);
  await superuser.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'");
  const [status] = await exited;
  return status;
}

const idle = `await pool.query('SELECT 1');`;
const lent = `const client = await pool.connect();`;
const poolListens = `pool.on('error', () => {});`;

test('a process whose pool nobody listens to ends when an idle connection is closed', async () => {
  expect(await statusAfterDisconnect(start('', idle))).toBe(1);
});

test('with a listener on the pool it lives on', async () => {
  expect(await statusAfterDisconnect(start(poolListens, idle))).toBe(0);
});

test('the listener on the pool does not hear of a connection that is lent', async () => {
  expect(await statusAfterDisconnect(start(poolListens, lent))).toBe(1);
  expect(await statusAfterDisconnect(start(poolListens, `${lent} client.on('error', () => {});`))).toBe(0);
});
