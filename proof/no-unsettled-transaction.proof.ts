import knex, { type Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { connect, isPending } from './connections.ts';
import { startPostgres } from './servers.ts';

const { url, superuserUrl } = await startPostgres();

function open(): Knex {
  return knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 }, acquireConnectionTimeout: 200 });
}

async function idleInTransaction(): Promise<number> {
  const superuser = await connect(superuserUrl);
  const { rows } = await superuser.query("SELECT FROM pg_stat_activity WHERE usename = 'app' AND state = 'idle in transaction'");
  return rows.length;
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

test('a callback that returns nothing leaves its transaction open, and the next caller gets no connection', async () => {
  const db = open();
  const { promise: given, resolve: give } = deferred<Knex.Transaction>();
  const transaction = db.transaction((trx) => {
    give(trx);
  });
  transaction.catch(() => undefined);
  const trx = await given;
  onTestFinished(async () => {
    await trx.rollback();
    await db.destroy();
  });
  await trx.raw('SELECT 1');
  expect(await idleInTransaction()).toBe(1);
  expect(await isPending(transaction)).toBe(true);
  await expect(db.raw('SELECT 1')).rejects.toThrow('Timeout acquiring a connection');
});

test('as an async function it is committed, and the connection is free again', async () => {
  const db = open();
  onTestFinished(() => db.destroy());
  await db.transaction(async (trx) => {
    await trx.raw('SELECT 1');
  });
  expect((await db.raw<{ rows: unknown[] }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
