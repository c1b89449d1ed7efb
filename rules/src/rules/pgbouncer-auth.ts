import { parameter, type PgbouncerDocument, type Setting } from '@poolcheck/parsers/pgbouncer/document';
import type { Deployment } from '../deployment/model.ts';
import type { Report } from '../finding.ts';
import { placeOfValue, PgbouncerReader, versionThatReads } from '../pgbouncer/read.ts';
import { documentRule } from '../rule.ts';
import { isBefore } from '../version.ts';
import { aboutFiles } from './pgbouncer-auth/files.ts';

type MessageId = 'open' | 'plain' | 'admin' | 'md5' | 'unencrypted' | 'legacy' | 'noCertificate' | 'cert' | 'noFile' | 'noCa' | 'md5Secret';

export default documentRule({
  id: 'pgbouncer-auth',
  severity: 'error',
  summary: 'PgBouncer lets in who should not come in, or shows the network what it should not see.',
  kind: 'pgbouncer',
  messages: {
    open: 'auth_type = {type} asks for no password, and {address} can be reached from other {others}: whoever reaches it works as any user{admin}.',
    plain: 'auth_type = plain sends passwords as they are, and nothing makes clients of {address} use TLS: whoever listens has them.',
    admin:
      '{user} is an administrator of PgBouncer, and the user of {entry}: whoever has the application’s password can pause, kill and reconfigure the pooler.',
    md5: 'auth_type is md5, which PostgreSQL 18 deprecates, and whose hashes a server that keeps SCRAM secrets refuses: scram-sha-256 is safe to use.',
    unencrypted: 'Clients of {address} cannot use TLS: queries and rows can be read on the way. client_tls_sslmode = require makes them.',
    legacy: 'server_tls_protocols = legacy: since 1.21 PgBouncer does not start with it, unless server_tls_sslmode is disable.',
    noCertificate: 'client_tls_sslmode = {mode} without client_tls_key_file and client_tls_cert_file: PgBouncer does not start.',
    noFile: 'Nothing puts {path} into the container: PgBouncer starts without it, and refuses every login.',
    noCa: 'Nothing puts {path} into the container: PgBouncer starts, with {mode} trusts no server, and clients wait until they are cut off.',
    md5Secret:
      'The auth_file has MD5 hashes for {users}, and auth_type = scram-sha-256 needs a SCRAM secret or the password: they cannot log in.',
    cert: 'auth_type = cert without client_tls_sslmode = verify-full and client_tls_ca_file: PgBouncer does not start.',
  },
  *check({ document }, deployments, versions) {
    const reader = new PgbouncerReader(document, versionThatReads(document, deployments, versions));
    yield* aboutTls(reader);
    yield* aboutAdministrators(reader);
    yield* aboutFiles(reader, deployments);
    yield* aboutNetwork(reader, isMade(document, deployments));
  },
});

function* aboutTls(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const mode = reader.text('client_tls_sslmode')?.toLowerCase();
  const written = reader.written('client_tls_sslmode');
  const lacks = (name: string) => reader.text(name) === '';
  if (written && mode !== undefined && mode !== 'disable' && (lacks('client_tls_key_file') || lacks('client_tls_cert_file'))) {
    yield { at: placeOfValue(written), message: 'noCertificate', data: { mode } };
  }
  yield* aboutServerTls(reader);
  const type = reader.written('auth_type');
  const isSafe = mode === 'verify-full' && !lacks('client_tls_ca_file');
  if (type && mode !== undefined && reader.text('auth_type')?.toLowerCase() === 'cert' && !isSafe)
    yield { at: placeOfValue(type), message: 'cert' };
}

/** The manual still has the word. https://www.pgbouncer.org/config.html#server_tls_protocols */
function* aboutServerTls(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const protocols = reader.written('server_tls_protocols');
  const { version } = reader;
  const isOff = reader.text('server_tls_sslmode')?.toLowerCase() === 'disable';
  if (!protocols || protocols.value.value !== 'legacy' || isOff || (version && isBefore(version, [1, 21, 0]))) return;
  yield { at: placeOfValue(protocols), message: 'legacy', ...(!version && { severity: 'info' }) };
}

function* aboutAdministrators(reader: PgbouncerReader): Iterable<Report<MessageId>> {
  const setting = reader.written('admin_users');
  const names = listed(reader.text('admin_users'));
  for (const [entry, connection] of reader.document.databases) {
    const user = parameter(connection, 'user')?.value;
    if (!setting || user === undefined || !names.includes(user)) continue;
    yield { at: placeOfValue(setting), message: 'admin', severity: 'warning', data: { user, entry } };
    return;
  }
}

/** What matters once other machines can reach it: the worst of it. */
function* aboutNetwork(reader: PgbouncerReader, inContainer: boolean): Iterable<Report<MessageId>> {
  const listening = reader.written('listen_addr');
  const address = listed(reader.text('listen_addr')).find((each) => !isLoopback(each));
  const type = reader.text('auth_type')?.toLowerCase();
  if (!listening || address === undefined || type === undefined) return;
  const at = placeOfValue(reader.written('auth_type') ?? listening);
  const related = at.range === listening.value.range ? [] : [{ at: placeOfValue(listening), message: 'where it listens' }];
  if (type === 'any' || type === 'trust') {
    const admin = listed(reader.text('admin_users')).length > 0 ? ', as an administrator too' : '';
    const others = inContainer ? 'containers' : 'machines';
    yield { at, message: 'open', ...(inContainer && { severity: 'warning' }), data: { type, address, others, admin }, related };
    return;
  }
  const mode = reader.text('client_tls_sslmode')?.toLowerCase();
  const isEncrypted = mode === undefined || /^(require|verify-ca|verify-full)$/.test(mode);
  if (type === 'plain' && !isEncrypted) {
    yield { at, message: 'plain', data: { address }, related };
    return;
  }
  if (type === 'md5') yield { at, message: 'md5', severity: 'info' };
  if (mode === 'disable') yield { at: placeOfMode(reader, listening), message: 'unencrypted', severity: 'info', data: { address } };
}

/** It is made of the variables of a container, whose network may be private. */
function isMade(document: PgbouncerDocument, deployments: readonly Deployment[]): boolean {
  return deployments.some(({ poolers }) => poolers.some((pooler) => pooler.document === document));
}

function placeOfMode(reader: PgbouncerReader, listening: Setting): Report['at'] {
  return placeOfValue(reader.written('client_tls_sslmode') ?? listening);
}

function listed(list: string | undefined): readonly string[] {
  return (list ?? '').split(/[\s,]+/).filter((each) => each !== '');
}

function isLoopback(address: string): boolean {
  return /^(127(\.\d+){3}|::1|localhost)$/.test(address);
}
