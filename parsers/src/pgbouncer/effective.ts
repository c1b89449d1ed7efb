import { parameter } from './document.ts';
import type { Connection, ConnectionSection, PgbouncerItem, Setting } from './document.ts';

/** Settings without a default: PgBouncer has nothing to reset them to. */
const survivors: ReadonlySet<string> = new Set([
  'auth_dbname',
  'auth_file',
  'auth_ident_file',
  'auth_ldap_options',
  'auth_user',
  'client_tls13_ciphers',
  'conffile',
  'server_tls13_ciphers',
  'user',
  'verbose',
]);

/** The settings that hold in the end: each `[pgbouncer]` header sets the section back to its defaults. */
export function effectiveSettings(items: readonly PgbouncerItem[]): ReadonlyMap<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const item of items) {
    if (item.kind === 'setting') settings.set(item.key.value, item);
    else if (item.kind === 'header' && item.name.value === 'pgbouncer') reset(settings);
  }
  return settings;
}

function reset(settings: Map<string, Setting>): void {
  for (const name of settings.keys()) if (!survivors.has(name)) settings.delete(name);
}

/** The entries of a section by name, the last of equal names. */
export function effectiveConnections(items: readonly PgbouncerItem[], section: ConnectionSection): ReadonlyMap<string, Connection> {
  const connections = new Map<string, Connection>();
  for (const item of items) {
    if (item.kind !== 'connection' || item.section !== section) continue;
    const name = item.key.value;
    connections.set(name, keepForcedUser(item, connections.get(name)));
  }
  return connections;
}

/** A database defined again without `user` keeps the one it had; PgBouncer only warns. */
function keepForcedUser(connection: Connection, before: Connection | undefined): Connection {
  if (!before || parameter(connection, 'user')) return connection;
  const kept = before.parameters.filter(({ key }) => key.value === 'user' || key.value === 'password');
  return parameter(before, 'user') ? { ...connection, parameters: [...kept, ...connection.parameters] } : connection;
}
