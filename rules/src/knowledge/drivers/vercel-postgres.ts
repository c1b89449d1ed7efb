import type { Driver, Resource } from '../driver.ts';
import { neon } from './neon.ts';

const { pool, lease, client } = neon.resources as Readonly<Record<'pool' | 'lease' | 'client', Resource>>;

/** https://github.com/vercel/storage/tree/main/packages/postgres: `sql` and `db` are one pool, which is made at its first use. */
export const vercelPostgres: Driver = {
  name: '@vercel/postgres',
  engine: 'postgresql',
  // In the edge runtime a connection of its pool is used once.
  speaksHttp: true,
  source: 'https://vercel.com/docs/storage/vercel-postgres/sdk',
  packages: {
    '@vercel/postgres': {
      sql: { is: 'pool' },
      db: { is: 'pool' },
      createPool: { calls: { resource: 'pool', as: 'value' } },
      createClient: { calls: { resource: 'client', as: 'value' } },
      VercelPool: { type: 'pool' },
      VercelClient: { type: 'client' },
      VercelPoolClient: { type: 'lease' },
    },
  },
  resources: { pool: { ...pool, isTag: true }, lease: { ...lease, isTag: true }, client: { ...client, isTag: true } },
};
