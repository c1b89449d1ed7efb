import { isBefore, type Version } from '../version.ts';

/** https://www.postgresql.org/docs/current/runtime-config-connection.html */
export const postgresqlDefaults = {
  port: 5432,
  maxConnections: 100,
  superuserReserved: 3,
  reserved: 0,
} as const;

/** Before 16 there are no `reserved_connections`. */
export function hasReservedConnections(version: Version | undefined): boolean {
  return !version || !isBefore(version, [16, 0, 0]);
}

/** https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html#sysvar_max_connections; one more is kept for an administrator. */
export const mysqlDefaults = { port: 3306, maxConnections: 151 } as const;
