import { expect, test } from 'vitest';
import { connect } from './connections.ts';
import { newerPgBouncer } from './newer.ts';
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
