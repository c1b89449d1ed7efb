import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { newerPgBouncer } from './newer.ts';
import { installed, privateFolder, run } from './process.ts';
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

describe('an auth_file', () => {
  test('that is not there refuses every login, after a start without complaint', async () => {
    const pooled = await startPgBouncer({ shop: entry }, { auth_type: 'plain', auth_file: path.join(folder, 'nowhere.txt') });
    await expect(loginAs(pooled('shop'), 'app', 'secret')).rejects.toThrow();
  });

  test('that is not there is not missed with auth_type = any', async () => {
    const pooled = await startPgBouncer({ shop: entry }, { auth_type: 'any', auth_file: path.join(folder, 'nowhere.txt') });
    await expect(loginAs(pooled('shop'), 'app')).resolves.toBe('in');
  });

  test.each([
    ['scram-sha-256', false],
    ['md5', true],
  ])('with an MD5 hash and auth_type = %s: %s', async (type, letsIn) => {
    const file = path.join(folder, 'hashes.txt');
    const hash = createHash('md5').update('secretapp').digest('hex');
    writeFileSync(file, `"app" "md5${hash}"\n`);
    const pooled = await startPgBouncer({ shop: entry }, { auth_type: type, auth_file: file });
    const login = loginAs(pooled('shop'), 'app', 'secret');
    await (letsIn ? expect(login).resolves.toBe('in') : expect(login).rejects.toThrow());
  });
});

test.each([
  ['the installed PgBouncer', [installed('pgbouncer', 'pgbouncer')] as const],
  ['a newer PgBouncer', newerPgBouncer()],
])('%s starts with verify-full and a CA file that is missing, and no client gets a connection', async (_, command) => {
  const certificate = path.join(folder, 'server.crt');
  const key = path.join(folder, 'server.key');
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  run(installed('openssl', 'openssl'), ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-keyout', key, '-out', certificate, ...subject]);
  const secure = await startPostgres({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key });
  const verifying = (ca: string) =>
    startPgBouncer(
      { shop: secure.entry },
      { server_tls_sslmode: 'verify-full', server_tls_ca_file: ca, query_wait_timeout: 1, server_login_retry: 1 },
      command,
    );
  const right = await verifying(certificate);
  const missing = await verifying(path.join(folder, 'nowhere.pem'));
  await expect(loginAs(right('shop'), 'app')).resolves.toBe('in');
  await expect(loginAs(missing('shop'), 'app')).rejects.toThrow();
});
