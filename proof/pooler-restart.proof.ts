import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Command, newerPgBouncer, newestPgBouncer } from './newer.ts';
import { accepts, freePort, installed, privateFolder } from './process.ts';
import { startPostgres } from './servers.ts';

const { entry } = await startPostgres();
const folder = privateFolder();
chmodSync(folder, 0o777);
const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
const old: Command = [installed('pgbouncer', 'pgbouncer')];

function writeIni(port: number): string {
  const file = path.join(folder, `${port}.ini`);
  const settings = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction`;
  writeFileSync(file, `[databases]\nshop = ${entry}\n[pgbouncer]\n${settings}\n`);
  return file;
}

interface Running {
  readonly process: ChildProcess;
  readonly port: number;
  readonly exited: Promise<unknown>;
}

async function start([program, ...args]: Command): Promise<Running> {
  const port = await freePort();
  const child = spawn(program, [...args, ...asNobody, writeIni(port)], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGQUIT');
    child.kill('SIGKILL');
    await exited;
  });
  for (;;) {
    const isUp = await accepts(port).then(
      () => true,
      () => false,
    );
    if (isUp) return { process: child, port, exited };
  }
}

/** A client in the middle of its transaction. */
async function working(port: number): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port, database: 'shop', user: 'app' });
  // Being cut off is what is waited for.
  client.on('error', () => {});
  await client.connect();
  await client.query('BEGIN');
  return client;
}

describe('a transaction while its PgBouncer is ended', () => {
  test('is cut off by SIGTERM before 1.23', async () => {
    const { process, port, exited } = await start(old);
    const client = await working(port);
    const cut = new Promise((resolve) => client.once('end', resolve));
    process.kill('SIGTERM');
    await Promise.all([exited, cut]);
    await expect(client.query('COMMIT')).rejects.toThrow();
  });

  test.each([
    ['SIGINT before 1.23', old, 'SIGINT'],
    ['SIGINT since', newerPgBouncer(), 'SIGINT'],
    ['SIGTERM since', newerPgBouncer(), 'SIGTERM'],
  ] as const)('ends well after %s', async (_, command, signal) => {
    const { process, port, exited } = await start(command);
    const client = await working(port);
    process.kill(signal);
    await client.query('SELECT 1');
    await expect(client.query('COMMIT')).resolves.toBeDefined();
    await client.end().catch(() => {});
    await exited;
  });
});

describe('-R', () => {
  const options = ([program, ...args]: Command) => spawnSync(program, [...args, '-R', '--version'], { encoding: 'utf8' });

  test('is an option that 1.24 still knows', () => expect(options(newerPgBouncer()).status).toBe(0));

  test('is none since 1.26', () => {
    const { status, stderr } = options(newestPgBouncer());
    expect(status).not.toBe(0);
    expect(stderr).toContain("invalid option -- 'R'");
  });
});
