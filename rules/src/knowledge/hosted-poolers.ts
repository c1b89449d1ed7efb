import type { PoolMode } from '../deployment/model.ts';
import type { PoolerSoftware } from './poolers.ts';

/** A pooler that a provider runs before its databases, as its documentation has it. */
export interface HostedPooler {
  /** What it is called in messages. */
  readonly name: string;
  readonly software: PoolerSoftware;
  readonly host: RegExp;
  /** The port that leads to it, where others lead elsewhere. */
  readonly port?: number;
  readonly mode: PoolMode;
  /** The customer may choose another mode. */
  readonly isDefault?: true;
  /** Whether it knows prepared statements on every server connection; undefined: nothing is said of it. */
  readonly carriesPrepared: boolean | undefined;
  /** What to do instead, as a clause. */
  readonly remedy?: string;
}

/**
 * https://supabase.com/docs/guides/database/connecting-to-postgres (ports and modes),
 * https://supabase.com/docs/guides/troubleshooting/disabling-prepared-statements-qL8lEL,
 * https://neon.com/docs/connect/connection-pooling,
 * https://learn.microsoft.com/azure/postgresql/connectivity/concepts-pgbouncer,
 * https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/rds-proxy-pinning.html,
 * https://docs.digitalocean.com/products/databases/postgresql/how-to/manage-connection-pools/,
 * https://planetscale.com/docs/postgres/connecting/pgbouncer
 */
export const hostedPoolers: readonly HostedPooler[] = [
  {
    name: 'Supavisor',
    software: 'supavisor',
    host: /\.pooler\.supabase\.com$/,
    port: 6543,
    mode: 'transaction',
    carriesPrepared: false,
    remedy: 'connect in session mode, on port 5432',
  },
  {
    name: 'Supavisor',
    software: 'supavisor',
    host: /\.pooler\.supabase\.com$/,
    port: 5432,
    mode: 'session',
    carriesPrepared: true,
  },
  {
    name: 'Supabase’s PgBouncer',
    software: 'pgbouncer',
    host: /^db\.[^.]+\.supabase\.co$/,
    port: 6543,
    mode: 'transaction',
    carriesPrepared: undefined,
  },
  {
    name: 'Neon’s PgBouncer',
    software: 'pgbouncer',
    host: /^[^.]+-pooler\.(.+\.)?(neon\.tech|neon\.build|postgres\.vercel-storage\.com)$/,
    mode: 'transaction',
    carriesPrepared: true,
  },
  {
    name: 'Azure’s PgBouncer',
    software: 'pgbouncer',
    host: /\.postgres\.database\.azure\.com$/,
    port: 6432,
    mode: 'transaction',
    isDefault: true,
    carriesPrepared: undefined,
  },
  {
    name: 'DigitalOcean’s PgBouncer',
    software: 'pgbouncer',
    host: /\.db\.ondigitalocean\.com$/,
    port: 25_061,
    mode: 'transaction',
    isDefault: true,
    carriesPrepared: undefined,
  },
  {
    name: 'PlanetScale’s PgBouncer',
    software: 'pgbouncer',
    host: /\.psdb\.cloud$/,
    port: 6432,
    mode: 'transaction',
    carriesPrepared: undefined,
    remedy: 'connect directly, on port 5432',
  },
  {
    name: 'RDS Proxy',
    software: 'rds-proxy',
    host: /\.proxy-[a-z0-9]+\.[a-z0-9-]+\.rds\.amazonaws\.com(\.cn)?$/,
    mode: 'session',
    carriesPrepared: true,
  },
];

/** The hosted pooler that a host name and port lead to. */
export function hostedPooler(host: string, port: number | undefined): HostedPooler | undefined {
  const name = host.toLowerCase();
  return hostedPoolers.find((each) => each.host.test(name) && (each.port === undefined || each.port === port));
}
