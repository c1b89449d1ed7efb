import { existsSync, readFileSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './connections.ts';
import { newerPgBouncer, type Command } from './newer.ts';
import { installed, privateFolder } from './process.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { entry } = await startPostgres();
const shop = { shop: `${entry} pool_size=2` };
const old = await startPgBouncer(shop, { max_client_conn: 3 });
const newer = await startPgBouncer(shop, { max_client_conn: 3 }, newerPgBouncer());

test.each([
  ['the installed PgBouncer', old],
  ['a newer PgBouncer', newer],
])('%s refuses the client after the last one that it accepts', async (_, pooled) => {
  for (let client = 0; client < 3; client++) await connect(pooled('shop'));
  await expect(connect(pooled('shop'))).rejects.toThrow('no more connections allowed');
});

test('with fewer descriptors than clients, a client hangs while it connects, far below max_client_conn', async () => {
  const descriptors = 64;
  const limited: Command = [installed('prlimit', 'util-linux'), `--nofile=${descriptors}:4096`, installed('pgbouncer', 'pgbouncer')];
  const logfile = path.join(privateFolder(), 'pgbouncer.log');
  const pooled = await startPgBouncer(shop, { max_client_conn: 1000, logfile }, limited);
  const { port } = new URL(pooled('shop'));
  for (let socket = 0; socket < descriptors; socket++) {
    const opened = openSocket(Number(port), '127.0.0.1');
    onTestFinished(() => void opened.destroy());
  }
  while (!existsSync(logfile) || !readFileSync(logfile, 'utf8').includes('Too many open files')) await new Promise(setImmediate);
  const client = new Client({ connectionString: pooled('shop'), connectionTimeoutMillis: 300 });
  await expect(client.connect()).rejects.toThrow('timeout');
});
