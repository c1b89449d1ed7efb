import { parameter } from '@poolcheck/parsers/pgbouncer/document';
import { parseUserlist, type Userlist } from '@poolcheck/parsers/pgbouncer/userlist';
import { hasHole } from '@poolcheck/parsers/pgbouncer/holes';
import { placeOf, type Text } from '@poolcheck/parsers/text';
import type { Deployment } from '../../deployment/model.ts';
import type { Report } from '../../finding.ts';
import { configures, placeOfValue, type PgbouncerReader } from '../../pgbouncer/read.ts';

type MessageId = 'noFile' | 'noCa' | 'md5Secret';

/** What stands in the containers that run a PgBouncer, and what it needs there. */
export function* aboutFiles(reader: PgbouncerReader, deployments: readonly Deployment[]): Iterable<Report<MessageId>> {
  const runs = deployments
    .flatMap(({ poolers }) => poolers)
    .flatMap((pooler) => (!pooler.document && pooler.run && configures(reader.document, pooler) ? [pooler.run] : []));
  const lacking = (name: string) => {
    const setting = reader.written(name);
    const path = setting?.value.value ?? '';
    const isLacking = path.startsWith('/') && !hasHole(path) && runs.some(({ files }) => files.lacks(path));
    return setting && isLacking ? { at: placeOfValue(setting), path } : undefined;
  };

  const type = reader.text('auth_type')?.toLowerCase() ?? '';
  const users = lacking('auth_file');
  if (users && asksTheFile.test(type) && !logsInByQuery(reader))
    yield { at: users.at, message: 'noFile', severity: 'info', data: { path: users.path } };
  const ca = lacking('server_tls_ca_file');
  const mode = reader.text('server_tls_sslmode')?.toLowerCase() ?? '';
  if (ca && /^verify-/.test(mode)) yield { at: ca.at, message: 'noCa', severity: 'info', data: { path: ca.path, mode } };
  if (type === 'scram-sha-256') yield* aboutSecrets(reader, (path) => runs.map(({ files }) => files.read(path)));
}

/** These look users up in the auth_file; `any` never loads it, and others ask a system outside. */
const asksTheFile = /^(md5|scram-sha-256|plain|trust|cert|hba)$/;

/** Who is not in the file is looked for in the database, as this user. */
function logsInByQuery({ document }: PgbouncerReader): boolean {
  return document.settings.has('auth_user') || [...document.databases.values()].some((entry) => parameter(entry, 'auth_user'));
}

/** An MD5 hash is no SCRAM secret, and no password. */
function* aboutSecrets(
  reader: PgbouncerReader,
  read: (path: string) => readonly (Text | 'unknown' | undefined)[],
): Iterable<Report<MessageId>> {
  const type = reader.written('auth_type');
  const file = read(reader.text('auth_file') ?? '').find((each) => typeof each === 'object');
  if (!type || !file) return;
  const hashed = md5Users(parseUserlist(file), file);
  const [first] = hashed;
  if (!first) return;
  yield {
    at: placeOfValue(type),
    message: 'md5Secret',
    data: { users: hashed.map(({ name }) => name.value).join(', ') },
    related: [{ at: placeOf(file, first.name.range), message: 'has an MD5 hash' }],
  };
}

function md5Users({ users }: Userlist, { content }: Text) {
  return users.filter(({ secret }) => /^md5[0-9a-f]{32}$/.test(content.slice(secret.start, secret.end)));
}
