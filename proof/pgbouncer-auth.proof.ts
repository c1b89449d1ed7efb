import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { newerPgBouncer } from './newer.ts';
import { installed, privateFolder } from './process.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

const { entry } = await startPostgres();
const folder = privateFolder();
const users = path.join(folder, 'userlist.txt');
writeFileSync(users, '"app" "secret"\n"admin" "secret"\n');
chmodSync(folder, 0o755);

const trusting = await startPgBouncer({ shop: entry }, { auth_type: 'trust', auth_file: users, admin_users: 'admin' });
const plain = await startPgBouncer({ shop: entry }, { auth_type: 'plain', auth_file: users, admin_users: 'admin' });

async function loginAs(url: string, user: string, password?: string): Promise<string> {
  const asUser = new URL(url);
  asUser.username = user;
  if (password !== undefined) asUser.password = password;
  const client = new Client({ connectionString: asUser.href });
  await client.connect();
  await client.end();
  return 'in';
}

describe('auth_type = trust', () => {
  test('lets a listed user in without a password', async () => {
    await expect(loginAs(trusting('shop'), 'app')).resolves.toBe('in');
  });

  test('lets an administrator in without a password', async () => {
    await expect(loginAs(trusting('pgbouncer'), 'admin')).resolves.toBe('in');
  });

  test('does not let in who is not listed', async () => {
    await expect(loginAs(trusting('shop'), 'stranger')).rejects.toThrow();
  });
});

test('auth_type = plain asks for the password itself, on a connection without TLS', async () => {
  await expect(loginAs(plain('shop'), 'app', 'secret')).resolves.toBe('in');
  await expect(loginAs(plain('shop'), 'app', 'wrong')).rejects.toThrow();
});

/** What PgBouncer says before it gives up on a file; it is ended as soon as it runs. */
function start([program, ...args]: readonly [program: string, ...args: string[]], settings: string): string {
  const file = path.join(folder, 'legacy.ini');
  writeFileSync(
    file,
    `[databases]\nshop = host=127.0.0.1\n[pgbouncer]\nlisten_addr =\nunix_socket_dir = ${folder}\nauth_type = any\n${settings}\n`,
  );
  chmodSync(folder, 0o777);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  return spawnSync(program, [...args, ...user, file], { timeout: 2_000, encoding: 'utf8' }).stderr;
}

describe('server_tls_protocols = legacy', () => {
  const old = [installed('pgbouncer', 'pgbouncer')] as const;
  const legacy = 'server_tls_sslmode = require\nserver_tls_protocols = legacy';

  test('is taken before 1.21', () => expect(start([...old], legacy)).toContain('process up'));
  test('is refused since', () => expect(start(newerPgBouncer(), legacy)).not.toContain('process up'));
  test('is taken when TLS to the server is off', () => {
    expect(start(newerPgBouncer(), 'server_tls_sslmode = disable\nserver_tls_protocols = legacy')).toContain('process up');
  });
});

test('client TLS without a certificate is refused', () => {
  expect(start([installed('pgbouncer', 'pgbouncer')], 'client_tls_sslmode = require')).not.toContain('process up');
});
