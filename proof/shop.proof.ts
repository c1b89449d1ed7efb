import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { connect, endAfterTest, isPending } from './connections.ts';
import { startPgBouncer, startPostgres } from './servers.ts';

/** The code of the two systems in fixtures/, on real servers: what fails in the one works in the other. */
type System = 'shop' | 'shop-fixed';

interface Basket {
  readonly customer: string;
  readonly merchant: string;
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[];
}

interface Order {
  readonly id: number;
}

interface Orders {
  placeOrder(basket: Basket): Promise<Order | undefined>;
  refundOrder(orderId: number, reason: string): Promise<void>;
  payoutsOf(merchant: string): Promise<readonly unknown[]>;
}

interface Worker {
  confirmOrders(): Promise<{ end(): Promise<void> }>;
  payMerchants(): Promise<boolean>;
}

interface Catalog {
  app: { inject(path: string): Promise<{ readonly body: string }> };
}

const { url: direct, superuserUrl, entry } = await startPostgres();
const pooled = await startPgBouncer({ shop: `${entry} pool_size=2`, 'shop-fixed': `${entry} pool_size=2` });

const schema = readFileSync(new URL('../fixtures/shop/db/schema.sql', import.meta.url), 'utf8');

beforeEach(async () => {
  vi.resetModules();
  vi.stubEnv('DIRECT_DATABASE_URL', direct);
  vi.stubEnv('DB_POOL_MAX', '2');
  vi.stubEnv('LOG_LEVEL', 'silent');
  const owner = await connect(direct);
  await owner.query('DROP SCHEMA IF EXISTS public CASCADE');
  await owner.query(`CREATE SCHEMA public; ${schema}`);
  await owner.query("INSERT INTO products VALUES ('tea', 'Tea', 4, 100)");
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function load<Module>(system: System, module: string): Promise<Module> {
  vi.stubEnv('DATABASE_URL', pooled(system));
  return import(new URL(`../fixtures/${system}/services/${module}`, import.meta.url).pathname) as Promise<Module>;
}

/** A service's module with the service's pool, which is ended after the test. */
async function loadService<Module>(system: System, service: 'orders' | 'worker', module: string): Promise<Module & { pool: Pool }> {
  const { pool } = await load<{ pool: Pool }>(system, `${service}/src/db.ts`);
  endAfterTest(pool);
  return { ...(await load<Module>(system, `${service}/src/${module}`)), pool };
}

function basketOf(sku: string): Basket {
  return { customer: 'ann', merchant: 'teahouse', lines: [{ sku, quantity: 1 }] };
}

async function statusOf(orderId: number): Promise<string | undefined> {
  const { rows } = await (await connect(direct)).query<{ status: string }>('SELECT status FROM orders WHERE id = $1', [orderId]);
  return rows[0]?.status;
}

async function insertOrder(status: 'placed' | 'confirmed'): Promise<number> {
  const { rows } = await (
    await connect(direct)
  ).query<Order>(
    "INSERT INTO orders (customer, merchant, total, status) VALUES ('ann', 'teahouse', 4, $1) RETURNING id, pg_notify('order_placed', id::text)",
    [status],
  );
  return Number(rows[0]?.id);
}

async function listen(confirmOrders: Worker['confirmOrders']): Promise<void> {
  const listener = await confirmOrders();
  onTestFinished(() => listener.end());
}

test('shop: after two sold-out orders the next customer waits for ever', async () => {
  const { placeOrder } = await loadService<Orders>('shop', 'orders', 'checkout.ts');
  expect(await placeOrder(basketOf('gold'))).toBeUndefined();
  expect(await placeOrder(basketOf('gold'))).toBeUndefined();
  const next = placeOrder(basketOf('tea'));
  const elsewhere = await loadService<Orders>('shop-fixed', 'orders', 'checkout.ts');
  await elsewhere.placeOrder(basketOf('tea'));
  expect(await isPending(next)).toBe(true);
});

test('shop-fixed: after two sold-out orders the next customer is served', async () => {
  const { placeOrder } = await loadService<Orders>('shop-fixed', 'orders', 'checkout.ts');
  expect(await placeOrder(basketOf('gold'))).toBeUndefined();
  expect(await placeOrder(basketOf('gold'))).toBeUndefined();
  expect(await placeOrder(basketOf('tea'))).toMatchObject({ total: 4 });
});

test.each([
  { system: 'shop', status: 'refunded' },
  { system: 'shop-fixed', status: 'confirmed' },
] as const)('$system: a refund that fails leaves its order $status', async ({ system, status }) => {
  const { refundOrder, pool } = await loadService<Orders>(system, 'orders', 'refunds.ts');
  const orderId = await insertOrder('confirmed');
  await (await connect(direct)).query("INSERT INTO refunds VALUES ($1, 'broken')", [orderId]);

  const held = await pool.connect();
  const refund = expect(refundOrder(orderId, 'late')).rejects.toThrow('duplicate key');
  const otherRequest = await pool.connect();
  held.release();
  await refund;
  otherRequest.release();

  expect(await statusOf(orderId)).toBe(status);
});

test.each([
  { system: 'shop', seen: 1 },
  { system: 'shop-fixed', seen: 0 },
] as const)('$system: after a merchant has read its payouts, somebody else sees $seen of them', async ({ system, seen }) => {
  const { payoutsOf } = await loadService<Orders>(system, 'orders', 'payouts.ts');
  const orderId = await insertOrder('confirmed');
  await (await connect(superuserUrl)).query("INSERT INTO payouts VALUES ($1, 'teahouse', 4)", [orderId]);

  expect(await payoutsOf('teahouse')).toHaveLength(1);
  const { rows } = await (await connect(pooled(system))).query('SELECT FROM payouts');
  expect(rows).toHaveLength(seen);
});

test('shop: an order is heard of by whoever holds the connection, and never confirmed', async () => {
  const { confirmOrders } = await loadService<Worker>('shop', 'worker', 'confirmations.ts');
  await listen(confirmOrders);
  const bystander = await connect(pooled('shop'));
  const overheard: (string | undefined)[] = [];
  bystander.on('notification', ({ payload }) => overheard.push(payload));
  await bystander.query('BEGIN');
  const orderId = await insertOrder('placed');
  await bystander.query('COMMIT');
  expect(overheard).toEqual([String(orderId)]);
  expect(await statusOf(orderId)).toBe('placed');
});

test('shop-fixed: an order is confirmed', async () => {
  const { confirmOrders } = await loadService<Worker>('shop-fixed', 'worker', 'confirmations.ts');
  await listen(confirmOrders);
  const orderId = await insertOrder('placed');
  await vi.waitUntil(async () => (await statusOf(orderId)) === 'confirmed');
});

test('shop: a worker gets the lock that another one holds', async () => {
  const { payMerchants } = await loadService<Worker>('shop', 'worker', 'payouts.ts');
  const otherWorker = await connect(pooled('shop'));
  await otherWorker.query('SELECT pg_advisory_lock(7001)');
  expect(await payMerchants()).toBe(true);
  await otherWorker.query('SELECT pg_advisory_unlock_all()');
});

test('shop-fixed: a worker leaves the work to the one that holds the lock', async () => {
  const { payMerchants } = await loadService<Worker>('shop-fixed', 'worker', 'payouts.ts');
  const otherWorker = await connect(pooled('shop-fixed'));
  await otherWorker.query('BEGIN');
  await otherWorker.query('SELECT pg_advisory_xact_lock(7001)');
  expect(await payMerchants()).toBe(false);
  await otherWorker.query('COMMIT');
  expect(await payMerchants()).toBe(true);
});

test.each([
  { system: 'shop', pools: 3 },
  { system: 'shop-fixed', pools: 1 },
] as const)('$system: three price lists are read through $pools pools', async ({ system, pools }) => {
  const query = vi.spyOn(Pool.prototype, 'query');
  const { app } = await load<Catalog>(system, 'catalog/src/app.ts');
  for (let request = 0; request < 3; request++) {
    expect((await app.inject('/price-list')).body).toBe('tea,Tea,4');
  }
  const used = new Set(query.mock.contexts.filter((context) => context instanceof Pool));
  used.forEach(endAfterTest);
  expect(used.size).toBe(pools);
});
